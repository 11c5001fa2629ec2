"""The one table from refusals to HTTP."""

from memoryhub import errors
from memoryhub.http_errors import TITLES, status_of


def test_every_refusal_has_a_status_and_a_title() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.HubError)]
    for refusal in classes:
        error = refusal(retry_after=1) if issubclass(refusal, errors.TooMany) else refusal()
        assert status_of(error) in TITLES


def test_a_new_refusal_has_the_status_of_what_it_extends() -> None:
    class OutOfDate(errors.Stale):
        pass

    assert status_of(OutOfDate()) == 412
