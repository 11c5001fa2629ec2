"""Whom memories are about."""

import uuid
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.models import Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

STAFF = "Subjects are for curators and operators of this organisation."


@require_safe
def subject_list(request: PageRequest) -> HttpResponse:
    """What is remembered about all of them."""
    check_page(request.principal, "read_subjects", sentence=STAFF)
    return redirect("curation:memory-list")


@require_safe
def subject_item(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """What is remembered about one."""
    check_page(request.principal, "read_subjects", sentence=STAFF)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        subject = Subject.objects.filter(organisation_id=request.principal.organisation, pk=subject_id).first()
    if subject is None:
        raise NotFound
    return redirect(f"{reverse('curation:memory-list')}?{urlencode({'subject': subject.external_id})}")
