"""In which time zone are days counted? One that is not known is passed over (api.md, habits)."""

import zoneinfo
from datetime import tzinfo

from memoryhub.models import Subject


def named(zone: str) -> tzinfo | None:
    """The zone of this name; None where there is none."""
    try:
        return zoneinfo.ZoneInfo(zone) if zone else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return None


def first_of(*zones: str) -> tzinfo:
    """The first of these that is known, else UTC."""
    return next((found for zone in zones if (found := named(zone)) is not None), zoneinfo.ZoneInfo("UTC"))


def zone_of(subject: Subject) -> tzinfo:
    """The subject's zone, else the organisation's, else UTC."""
    return first_of(subject.timezone, subject.organisation.timezone)
