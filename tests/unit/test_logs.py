"""What a log line may say: where something happened, never to whom or about what."""

import logging
from types import SimpleNamespace

from memoryhub.logs import RouteOnly, WithoutValues


def record(**more: object) -> logging.LogRecord:
    made = logging.LogRecord(
        "django.request", logging.ERROR, __file__, 1, "Internal Server Error: %s", ("/x/cust-7",), None
    )
    made.__dict__.update(more)
    return made


def test_a_path_is_replaced_by_its_route() -> None:
    request = SimpleNamespace(method="GET", resolver_match=SimpleNamespace(route="api/v1/subjects/<external_id>"))
    line = record(request=request, status_code=500)
    assert RouteOnly().filter(line)
    assert line.getMessage() == "GET api/v1/subjects/<external_id> answered 500"


def test_a_path_that_leads_nowhere_is_not_repeated() -> None:
    line = record(request=SimpleNamespace(method="GET", resolver_match=None), status_code=404)
    RouteOnly().filter(line)
    assert "cust-7" not in line.getMessage()


def test_an_answer_that_says_unavailable_is_no_error() -> None:
    assert not RouteOnly().filter(record(request=SimpleNamespace(), status_code=503))


def test_other_lines_stay_as_they_are() -> None:
    line = logging.LogRecord("memoryhub", logging.INFO, __file__, 1, "dream %s done", ("d-1",), None)
    assert RouteOnly().filter(line)
    assert line.getMessage() == "dream d-1 done"


def test_an_error_is_named_with_its_cause_but_not_quoted() -> None:
    try:
        try:
            raise KeyError("allergic to nuts")
        except KeyError as inner:
            raise ValueError("Key (value)=(allergic to nuts) already exists") from inner
    except ValueError as error:
        text = WithoutValues().formatException((type(error), error, error.__traceback__))
    assert "allergic to nuts" not in text.replace('raise KeyError("allergic to nuts")', "").replace(
        'raise ValueError("Key (value)=(allergic to nuts) already exists")', ""
    )
    assert "builtins.ValueError" in text
    assert "caused by" in text
    assert "builtins.KeyError" in text
    assert "test_logs.py" in text


def test_an_error_that_is_its_own_context_ends() -> None:
    error = ValueError("round")
    error.__context__ = error
    assert WithoutValues().formatException((ValueError, error, None)).count("ValueError") == 1
