"""What did somebody type into an address or a filter? Whatever it is, it is read as plain words, or as nothing."""

import uuid

from memoryhub import conf


def as_typed(text: str, *, most: int = conf.MAX_EXTERNAL_ID) -> str:
    """The text without what can't stand in words or ids (a NUL byte above all), at most so many characters."""
    return "".join(char for char in text if char.isprintable()).strip()[:most]


def uuid_of(text: str) -> uuid.UUID | None:
    """The id in an address, if it is one."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
