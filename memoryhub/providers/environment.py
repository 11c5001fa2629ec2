"""What does an environment variable say? Its value in the form that a setting takes, or a sentence that refuses it.

A value that may hold a password is never repeated.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """As it stands, without blanks around it."""
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, *, least: int, most: int) -> int:
    """A whole number within bounds."""
    value = text(name, str(default))
    if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes a whole number from {least} to {most}.")
    return int(value)


def flag(name: str, default: bool) -> bool:
    """1 or 0, or a word for one of them."""
    value = text(name, "1" if default else "0").lower()
    if value not in ("0", "1", "true", "false", "yes", "no", "on", "off"):
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes 1 or 0.")
    return value in ("1", "true", "yes", "on")


def texts(name: str) -> list[str]:
    """Several, with commas between."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def folders(name: str) -> tuple[Path, ...]:
    """Whole paths of folders, none of which is the root."""
    named = tuple(Path(part).expanduser() for part in texts(name))
    for folder in named:
        if not folder.is_absolute() or folder == Path("/"):
            raise ImproperlyConfigured(
                f"{name} names {str(folder)!r}; it takes whole paths of folders, commas between."
            )
    return named


def endpoint(name: str) -> str:
    """The base URL of an API, without the stroke at its end; empty: there is none."""
    value = text(name)
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and value.isascii()
    except ValueError:
        usable = False
    if value and (not usable or parts.username or parts.password or parts.query or parts.fragment):
        raise ImproperlyConfigured(  # which is not repeated: it may hold a password
            f"{name} is no base URL like https://models.example/v1; a key belongs into a file of its own."
        )
    return value.rstrip("/")


def file(name: str) -> Path | None:
    """The whole path of a file that is there; None: none is named."""
    value = text(name)
    path = Path(value).expanduser()
    if value and not (path.is_absolute() and path.is_file()):
        raise ImproperlyConfigured(f"{name} names {value!r}; it takes the whole path of a file that is there.")
    return path if value else None


def first_line(name: str) -> str:
    """Of the file of that name, read when the hub starts; empty where none is named."""
    path = file(name)
    return path.read_text(encoding="utf-8").partition("\n")[0].strip() if path is not None else ""


def choice(name: str, *choices: str) -> str:
    """One of these words; the first where nothing is said."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}; it takes one of: {', '.join(choices)}.")
    return value
