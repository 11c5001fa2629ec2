"""GET /graph: facts as edges, over several hops, by the filters of recall (R39)."""

from typing import Any
from urllib.parse import urlencode

import pytest

from memoryhub import conf
from tests.cast import Cast, Reply


def _tell(cast: Cast, subject: str, key: str, value: str, **fields: Any) -> dict[str, Any]:
    body = {"subject": subject, "text": f"The {key} is {value}", "key": key, "value": value, "channel": "curator"}
    reply = cast.post("/memories", body | fields, by="rosa")
    assert reply.ops[0] in ("ADD", "UPDATE"), reply.body
    return reply.entry


def _ask(cast: Cast, start: str, *, by: str = "bot", bearer: str = "", **query: Any) -> Reply:
    return cast.get("/graph?" + urlencode({"from": start, **query}), by=by, key=bearer)


def _ways(reply: Reply) -> set[tuple[str, ...]]:
    names = {node["id"]: node["name"] for node in reply.body["nodes"]}
    return {tuple(names[node] for node in path["nodes"]) for path in reply.body["paths"]}


@pytest.fixture
def orchard(cast: Cast) -> Cast:
    """A project with an owner, who has a manager: the owner is a person of the organisation, the manager a name."""
    cast.put("/subjects/orchard", {"kind": "project", "members": ["nora"]})
    cast.put("/subjects/ines", {"kind": "person", "display_name": "Inês Prado"})
    _tell(cast, "orchard", "owner", "INÊS  PRADO")
    _tell(cast, "ines", "manager", "Tobias")
    _tell(cast, "nora", "project", "Orchard")
    return cast


def test_a_fact_is_an_edge_with_its_entry_its_source_and_its_warnings(orchard: Cast) -> None:
    reply = _ask(orchard, "orchard", hops=1)
    assert reply.status == 200
    (edge,) = reply.body["edges"]
    assert (edge["from"], edge["key"], edge["to"], edge["subject"]) == (
        "subject:orchard", "owner", "value:inês prado", "orchard",
    )  # fmt: skip
    assert edge["provenance"]["channel"] == "curator"
    assert edge["warnings"] == []
    assert orchard.get(f"/memories/{edge['entry']}", by="olga").body["value"] == edge["value"]
    assert reply.body["truncated"] is False


def test_a_way_goes_on_through_a_person_s_project(orchard: Cast) -> None:
    assert _ways(_ask(orchard, "nora")) == {("nora", "orchard"), ("nora", "orchard", "INÊS  PRADO")}
    assert _ways(_ask(orchard, "nora", hops=1)) == {("nora", "orchard")}


def test_what_is_private_to_somebody_is_followed_only_where_they_are_asked_about(orchard: Cast) -> None:
    assert all("Tobias" not in way for way in _ways(_ask(orchard, "orchard", hops=4)))
    asked = _ask(orchard, "orchard", hops=4, subject="ines")
    assert ("orchard", "ines", "Tobias") in _ways(asked)
    assert ("nora", "orchard", "ines", "Tobias") in _ways(_ask(orchard, "nora", hops=4, subject="ines"))


@pytest.mark.parametrize("part", ["olga", "rosa"])
def test_who_may_read_all_entries_follows_all(orchard: Cast, part: str) -> None:
    assert ("nora", "orchard", "ines", "Tobias") in _ways(_ask(orchard, "nora", hops=3, by=part))
    assert _ways(_ask(orchard, "Inês Prado", by=part)) == {("ines", "Tobias")}


def test_what_everybody_may_read_joins_wherever_it_is_known(orchard: Cast) -> None:
    orchard.put("/subjects/pier-4", {"kind": "site", "display_name": "Pier Four"})
    _tell(orchard, "orchard", "site", "pier four")
    _tell(orchard, "pier-4", "harbour master", "Yusuf", scope="organisation")
    assert ("orchard", "pier-4", "Yusuf") in _ways(_ask(orchard, "orchard"))


def test_names_meet_whatever_their_case_width_and_punctuation(orchard: Cast) -> None:
    for start in ("orchard", "ORCHARD", "  Orchard ", "ｏｒｃｈａｒｄ", "«orchard»"):
        assert ("orchard", "ines") in _ways(_ask(orchard, start, by="olga")), start


def test_a_key_narrows_what_is_followed(orchard: Cast) -> None:
    assert _ways(_ask(orchard, "nora", hops=4, key="project")) == {("nora", "orchard")}
    assert _ways(_ask(orchard, "nora", hops=4, key="owner")) == set()
    assert len(_ways(_ask(orchard, "nora", hops=4, key="Project, owner"))) == 2


def test_a_circle_is_walked_once(cast: Cast) -> None:
    for one, other in (("a-1", "b-2"), ("b-2", "c-3"), ("c-3", "a-1")):
        cast.put(f"/subjects/{one}", {"kind": "site"})
        _tell(cast, one, "next", other, scope="organisation")
    reply = _ask(cast, "a-1", hops=4)
    assert _ways(reply) == {("a-1", "b-2"), ("a-1", "b-2", "c-3")}
    assert len(reply.body["edges"]) == 3


def test_what_was_replaced_expired_or_waits_is_no_edge_now(orchard: Cast) -> None:
    before = orchard.get("/memories?subject=orchard", by="olga").body["items"][0]
    _tell(orchard, "orchard", "owner", "Mats")
    assert {way[-1] for way in _ways(_ask(orchard, "orchard", hops=1))} == {"Mats"}
    past = _ask(orchard, "orchard", hops=1, as_of=before["recorded_at"]).body["edges"]
    assert [edge["entry"] for edge in past] == [before["id"]]
    orchard.infer("The owner is Ulla", subject="orchard", key="owner", value="Ulla")
    assert {way[-1] for way in _ways(_ask(orchard, "orchard", hops=1))} == {"Mats"}


def test_restricted_facts_are_for_curators_and_operators(cast: Cast) -> None:
    _tell(cast, "nora", "locker", "blue", sensitivity="restricted")
    assert _ask(cast, "nora").body["edges"] == []
    assert len(_ask(cast, "nora", by="olga").body["edges"]) == 1


def test_while_paused_without_use_nothing_is_followed(orchard: Cast) -> None:
    orchard.post("/subjects/ines/pause", {"paused": True, "use_existing": False}, by="desk")
    assert _ask(orchard, "ines").body["edges"] == []
    assert all("Tobias" not in way for way in _ways(_ask(orchard, "nora", hops=4, by="olga")))
    orchard.post("/subjects/ines/pause", {"paused": True, "use_existing": True}, by="desk")
    assert _ways(_ask(orchard, "ines")) == {("ines", "Tobias")}


def test_an_unknown_start_is_an_empty_answer_and_makes_nobody_known(orchard: Cast, strangers: Cast) -> None:
    for start in ("nobody", "'; DROP TABLE x --", "%", "\\", "🪑", ":*", "a" * 200, "subject"):
        body = _ask(orchard, start).body
        assert (body["nodes"], body["edges"], body["paths"], body["truncated"]) == ([], [], [], False), start
    assert orchard.get("/subjects/nobody").status == 404
    assert _ask(strangers, "orchard", by="olga").body["edges"] == []


def test_a_bound_key_sees_its_subject_alone(orchard: Cast) -> None:
    _tell(orchard, "pier-4", "harbour master", "Yusuf", scope="organisation")
    bound = orchard.issue(name="nora-bot", roles=("agent",), subject="nora")
    assert ("nora", "orchard", "INÊS  PRADO") in _ways(_ask(orchard, "nora", bearer=bound))
    for foreign in ("ines", "pier-4", "nobody"):
        assert _ask(orchard, foreign, bearer=bound).body["edges"] == []
    assert _ask(orchard, "nora", bearer=bound, subject="ines").status == 404


@pytest.mark.parametrize(
    "query",
    [{}, {"from": ""}, {"from": "  "}, {"from": "a" * 201}, {"hops": 0}, {"hops": 5}, {"hops": "-1"}, {"hops": "two"},
     {"hops": 10**9}, {"key": ""}, {"key": ",".join("abcdefghijklmnopqrstuvwxyz")}, {"as_of": "2026-01-01"}, {"depth": 1},
     {"from": "a\x00b"}],
)  # fmt: skip
def test_a_question_that_is_not_valid_is_refused(cast: Cast, query: dict[str, Any]) -> None:
    asked = {"from": "nora", **query} if query else {}
    assert cast.get("/graph?" + urlencode(asked)).status == 422


def test_agents_curators_and_operators_follow_facts(cast: Cast) -> None:
    for part, status in {"desk": 403, "crm": 403, "kurt": 403, "rosa": 200, "plain-bot": 200, "olga": 200}.items():
        assert _ask(cast, "nora", by=part).status == status


def test_the_read_is_logged_for_whom_it_was(orchard: Cast) -> None:
    read = orchard.get(f"/recalls/{_ask(orchard, 'nora').body['recall_id']}", by="kurt").body
    assert (read["purpose"], read["agent"], len(read["items"])) == ("graph", "bot", 2)
    assert read["subjects"] == ["nora", "orchard"]
    assert "nora" not in read["query_digest"]


def test_one_answer_is_bounded_and_says_so(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        _tell(cast, "nora", f"shelf {number}", f"box {number}")
    assert (len(_ask(cast, "nora").body["paths"]), _ask(cast, "nora").body["truncated"]) == (4, False)
    for bound in ("GRAPH_BREADTH", "GRAPH_PATHS", "GRAPH_FACTS"):
        with monkeypatch.context() as patch:
            patch.setattr(conf, bound, 3)
            body = _ask(cast, "nora").body
            assert (len(body["paths"]) in (3, 4), body["truncated"]) == (True, True), bound
