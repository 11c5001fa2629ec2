"""What identifies a row? UUIDv7: unguessable enough to be shown, ordered by time so that indexes stay compact."""

import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    """A new UUIDv7 (api.md: ids are UUIDv7 strings)."""
    return uuid_utils.compat.uuid7()
