"""An address that leads nowhere."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_stranger_reads_that_there_is_nothing_here(client: Client) -> None:
    answer = client.get("/nowhere/at/all/")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()
