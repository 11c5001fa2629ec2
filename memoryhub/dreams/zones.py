"""In which time zone are a subject's days counted?"""

import zoneinfo
from datetime import tzinfo

from memoryhub.models import Subject


def zone_of(subject: Subject) -> tzinfo:
    """The subject's, else the organisation's, else UTC (api.md, habits); one that is not known is passed over."""
    for name in (subject.timezone, subject.organisation.timezone):
        if name:
            try:
                return zoneinfo.ZoneInfo(name)
            except (zoneinfo.ZoneInfoNotFoundError, ValueError):
                continue
    return zoneinfo.ZoneInfo("UTC")
