"""The settings that tests run with: production's own, on a data folder and a database made for this run.

The database is an embedded one, or with DATABASE_URL a database `test_<name>` on that server. Either way web and worker
connect as the web role, so that row-level security is real in every test.

Of several processes (`make test`) each reads this file, and has a data folder, a server and a database of its own. Their
secrets are those of the process that started them, for their databases begin as copies of one (tests/migrated.py).
"""

import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

#: A data folder whose embedded database runs and is migrated already (.ci/mutation.py); empty: one for this run.
PREPARED = os.environ.get("MEMORYHUB_TESTS_DATA", "")
DATA = Path(PREPARED or tempfile.mkdtemp(prefix="memoryhub-tests-")).resolve()
#: The server of DATABASE_URL, on which the test database is made; empty: embedded. Handed on to further processes.
ADMIN_URL = os.environ.setdefault("MEMORYHUB_TESTS_SERVER", os.environ.get("DATABASE_URL", ""))
#: Which of several processes this is: "gw0", "gw1" …; empty: the only one, or the one that starts the others.
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

#: The data folder of the process that started the run: this one's own, or handed on to further processes.
FIRST = Path(PREPARED or os.environ.setdefault("MEMORYHUB_TESTS_FIRST", str(DATA))).resolve()

# The tests' own: where recorded sessions lie, and the three above.
_OWN = {"MEMORYHUB_SHARED", "MEMORYHUB_TESTS_DATA", "MEMORYHUB_TESTS_SERVER", "MEMORYHUB_TESTS_FIRST"}
for name in [name for name in os.environ if name.startswith("MEMORYHUB_") and name not in _OWN] + ["PORT"]:
    os.environ.pop(name, None)
os.environ["MEMORYHUB_DATA_DIR"] = str(DATA)
os.environ["MEMORYHUB_DEMO"] = "0"
if ADMIN_URL:
    _parts = urlsplit(ADMIN_URL)
    _name = "_".join(filter(None, ("test", _parts.path.strip("/"), WORKER)))
    os.environ["DATABASE_URL"] = _parts._replace(path=f"/{_name}").geturl()

try:
    from memoryhub.providers import key_file, secrets_file

    if FIRST != DATA:
        for file in (secrets_file.FILE, key_file.FILE):
            shutil.copy2(FIRST / file, DATA / file)
    SECRETS, _ = secrets_file.ensure(DATA)
    key_file.ensure(DATA / key_file.FILE)
    from memoryhub.settings import *  # noqa: F403
except BaseException:
    if not PREPARED:
        shutil.rmtree(DATA, ignore_errors=True)
    raise

MEMORYHUB_RECORD_SECONDS = 20  # patience: a busy machine may take seconds over what it does; who tests a limit sets one
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # speed; nothing here is worth breaking into
