"""In which time zone are days counted? One that is not known is passed over (api.md, habits)."""

import zoneinfo
from datetime import UTC, datetime, time, timedelta, tzinfo

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


def slot_of_day(at: time, zone: tzinfo, *, now: datetime) -> datetime:
    """The last time it was that time of day there."""
    today = now.astimezone(zone).date()
    slot = datetime.combine(today, at, tzinfo=zone).astimezone(UTC)  # compared in UTC: an hour can come twice
    if slot > now:
        slot = datetime.combine(today - timedelta(days=1), at, tzinfo=zone).astimezone(UTC)
    return slot
