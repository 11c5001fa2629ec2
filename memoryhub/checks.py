"""Can it start like this? Checks before a process serves: job paths, django-q2's numbers, the database role, keys, no
restore that is unfinished."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.utils.module_loading import import_string

from memoryhub import jobs
from memoryhub.models import MasterKey
from memoryhub.providers import restoring

OWNED = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tableowner = current_user"
ROLE = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"


@register()
def jobs_can_run(**_: Any) -> list[CheckMessage]:
    """Every job's path leads to a function: a wrong one is accepted in silence until a worker needs it."""
    problems: list[CheckMessage] = []
    asked = {path: path for path in (*jobs.SEEKERS, *jobs.TICKERS)}
    for kind, path in {**jobs.HANDLERS, "wake": jobs.WAKE, **asked}.items():
        try:
            found = import_string(path)
        except ImportError:
            problems.append(Error(f"The job '{kind}' names {path}, which does not exist.", id="memoryhub.E001"))
            continue
        if not callable(found):
            problems.append(Error(f"The job '{kind}' names {path}, which can't be called.", id="memoryhub.E001"))
    return problems


@register()
def retries_come_after_timeouts(**_: Any) -> list[CheckMessage]:
    """django-q2 hands a task out again after `retry`; before its timeout that would run it twice at once."""
    numbers: dict[str, Any] = settings.Q_CLUSTER
    retry, timeout = numbers.get("retry", 0), numbers.get("timeout", 0)
    if retry > timeout:
        return []
    return [Error(f"Q_CLUSTER: retry ({retry} s) has to be longer than timeout ({timeout} s).", id="memoryhub.E002")]


@register(Tags.database)
def role_is_held_by_row_level_security(**options: Any) -> list[CheckMessage]:
    """The role of web and worker is no superuser, owns no table and can't bypass row-level security (R30)."""
    problems: list[CheckMessage] = []
    for alias in options.get("databases") or []:
        if connections[alias].settings_dict["USER"] == settings.MEMORYHUB_LOGINS.owner.get("user"):
            continue  # migrations; they alone run as the owner, who may do all this
        with connections[alias].cursor() as cursor:
            cursor.execute(ROLE)
            superuser, bypasses = cursor.fetchone() or (False, False)
            cursor.execute(OWNED)
            (owned,) = cursor.fetchone() or (0,)
        faults = {
            "is a superuser": superuser,
            "may bypass row-level security": bypasses,
            f"owns {owned} tables": owned,
        }
        for fault in (words for words, is_so in faults.items() if is_so):
            hint = "Connect as a role that was made for the web process; `make run` makes one."
            problems.append(Error(f"The database role {fault}.", hint=hint, id="memoryhub.E003"))
    return problems


@register(Tags.database)
def nothing_is_served_too_early(**options: Any) -> list[CheckMessage]:
    """No restore is unfinished, and every key-encryption key that something is wrapped with is at hand."""
    problems: list[CheckMessage] = []
    for alias in options.get("databases") or []:
        with connections[alias].cursor() as cursor:
            tables = set(connections[alias].introspection.table_names(cursor))
            if restoring.TABLE in tables:
                problems.append(Error(restoring.UNFINISHED, id="memoryhub.E004"))
            if MasterKey._meta.db_table not in tables:
                continue  # not migrated yet
            cursor.execute(f"SELECT id FROM {MasterKey._meta.db_table}")
            used = {name for (name,) in cursor.fetchall()}
        missing = sorted(used - settings.MEMORYHUB_MASTER_KEYS.ids)
        if missing:
            hint = f"Put back the copy of {settings.MEMORYHUB_MASTER_KEYS.path} that is kept in escrow."
            problems.append(
                Error(f"The key-encryption key {', '.join(missing)} is missing.", hint=hint, id="memoryhub.E005")
            )
    return problems
