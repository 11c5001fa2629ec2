"""When is signing in not over with the password? When the person has a second factor."""

from allauth.mfa.stages import AuthenticateStage
from django.http import HttpResponse
from django.shortcuts import redirect


class SecondStep(AuthenticateStage):
    """Asks whoever has a second factor for it, on a page of ours."""

    urlname = "accounts:second-step"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        if not self._should_handle(self.request):
            return None, True
        return redirect(self.urlname), True
