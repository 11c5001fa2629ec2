"""What begins when somebody signs in, however they do? A session that is listed, and half an hour of fresh proof."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.utils import timezone

from accounts import sessions, step_up


@receiver(user_logged_in, dispatch_uid="accounts.signed-in")
def signed_in(request: Any, user: Any, **_: Any) -> None:
    """Note both."""
    now = timezone.now()
    step_up.proved(request, now)
    sessions.begin(request, user, now=now)
