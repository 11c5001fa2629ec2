"""Your account: how you sign in, and where you are signed in. Only one's own; what operators do is in members.py."""

from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import attempts, second_factor, sessions, step_up
from accounts.models import User
from curation.account_forms import CLOSE_WORD, ChangePasswordForm, CloseAccountForm, CodeForm, PasskeyForm
from curation.fragments import done, page, posted
from curation.middleware import open_without_second_factor
from curation.refusals import told_in
from curation.signed_out import signed_off
from curation.visitor import PageRequest
from memoryhub.errors import NotGranted
from memoryhub.governance import account as verbs
from memoryhub.governance import closing
from memoryhub.tenancy import acting_for

SECTION: Final = "account"
HOME: Final = "curation:account"


@open_without_second_factor
@require_safe
def account(request: PageRequest) -> HttpResponse:
    """Password, second factor and sessions of whoever looks."""
    person = _me(request)
    context = {
        "section": SECTION,
        "person": person,
        "held": second_factor.of(person),
        "visits": sessions.of(person, now=timezone.now(), this=request.session.session_key),
        "required": request.visitor.lacks_second_factor,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/account/page.html", context)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: PageRequest) -> HttpResponse:
    """Another password, which ends all other sessions."""
    person = _me(request)
    form = ChangePasswordForm(posted(request))
    if request.method == "POST":
        with told_in(form):
            if form.is_valid() and _is_the_old_one(request, person, form):
                with acting_for(request.principal, subjects=()):
                    verbs.set_password(
                        person=person, password=form.cleaned_data["password"], by=request.principal,
                        now=timezone.now(), keep=request.session.session_key,
                    )  # fmt: skip
                sessions.go_on(request, person)
                return done(
                    request, "Your password is changed. Wherever else you were signed in, you no longer are.",
                    url=reverse(HOME),
                )  # fmt: skip
    status = 422 if request.method == "POST" else 200
    return page(request, "curation/account/password.html", {"section": SECTION, "form": form}, status=status)


@open_without_second_factor
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
def app_add(request: PageRequest) -> HttpResponse:
    """Set up an app: the secret as a picture and as text; kept once a code of it came back."""
    person = _me(request)
    if request.method != "POST":
        offer = second_factor.offer(person)
        form = CodeForm(initial={"sealed": offer.sealed})
        return page(request, "curation/account/app.html", {"section": SECTION, "offer": offer, "form": form})
    form = CodeForm(request.POST)
    known = second_factor.offered(person, request.POST.get("sealed", ""))
    if known is None:
        return done(request, "That page was too old. Begin again here.", url=request.path, warning=True)
    with told_in(form):
        if form.is_valid():
            with acting_for(request.principal, subjects=()):
                codes = verbs.keep_app(
                    person=person, offer=known, code=form.cleaned_data["code"], by=request.principal,
                    now=timezone.now(),
                )  # fmt: skip
            return _kept(request, "Your app is set up: its codes are asked for when you sign in.", codes)
    context = {"section": SECTION, "offer": known, "form": form}
    return page(request, "curation/account/app.html", context, status=422)


@open_without_second_factor
@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
def passkey_add(request: PageRequest) -> HttpResponse:
    """Set up a passkey: the browser makes it."""
    person = _me(request)
    form = PasskeyForm(posted(request))
    if request.method == "POST":
        with told_in(form):
            if form.is_valid():
                with acting_for(request.principal, subjects=()):
                    codes = verbs.keep_passkey(
                        person=person, credential=form.cleaned_data["credential"], name=form.cleaned_data["name"],
                        by=request.principal, now=timezone.now(),
                    )  # fmt: skip
                return _kept(request, "Your passkey is set up: it is asked for when you sign in.", codes)
    context = {"section": SECTION, "form": form, "question": second_factor.new_passkey(person)}
    status = 422 if request.method == "POST" else 200
    return page(request, "curation/account/passkey.html", context, status=status)


@require_POST
@step_up.required
def factor_remove(request: PageRequest, factor: int) -> HttpResponse:
    """Sign in without this app or passkey."""
    person = _me(request)
    with acting_for(request.principal, subjects=()):
        verbs.remove_factor(person=person, pk=factor, by=request.principal, now=timezone.now())
    return done(request, "It is not asked for any more.", url=reverse(HOME))


@open_without_second_factor
@require_POST
@step_up.required
def codes_new(request: PageRequest) -> HttpResponse:
    """New recovery codes, shown in this answer and never again."""
    person = _me(request)
    with acting_for(request.principal, subjects=()):
        codes = verbs.new_codes(person=person, by=request.principal, now=timezone.now())
    return _shown_once(request, codes)


@open_without_second_factor
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required_to_send
def close(request: PageRequest) -> HttpResponse:
    """Close the account for good, after a word is typed; what is remembered about them is another matter."""
    person = _me(request)
    form = CloseAccountForm(posted(request))
    if request.method == "POST":
        with told_in(form):
            if form.is_valid():
                with acting_for(request.principal, subjects=()):
                    closing.close_own(person=person, by=request.principal, now=timezone.now())
                return signed_off(request)
    context = {
        "section": SECTION, "form": form, "person": person, "word": CLOSE_WORD, "subject": request.visitor.subject,
    }  # fmt: skip
    return page(request, "curation/account/close.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def session_end(request: PageRequest, session: int) -> HttpResponse:
    """End one session."""
    person = _me(request)
    with acting_for(request.principal, subjects=()):
        verbs.end_session(person=person, pk=session, by=request.principal, now=timezone.now())
    return done(request, "That session ended.", url=f"{reverse(HOME)}#sessions")


@require_POST
def sessions_end(request: PageRequest) -> HttpResponse:
    """End every session but this one."""
    person = _me(request)
    with acting_for(request.principal, subjects=()):
        ended = verbs.end_sessions(
            person=person, by=request.principal, now=timezone.now(), keep=request.session.session_key
        )
    words = f"{ended} other session{'' if ended == 1 else 's'} ended." if ended else "There was no other session."
    return done(request, words, url=f"{reverse(HOME)}#sessions")


def _me(request: PageRequest) -> User:
    """Whoever is signed in. Raises NotGranted for somebody who came by a link: they have no account."""
    if not isinstance(request.user, User):
        raise NotGranted("This page is for people who sign in. You came by a link, which needs no account.")
    return request.user


def _is_the_old_one(request: PageRequest, person: User, form: ChangePasswordForm) -> bool:
    who = {"email": person.email, "caller": attempts.caller_of(request)}
    if not attempts.may_try(**who):
        form.add_error("old", attempts.WAIT)
    elif not person.check_password(form.cleaned_data["old"]):
        form.add_error("old", "That is not the password you have now.")
    else:
        attempts.forget(**who)
        return True
    return False


def _kept(request: PageRequest, sentence: str, codes: list[str]) -> HttpResponse:
    if codes:
        return _shown_once(request, codes, sentence=sentence)
    return done(request, sentence, url=reverse(HOME))


def _shown_once(request: PageRequest, codes: list[str], *, sentence: str = "") -> HttpResponse:
    context: dict[str, Any] = {"section": SECTION, "codes": codes, "sentence": sentence}
    return page(request, "curation/account/codes.html", context, status=201)
