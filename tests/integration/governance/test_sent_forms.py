"""A form that makes something new is obeyed once, in whatever process; what is refused leaves it as it was."""

from datetime import timedelta

import pytest
from django.db import transaction

from memoryhub import conf
from memoryhub.errors import NotGranted
from memoryhub.governance import sent_forms
from memoryhub.models import SentForm
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.governance.test_deciding_otherwise import as_


def test_a_token_is_good_once_for_one_person(ground: Ground) -> None:
    token = sent_forms.token()
    assert as_(ground.as_operator, sent_forms.spend, token=token)
    assert not as_(ground.as_operator, sent_forms.spend, token=token)
    assert as_(ground.as_operator, sent_forms.spend, token=sent_forms.token())
    assert as_(ground.as_dee, sent_forms.spend, token=token)
    assert as_(make_ground().as_operator, sent_forms.spend, token=token)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert not SentForm.objects.filter(token=token).exists(), "it is kept as a digest"
    with pytest.raises(NotGranted):
        as_(ground.as_agent, sent_forms.spend, token=token)


def test_what_is_rolled_back_spends_nothing(ground: Ground) -> None:
    token = sent_forms.token()
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS), transaction.atomic():
        assert sent_forms.spend(token, by=ground.as_operator, now=NOW)
        transaction.set_rollback(True)
    assert as_(ground.as_operator, sent_forms.spend, token=token)


def test_tokens_of_pages_that_nobody_has_open_any_more_go(ground: Ground) -> None:
    as_(ground.as_operator, sent_forms.spend, token="one")
    as_(ground.as_operator, sent_forms.spend, token="two", now=NOW + conf.SENT_FORMS_KEPT + timedelta(seconds=1))
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert SentForm.objects.count() == 1
