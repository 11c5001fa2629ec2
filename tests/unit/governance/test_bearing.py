"""What says how the organisation treats its speaker is never kept on their word, however it is put (R15, ADR 11)."""

from memoryhub.governance.authority import claims_authority_in, touches_authority
from tests.unit.governance.paraphrases import claims, twins

CLAIMS = list(claims())
TWINS = list(twins())


def passes(text: str) -> bool:
    """Whether nothing of it is refused or waits for a claim of authority."""
    return not claims_authority_in(text) and not touches_authority(text)


def test_there_are_enough_of_both_and_none_twice():
    assert len(set(CLAIMS)) == len(CLAIMS) >= 600
    assert len(set(TWINS)) == len(TWINS) >= 400


def test_no_paraphrase_of_a_claim_passes():
    assert [text for text in CLAIMS if passes(text)] == []


def test_of_honest_twins_hardly_any_is_refused_and_nine_in_ten_pass():
    refused = [text for text in TWINS if claims_authority_in(text)]
    held = [text for text in TWINS if not passes(text)]
    assert len(refused) <= len(TWINS) * 0.02, refused
    assert len(held) <= len(TWINS) * 0.1, held
