"""Memories, skills, profiles and subjects in a real browser: every way to write without JavaScript, focus with it."""

import pytest
from playwright.sync_api import expect

from memoryhub.models import Entry, Profile, Skill, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import SkillStatus, Status
from tests.factories.visitors import Visitors, offer_profile, offer_skill, tell
from tests.functional.conftest import Open, Watched

pytestmark = pytest.mark.browser

FILE = "---\nname: greet\ndescription: How a person is greeted.\n---\n## Procedure\n\n1. Say their name.\n"


def rows(visitors: Visitors, model, **about):
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return list(model.objects.filter(organisation=visitors.ground.organisation, **about).order_by("created_at"))


def test_what_a_curator_does_with_a_memory_needs_no_javascript(visitors: Visitors, open_as: Open) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    window = open_as(visitors.cal, script=False)
    window.goto("/memories/")
    window.get_by_label("Words or an id").fill("lisbon")
    window.get_by_role("button", name="Search").click()
    window.get_by_role("link", name="I live in Lisbon").click()
    window.get_by_role("button", name="Still true").click()
    expect(window.get_by_text("it is kept for another while")).to_be_visible()
    window.get_by_text("Set a review date", exact=True).click()
    window.get_by_label("Look at it again by").fill("2026-12-24")
    window.get_by_role("button", name="Set the date").click()
    expect(window.get_by_text("The review date is set.")).to_be_visible()
    window.get_by_text("Correct it", exact=True).click()
    window.get_by_label("How is it really?").fill("")
    window.get_by_role("button", name="Save as a new version").click()
    expect(window.get_by_text("Write the statement as it really is.")).to_be_visible()
    window.get_by_label("How is it really?").fill("Mira lives in Porto.")
    window.get_by_role("button", name="Save as a new version").click()
    expect(window.get_by_text("Corrected.")).to_be_visible()
    window.get_by_text("Dispute it", exact=True).click()
    window.get_by_label("What is wrong?").fill("She moved on.")
    window.get_by_role("button", name="Dispute", exact=True).click()
    expect(window.get_by_text("it waits in the queue for somebody else")).to_be_visible()
    assert [(one.content, one.status, one.contested) for one in rows(visitors, Entry)] == [
        (city.content, Status.REPLACED, False), ("Mira lives in Porto.", Status.ACCEPTED, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "model"), [("/skills/", Skill), pytest.param("/profiles/helper/", Profile, marks=pytest.mark.long)]
)
def test_skills_and_profiles_go_and_come_without_javascript(
    visitors: Visitors, open_as: Open, path: str, model: type[Skill | Profile]
) -> None:
    offer_skill(visitors.ground)
    offer_profile(visitors.ground, "Be brief.")
    window = open_as(visitors.cal, script=False)

    def open_it() -> None:
        window.goto(path)
        if path == "/skills/":
            window.get_by_role("link", name="change-a-booking").click()

    open_it()
    window.get_by_role("link", name="It waits for a decision").click()
    window.get_by_role("button", name="Approve").first.click()
    open_it()
    window.get_by_text("Put it out of use").first.click()
    window.get_by_role("button", name="Put it out of use").click()
    expect(window.get_by_text("Out of use:")).to_be_visible()
    window.get_by_role("button", name="Bring this version back").click()
    expect(window.get_by_text("Proposed as version 2.")).to_be_visible()
    assert [one.status for one in rows(visitors, model)] == [SkillStatus.RETIRED, SkillStatus.PROPOSED]


def test_a_file_comes_in_and_goes_out_without_javascript(visitors: Visitors, open_as: Open) -> None:
    window = open_as(visitors.cal, script=False)
    window.goto("/skills/import/")
    window.get_by_role("button", name="Propose it").click()
    expect(window.get_by_text("Paste the text of the file")).to_be_visible()
    window.get_by_label("Choose the file").set_input_files(
        {"name": "SKILL.md", "mimeType": "text/markdown", "buffer": FILE.encode()}
    )
    window.get_by_role("button", name="Propose it").click()
    expect(window.get_by_role("heading", name="greet")).to_be_visible()
    with window.expect_download() as download:
        window.get_by_role("link", name="Export as SKILL.md").click()
    assert download.value.suggested_filename == "SKILL.md"


def test_an_operator_s_writes_need_no_javascript(visitors: Visitors, open_as: Open) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    tell(visitors.ground, visitors.mira, "I prefer tea.")
    window = open_as(visitors.olu, script=False)
    window.goto("/subjects/")
    window.get_by_role("link", name="mira", exact=True).click()
    window.get_by_text("Pause remembering").click()
    window.get_by_label("is not used meanwhile").check()
    window.get_by_role("button", name="Pause", exact=True).click()
    expect(window.get_by_text("Paused: nothing new is remembered.")).to_be_visible()
    assert [one.use_existing for one in rows(visitors, Subject, external_id="mira")] == [False]
    window.get_by_role("button", name="Remember again").click()
    expect(window.get_by_text("Remembering is on again.")).to_be_visible()
    with window.expect_download():
        window.get_by_role("button", name="Download everything").click()
    window.get_by_text("A link to their own page").click()
    window.get_by_role("button", name="Make a link").click()
    assert "/me/enter/" in window.get_by_label("Copy it and give it to them alone").input_value()
    window.get_by_role("link", name="Done").click()
    window.get_by_role("link", name="I prefer tea").click()
    window.get_by_role("link", name="Erase it").click()
    window.get_by_label("Type the word").fill("forget")
    window.get_by_role("button", name="Erase it").click()
    expect(window.get_by_role("heading", name="It is erased")).to_be_visible()
    window.goto("/subjects/")
    window.get_by_role("link", name="mira", exact=True).click()
    window.get_by_role("link", name="Erase everything").click()
    window.get_by_label("Type the id").fill("mira")
    window.get_by_role("button", name="Erase everything").click()
    expect(window.get_by_role("heading", name="Everything is erased")).to_be_visible()
    assert rows(visitors, Entry) == []


def test_with_javascript_the_focus_follows_what_happened(visitors: Visitors, open_as: Open, watched: Watched) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    window = open_as(visitors.cal)
    window.goto(f"/memories/{city.pk}/")
    window.get_by_role("button", name="Still true").press("Enter")
    expect(window.get_by_text("it is kept for another while")).to_be_focused()
    window.get_by_text("Dispute it", exact=True).click()
    window.get_by_role("button", name="Dispute", exact=True).press("Enter")
    expect(window.get_by_text("Say what is wrong, in a few words.")).to_be_focused()
    window.get_by_label("What is wrong?").fill("She moved on.")
    window.get_by_role("button", name="Dispute", exact=True).press("Enter")
    expect(window.get_by_text("it waits in the queue for somebody else")).to_be_focused()
    assert watched.faults == []
