"""Members: who belongs here, in which role, and how they come and go (R15, R93)."""

import uuid
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import invitations, sessions, step_up
from accounts.models import Organisation, User
from curation.account_forms import NewMemberForm, NewPasswordForm, RoleForm
from curation.fragments import done, page, posted
from curation.middleware import open_to_all
from curation.paging import rows_after
from curation.refusals import check_page, told_in
from curation.signed_out import signed_off
from curation.visitor import PageRequest
from memoryhub.errors import Invalid
from memoryhub.governance import closing, members
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import MemberRole, SecondFactor

SECTION: Final = "members"
READERS: Final = "Members are for operators and auditors of this organisation."
OPERATORS: Final = "Only an operator changes who belongs here."
HOME: Final = "curation:member-list"


@require_safe
def member_list(request: PageRequest) -> HttpResponse:
    """Everybody who belongs here, first comers first."""
    check_page(request.principal, "read_members", sentence=READERS)
    return _list(request)


@require_POST
@step_up.required
def member_add(request: PageRequest) -> HttpResponse:
    """Let somebody in; who has no password yet is given a link, shown in this answer and never again."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    form = NewMemberForm(request.POST)
    with told_in(form):
        if form.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                added = members.add(**form.cleaned_data, by=request.principal, now=timezone.now())
            if added.token:
                return _link_once(request, added.person, added.token)
            return done(request, "They belong here now, and sign in as they did before.", url=_url(added.person))
    return _list(request, status=422, form=form)


@require_POST
@step_up.required
def second_factor_policy(request: PageRequest) -> HttpResponse:
    """Whether everybody who works here needs a second factor."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    required = request.POST.get("second_factor") == SecondFactor.REQUIRED
    with acting_for(request.principal, subjects=()):
        members.ask_for_second_factor(required=required, by=request.principal, now=timezone.now())
    words = (
        "From now on whoever works here sets up a second factor before anything else."
        if required
        else "A second factor is offered from now on, and asked of nobody who has none."
    )
    return done(request, words, url=reverse(HOME))


@require_safe
def member_item(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """One person: roles, how they sign in, and what an operator can do."""
    check_page(request.principal, "read_members", sentence=READERS)
    return _item(request, person_id)


@require_POST
@step_up.required
def role_give(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """One more role."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    form = RoleForm(request.POST)
    with told_in(form):
        if form.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                members.give_role(
                    person=_found(request, person_id), **form.cleaned_data, by=request.principal, now=timezone.now()
                )
            return done(request, "The role is given, from the next page they open.", url=_url_of(person_id))
    return _item(request, person_id, status=422, form=form)


@require_POST
@step_up.required
def role_end(request: PageRequest, person_id: uuid.UUID, role_id: uuid.UUID) -> HttpResponse:
    """Take one role away."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            person = _found(request, person_id)
            members.end_role(person=person, membership=role_id, by=request.principal, now=timezone.now())
            (left,) = members.told([person], organisation=request.principal.organisation)
    except Invalid as refusal:
        return _item(request, person_id, status=422, fault=refusal.faults[0])
    return done(
        request, "The role is taken away, from this moment on.", url=_url_of(person_id) if left.roles else reverse(HOME)
    )


@require_POST
@step_up.required
def member_end(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """They no longer belong here."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            person = _found(request, person_id)
            members.end(person=person, by=request.principal, now=timezone.now())
    except Invalid as refusal:
        return _item(request, person_id, status=422, fault=refusal.faults[0])
    return done(request, f"{person.email} no longer belongs here.", url=reverse(HOME))


@require_POST
@step_up.required
def account_close(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """They sign in nowhere any more, and their address is gone."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            closing.close(person=_found(request, person_id), by=request.principal, now=timezone.now())
    except Invalid as refusal:
        return _item(request, person_id, status=422, fault=refusal.faults[0])
    if person_id == request.user.pk:
        return signed_off(request)
    return done(request, "The account is closed, and its address is gone.", url=reverse(HOME))


@require_POST
@step_up.required
def sessions_end(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """Sign them out everywhere."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        ended = members.end_sessions(person=_found(request, person_id), by=request.principal, now=timezone.now())
    words = f"{ended} session{'' if ended == 1 else 's'} ended." if ended else "They were signed in nowhere."
    return done(request, words, url=_url_of(person_id))


@require_POST
@step_up.required
def link_new(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """A link with which they set a password anew, shown in this answer and never again."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            person = _found(request, person_id)
            token = members.new_link(person=person, by=request.principal, now=timezone.now())
    except Invalid as refusal:
        return _item(request, person_id, status=422, fault=refusal.faults[0])
    return _link_once(request, person, token)


@require_POST
@step_up.required
def second_factor_end(request: PageRequest, person_id: uuid.UUID) -> HttpResponse:
    """They lost it: the password alone is enough until they set up another."""
    check_page(request.principal, "change_members", sentence=OPERATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            members.take_second_factor(person=_found(request, person_id), by=request.principal, now=timezone.now())
    except Invalid as refusal:
        return _item(request, person_id, status=422, fault=refusal.faults[0])
    return done(request, "They sign in with their password alone until they set up another.", url=_url_of(person_id))


@open_to_all
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: PageRequest, token: str) -> HttpResponse:
    """Set a password by a link that works once; opening it changes nothing."""
    person = members.invited(token)
    form = NewPasswordForm(posted(request))
    if person is not None and request.method == "POST":
        with told_in(form):
            if form.is_valid():
                person = members.accept(token=token, password=form.cleaned_data["password"], now=timezone.now())
                if person is not None:
                    return done(request, "Your password is set. Sign in with it.", url=reverse("accounts:sign-in"))
    if person is None:
        return page(request, "curation/members/welcome.html", {"person": None}, status=404)
    status = 422 if request.method == "POST" else 200
    return page(request, "curation/members/welcome.html", {"person": person, "form": form}, status=status)


def _list(request: PageRequest, *, status: int = 200, form: NewMemberForm | None = None) -> HttpResponse:
    by = request.principal
    with acting_for(by, subjects=ALL_SUBJECTS):
        people = User.objects.filter(memberships__organisation_id=by.organisation).distinct()
        paged = rows_after(people.order_by("created_at", "id"), request.GET.get("after", ""), field="created_at")
        context: dict[str, Any] = {
            "section": SECTION,
            "members": members.told(paged.rows, organisation=by.organisation),
            "after": paged.after,
            "organisation": Organisation.objects.get(pk=by.organisation),
            "required": SecondFactor.REQUIRED,
            "without": members.without_second_factor(by.organisation),
            "may_change": can_do(by, "change_members"),
            "form": form or NewMemberForm(),
            "faulty": form is not None,
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/members/list.html", context, status=status)


def _item(
    request: PageRequest, person_id: uuid.UUID, *, status: int = 200, form: RoleForm | None = None, fault: str = ""
) -> HttpResponse:
    by = request.principal
    with acting_for(by, subjects=ALL_SUBJECTS):
        person = _found(request, person_id)
        (member,) = members.told([person], organisation=by.organisation)
    context = {
        "section": SECTION,
        "member": member,
        "signed_in": len(sessions.of(person, now=timezone.now())),
        "customer": MemberRole.CUSTOMER,
        "may_change": can_do(by, "change_members"),
        "form": form or RoleForm(),
        "faulty": form is not None,
        "fault": fault,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/members/item.html", context, status=status)


def _found(request: PageRequest, person_id: uuid.UUID) -> User:
    return members.person_of(person_id=person_id, organisation=request.principal.organisation)


def _link_once(request: PageRequest, person: User, token: str) -> HttpResponse:
    """The link in the answer to the POST that made it: not in the session, a message, a log or an address."""
    context = {
        "section": SECTION, "person": person, "days": invitations.LIFETIME.days,
        "url": request.build_absolute_uri(reverse("curation:welcome", args=[token])),
    }  # fmt: skip
    return page(request, "curation/members/link.html", context, status=201)


def _url(person: User) -> str:
    return _url_of(person.pk)


def _url_of(person_id: uuid.UUID) -> str:
    return reverse("curation:member-item", args=[person_id])
