"""What does the hub keep to itself? Passwords, the signing key and the pepper of API keys, in one file.

`<data>/secrets.json`, mode 0600, made once and whole: two starts at the same moment end up with the same values.
Whoever loses it loses the sessions, the API keys and (with the embedded database) the way in, so it belongs into every
backup.
"""

import json
import os
import secrets
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from memoryhub.errors import HubError

FILE = "secrets.json"


class SecretsUnreadable(HubError):
    """The file is there, but can't be read or is not what was written."""

    code = "secrets_unreadable"


@dataclass(frozen=True)
class HubSecrets:
    """Every value is text that only this hub knows; `repr` shows none of it."""

    secret_key: str  # signs sessions, forms and queued wake-ups
    key_pepper: str  # keyed hash under which API keys are stored
    superuser_password: str  # embedded database only: extensions and roles
    owner_password: str  # embedded database only: migrations
    web_password: str  # the login role of web and worker

    def __repr__(self) -> str:
        return "HubSecrets(…)"

    @classmethod
    def fresh(cls) -> "HubSecrets":
        return cls(**{field.name: secrets.token_urlsafe(48) for field in fields(cls)})


def read(data: Path) -> HubSecrets | None:
    """The secrets of the hub in this data folder; None when no hub was ever started there."""
    path = data / FILE
    try:
        values = json.loads(path.read_text())
        return HubSecrets(**{field.name: str(values[field.name]) for field in fields(HubSecrets)})
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SecretsUnreadable(f"{path} can't be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SecretsUnreadable(f"{path} is damaged; put back the copy from your backup.") from error


def ensure(data: Path) -> tuple[HubSecrets, bool]:
    """The secrets of this data folder, made if missing; and whether they were made just now.

    A link that fails where a name exists, not a rename: whoever comes second takes what the first one wrote.
    """
    known = read(data)
    if known is not None:
        return known, False
    handle, name = tempfile.mkstemp(dir=data, prefix=".secrets-")  # mode 0600 from the start
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(asdict(HubSecrets.fresh()), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(name, data / FILE)
            made = True
        except FileExistsError:
            made = False
    finally:
        os.unlink(name)
    known = read(data)
    if known is None:
        raise SecretsUnreadable(f"{data / FILE} vanished while it was being made.")
    return known, made
