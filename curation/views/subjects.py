"""Stub."""

import uuid

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from curation.fragments import page
from curation.visitor import PageRequest


@require_safe
def subject_list(request: PageRequest) -> HttpResponse:
    return page(request, "curation/home/no_place.html", {})


@require_safe
def subject_item(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    return page(request, "curation/home/no_place.html", {})
