"""Where is a person signed in, and how does a visit end from somewhere else? Each session with when and roughly where.

A session lasts twelve hours from its beginning, whatever is done in it. Links to one's own page (R90) are visits of
nobody who signs in, so they stand in no list; they last an hour.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.sessions.models import Session
from django.db.models import Max
from django.http import HttpRequest

from accounts.attempts import caller_of
from accounts.models import User

SEEN: Final = "seen_at"  # session: when it was last noted that somebody is there
NOTED_EVERY: Final = timedelta(minutes=5)
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Windows", "Windows"), ("Mac OS", "a Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip
_BROWSERS: Final = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
                    ("Safari/", "Safari"))  # fmt: skip


@dataclass(frozen=True)
class Visit:
    """One session, as its person may know it."""

    pk: int
    begun: datetime
    seen: datetime
    browser: str
    address: str
    is_this: bool


def begin(request: HttpRequest, user: User, *, now: datetime) -> None:
    """Note a session that just began, and when it ends at the latest."""
    request.session.set_expiry(now + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    request.session[SEEN] = now.isoformat()
    UserSession.objects.create(
        session_key=request.session.session_key, user=user, ip=caller_of(request), created_at=now, last_seen_at=now,
        user_agent=request.META.get("HTTP_USER_AGENT", "")[:200],
    )  # fmt: skip


def seen(request: HttpRequest, *, now: datetime) -> None:
    """Note that somebody is there, every few minutes."""
    noted = request.session.get(SEEN)
    if noted is not None and now - datetime.fromisoformat(noted) < NOTED_EVERY:
        return
    request.session[SEEN] = now.isoformat()
    UserSession.objects.filter(session_key=request.session.session_key).update(last_seen_at=now)


def of(user: User, *, now: datetime, this: str | None = "") -> list[Visit]:
    """The sessions of a person that still open something, this one first, then by when somebody was last there."""
    rows = list(UserSession.objects.filter(user_id=user.pk).order_by("-last_seen_at", "-pk"))
    keys = [row.session_key for row in rows]
    alive = set(Session.objects.filter(session_key__in=keys, expire_date__gt=now).values_list("session_key", flat=True))
    UserSession.objects.filter(user_id=user.pk, session_key__in=set(keys) - alive).delete()
    visits = [
        Visit(row.pk, row.created_at, row.last_seen_at, browser_of(row.user_agent), row.ip, row.session_key == this)
        for row in rows
        if row.session_key in alive
    ]
    return sorted(visits, key=lambda visit: not visit.is_this)


def go_on(request: HttpRequest, user: User) -> None:
    """Keep this session, under a new key, although the password changed."""
    before = request.session.session_key
    update_session_auth_hash(request, user)
    UserSession.objects.filter(session_key=before).update(session_key=request.session.session_key)


def end(user: User, *, pk: int) -> bool:
    """End one session of this person; False: it is none of theirs, or ended before."""
    found = UserSession.objects.filter(user_id=user.pk, pk=pk).first()
    if found is not None:
        found.end()
    return found is not None


def end_all(user: User, *, but: str | None = None) -> int:
    """End every session of this person but the one with that key; how many there were."""
    rows = list(UserSession.objects.filter(user_id=user.pk).exclude(session_key=but or ""))
    for row in rows:
        row.end()
    return len(rows)


def last_seen(users: Sequence[User]) -> dict[object, datetime]:
    """When each of these people was last there, as far as it is known; in one query."""
    seen = UserSession.objects.filter(user__in=users).values_list("user").annotate(at=Max("last_seen_at")).order_by()
    known = dict(seen)
    for user in users:
        moments = [moment for moment in (known.get(user.pk), user.last_login) if moment is not None]
        if moments:
            known[user.pk] = max(moments)
    return known


def browser_of(agent: str) -> str:
    """A browser and a system, roughly; whatever a program sends of itself is not repeated."""
    browser = next((name for mark, name in _BROWSERS if re.search(re.escape(mark), agent)), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    if not browser:
        return f"A browser on {system}" if system else "A browser or program"
    return f"{browser} on {system}" if system else browser
