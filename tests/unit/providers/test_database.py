"""Who connects as what, worked out from the settings; the roles themselves are tested on a real server."""

from pathlib import Path

import pytest

from memoryhub.providers import database
from memoryhub.providers.database import DatabaseUnusable
from memoryhub.providers.secrets_file import HubSecrets

SECRETS = HubSecrets("sign", "pepper", "super", "own", "web")


def test_embedded_each_login_has_its_own_role_and_password() -> None:
    logins = database.logins(Path("/srv/hub"), SECRETS)
    assert logins.embedded
    assert logins.administrator["host"] == logins.owner["host"] == logins.web["host"] == "/srv/hub/postgres"
    assert [(login["user"], login["password"]) for login in (logins.administrator, logins.owner, logins.web)] == [
        ("postgres", "super"),
        ("memoryhub_owner", "own"),
        ("memoryhub_web", "web"),
    ]


def test_a_long_path_moves_the_socket_but_not_the_data() -> None:
    data = Path("/srv") / ("long" * 30)
    assert database.embedded_folder(data) == data / "postgres"
    assert database.socket_folder(data).parent == Path("/tmp")
    assert database.socket_folder(data) == database.socket_folder(data)
    assert database.socket_folder(data) != database.socket_folder(data / "other")


def test_a_url_names_the_owner_and_the_web_role_follows_the_database() -> None:
    logins = database.logins(Path("/d"), SECRETS, url="postgresql://ann:secret@db.example:6543/shop?sslmode=require")
    assert not logins.embedded
    assert logins.owner == logins.administrator
    assert (logins.owner["user"], logins.owner["password"]) == ("ann", "secret")
    assert (logins.web["user"], logins.web["password"]) == ("shop_web", "web")
    assert (logins.web["host"], logins.web["port"], logins.web["sslmode"]) == ("db.example", "6543", "require")


def test_a_role_made_by_hand_is_taken_as_it_is() -> None:
    logins = database.logins(Path("/d"), SECRETS, url="postgres://ann@h/shop", web_url="postgres://desk:pw@h/shop")
    assert logins.web_by_hand
    assert (logins.web["user"], logins.web["password"]) == ("desk", "pw")


def test_a_long_database_name_leaves_room_for_the_roles_ending() -> None:
    role = database.web_role_of("ж" * 40)
    assert len(role.encode()) <= 63
    assert role.endswith("_web")


@pytest.mark.parametrize(
    "url", ["mysql://u:hidden@h/x", "postgresql://u:hidden@h:port/x", "http://", "postgresql://u:hidden@h/x?no=such"]
)
def test_a_url_that_cannot_be_read_is_not_repeated(url: str) -> None:
    with pytest.raises(DatabaseUnusable) as caught:
        database.logins(Path("/d"), SECRETS, url=url)
    assert "hidden" not in str(caught.value)


def test_a_url_without_a_database_is_refused() -> None:
    with pytest.raises(DatabaseUnusable, match="names no database"):
        database.logins(Path("/d"), SECRETS, url="postgresql://ann@host/")


def test_before_the_first_start_nobody_has_a_password() -> None:
    assert database.logins(Path("/d"), None).web["password"] == ""
