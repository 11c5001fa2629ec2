"""How does a command refuse? With one sentence on stderr and exit code 1, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from memoryhub.errors import HubError, Invalid


@contextmanager
def refusals_as_sentences() -> Iterator[None]:
    """Turn a refusal of the domain into a CommandError."""
    try:
        yield
    except Invalid as error:
        faults = [f"{field}: {' '.join(sentences)}" for field, sentences in error.errors.items()]
        raise CommandError("; ".join(faults) or error.detail, returncode=1) from error
    except HubError as error:
        raise CommandError(error.detail, returncode=1) from error
