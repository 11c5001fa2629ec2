"""How is this hub set up? Everything Django needs, read from the environment with defaults that serve on one machine.

The variables are listed in docs/operations.md; a value that can't be used fails at start with a sentence.
No file is written here: `make run` makes the data folder and its secrets (management/launcher.py).
"""

import os
import secrets as random
import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from memoryhub import conf
from memoryhub.errors import KeysUnusable
from memoryhub.providers import database, key_file, secrets_file
from memoryhub.providers.environment import choice as _choice
from memoryhub.providers.environment import endpoint as _endpoint
from memoryhub.providers.environment import file as _file
from memoryhub.providers.environment import first_line as _first_line
from memoryhub.providers.environment import flag as _flag
from memoryhub.providers.environment import folders as _folders
from memoryhub.providers.environment import number as _number
from memoryhub.providers.environment import text as _text
from memoryhub.providers.environment import texts as _list

BASE_DIR = Path(__file__).resolve().parent.parent

# The hub's own -----------------------------------------------------------------------------------------------------
MEMORYHUB_DATA_DIR = Path(_text("MEMORYHUB_DATA_DIR", str(BASE_DIR / ".data"))).expanduser().resolve()
MEMORYHUB_HOST = _text("MEMORYHUB_HOST", "127.0.0.1")
MEMORYHUB_PORT = _number("PORT", 8000, least=1, most=65535)
MEMORYHUB_DEMO = _flag("MEMORYHUB_DEMO", True)
MEMORYHUB_RATE = _number("MEMORYHUB_RATE", 0, least=0, most=1_000_000)  # requests a minute per key; 0: no limit
MEMORYHUB_EMBEDDING_MODEL = _text("MEMORYHUB_EMBEDDING_MODEL")  # empty: the packaged one; a folder; or `hashing`
MEMORYHUB_ENTAILMENT_MODEL = _text("MEMORYHUB_ENTAILMENT_MODEL")  # empty: the packaged one; a folder; or `off`
MEMORYHUB_RECORD_HOSTS = frozenset(_list("MEMORYHUB_RECORD_HOSTS"))  # of inner networks, which records may be read from
MEMORYHUB_RECORD_ROOTS = _folders("MEMORYHUB_RECORD_ROOTS")  # where files of records may lie; none: nowhere
MEMORYHUB_RECORD_SECONDS = _number("MEMORYHUB_RECORD_SECONDS", 2, least=1, most=30)  # for all one call asks
MEMORYHUB_RECORD_FRESH = _number("MEMORYHUB_RECORD_FRESH", 300, least=0, most=86_400)  # seconds a reading is believed
MEMORYHUB_WEBHOOK_HOSTS = frozenset(_list("MEMORYHUB_WEBHOOK_HOSTS"))  # of inner networks, which notices may go to
MEMORYHUB_PUBLIC_URL = _endpoint("MEMORYHUB_PUBLIC_URL") or f"http://127.0.0.1:{MEMORYHUB_PORT}"  # for links in mails
# After how many days no backup is left: receipts say so (R91). Whoever keeps backups for longer says it here.
MEMORYHUB_BACKUP_DAYS = _number("MEMORYHUB_BACKUP_DAYS", conf.BACKUP_DAYS, least=0, most=3650)
MEMORYHUB_EXTRACTOR_URL = _endpoint("MEMORYHUB_EXTRACTOR_URL")  # base of an OpenAI-compatible API; empty: no model
MEMORYHUB_EXTRACTOR_MODEL = _text("MEMORYHUB_EXTRACTOR_MODEL")
MEMORYHUB_EXTRACTOR_KEY_FILE = _file("MEMORYHUB_EXTRACTOR_KEY_FILE")  # None: it needs no key
MEMORYHUB_EXTRACTOR_SECONDS = _number("MEMORYHUB_EXTRACTOR_SECONDS", conf.EXTRACTOR_SECONDS, least=1, most=60)
if MEMORYHUB_EXTRACTOR_URL and not MEMORYHUB_EXTRACTOR_MODEL:
    raise ImproperlyConfigured(
        "MEMORYHUB_EXTRACTOR_MODEL is empty; name the model to ask at MEMORYHUB_EXTRACTOR_URL, or unset that."
    )
MEMORYHUB_INTENT_URL = _endpoint("MEMORYHUB_INTENT_URL")  # the same, for what a customer wanted; empty: no model
MEMORYHUB_INTENT_MODEL = _text("MEMORYHUB_INTENT_MODEL")
MEMORYHUB_INTENT_KEY_FILE = _file("MEMORYHUB_INTENT_KEY_FILE")
MEMORYHUB_INTENT_SECONDS = _number("MEMORYHUB_INTENT_SECONDS", conf.EXTRACTOR_SECONDS, least=1, most=60)
if MEMORYHUB_INTENT_URL and not MEMORYHUB_INTENT_MODEL:
    raise ImproperlyConfigured(
        "MEMORYHUB_INTENT_MODEL is empty; name the model to ask at MEMORYHUB_INTENT_URL, or unset that."
    )
# Where a model's export is kept: with the environment, so that every data folder shares it, else with the data.
_models = Path(sys.prefix) / "share" / "memoryhub-models"
MEMORYHUB_MODEL_CACHE = _models if os.access(sys.prefix, os.W_OK) else MEMORYHUB_DATA_DIR / "models"
MEMORYHUB_HTTPS = _flag("MEMORYHUB_HTTPS", False)  # behind a proxy that terminates TLS and sets X-Forwarded-Proto

try:
    _secrets = secrets_file.read(MEMORYHUB_DATA_DIR)
    MEMORYHUB_LOGINS = database.logins(
        MEMORYHUB_DATA_DIR, _secrets, url=_text("DATABASE_URL"), web_url=_text("MEMORYHUB_WEB_DATABASE_URL")
    )
except (database.DatabaseUnusable, secrets_file.SecretsUnreadable) as error:
    raise ImproperlyConfigured(error.detail) from error

# The subjects' own keys are wrapped with these; the file lies anywhere but in the database and beside its backups.
_key_path = Path(_text("MEMORYHUB_KEY_FILE", str(MEMORYHUB_DATA_DIR / key_file.FILE))).expanduser().resolve()
try:
    MEMORYHUB_MASTER_KEYS = key_file.MasterKeys(_key_path)
except KeysUnusable as error:
    raise ImproperlyConfigured(error.detail) from error

# What was erased, kept outside the database too, so that an older backup that is put back knows of it.
MEMORYHUB_ERASURE_LEDGER = (
    Path(_text("MEMORYHUB_ERASURE_LEDGER", str(MEMORYHUB_DATA_DIR / "erasures.jsonl"))).expanduser().resolve()
)
MEMORYHUB_PG_BIN = _text("MEMORYHUB_PG_BIN")  # folder of pg_dump and pg_restore; empty: the wheel's, then the path's
try:
    MEMORYHUB_BACKUP_LOGIN = (  # of a role that sees all rows; empty: the administrator's
        database.parse(_text("MEMORYHUB_BACKUP_DATABASE_URL"), setting="MEMORYHUB_BACKUP_DATABASE_URL")
        if _text("MEMORYHUB_BACKUP_DATABASE_URL")
        else {}
    )
except database.DatabaseUnusable as error:
    raise ImproperlyConfigured(error.detail) from error

MEMORYHUB_STARTED_ONCE = _secrets is not None  # else secrets are made up for this process, for checks without data
MEMORYHUB_KEY_PEPPER = _secrets.key_pepper if _secrets else random.token_urlsafe(48)
SECRET_KEY = _secrets.secret_key if _secrets else random.token_urlsafe(48)

# Which part of the hub this process is; set by the launcher for its children, never by hand.
_PROCESS = _choice("MEMORYHUB_PROCESS", "command", "web", "worker")
_ROLE = _choice("MEMORYHUB_DATABASE_ROLE", "web", "owner")  # owner: migrations only

# Django ------------------------------------------------------------------------------------------------------------
DEBUG = False
ROOT_URLCONF = "memoryhub.urls"
WSGI_APPLICATION = "memoryhub.wsgi.application"
ASGI_APPLICATION = "memoryhub.asgi.application"
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ALLOWED_HOSTS = [
    *{"localhost", "127.0.0.1", "[::1]"},
    *([MEMORYHUB_HOST] if MEMORYHUB_HOST not in ("0.0.0.0", "::", "127.0.0.1", "localhost") else []),
    *_list("MEMORYHUB_ALLOWED_HOSTS"),
]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in _list("MEMORYHUB_ALLOWED_HOSTS") if MEMORYHUB_HTTPS]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "django_q",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "memoryhub",
    "curation",
]

MIDDLEWARE = [
    "memoryhub.headers.SecurityHeaders",  # outermost: every answer carries them, errors and static files too
    "memoryhub.api.paths.KeepSegments",  # "team%2F2" in an API path stays one segment
    "django.middleware.security.SecurityMiddleware",
    "memoryhub.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "curation.middleware.PageVisitor",
]
APPEND_SLASH = False  # paths are exact; a redirect would lose the body of a POST

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials"],
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
        },
    }
]

# Database: one alias, as the web role; migrations alone connect as the owner ------------------------------------------
_login = dict(MEMORYHUB_LOGINS.owner if _ROLE == "owner" else MEMORYHUB_LOGINS.web)
_database: dict[str, Any] = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": _login.pop("dbname", ""),
    "USER": _login.pop("user", ""),
    "PASSWORD": _login.pop("password", ""),
    "HOST": _login.pop("host", ""),
    "PORT": _login.pop("port", ""),
    "OPTIONS": _login
    | {
        # Django's own statements hold their values and are never prepared. Those of recall/planned.py are, once and for
        # all: left to itself PostgreSQL would plan them anew each time (docs/adr/0016).
        "prepare_threshold": 5,
        "options": f"{_login.get('options', '')} -c plan_cache_mode=force_generic_plan".strip(),
    },
    "CONN_MAX_AGE": 0,
    "ATOMIC_REQUESTS": False,  # tenancy.acting_for opens the transaction, with the identity inside
}
if _PROCESS == "web":
    # Requests are many threads (one_thread.py): without a pool each would keep a connection of its own.
    _database["CONN_HEALTH_CHECKS"] = True  # a connection that died with a restarted database is noticed and replaced
    _database["OPTIONS"] |= {"pool": {"min_size": 2, "max_size": 12, "timeout": 10, "name": "web"}}
DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Time and language -------------------------------------------------------------------------------------------------
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = True

# Files: straight from the app folders unless `collectstatic` was run, then hashed and compressed ----------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
_static = BASE_DIR / ".static"
_collected = (_static / "staticfiles.json").is_file()
STATIC_ROOT = _static if _collected or "collectstatic" in sys.argv else None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # nothing is uploaded to keep
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if _collected
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not _collected
WHITENOISE_AUTOREFRESH = False

# Input -------------------------------------------------------------------------------------------------------------
DATA_UPLOAD_MAX_MEMORY_SIZE = conf.MAX_BODY_BYTES + 64 * 1024  # the API itself refuses above MAX_BODY_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000

# Sessions and headers (memoryhub.headers has the rest) ---------------------------------------------------------------
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = MEMORYHUB_HTTPS
SESSION_COOKIE_NAME = "__Host-hub" if MEMORYHUB_HTTPS else "hub"
CSRF_FAILURE_VIEW = "curation.signed_out.form_refused"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = MEMORYHUB_HTTPS
CSRF_COOKIE_NAME = "__Host-hub-form" if MEMORYHUB_HTTPS else "hub-form"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if MEMORYHUB_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if MEMORYHUB_HTTPS else None
X_FRAME_OPTIONS = "DENY"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Signing in, by django-allauth (docs/adr/0024). Its own limits and its asking anew are off: accounts/attempts.py is the
# one rule for guesses, accounts/step_up.py the one for fresh proof. Nobody signs up, nothing is mailed.
ACCOUNT_ADAPTER = "accounts.adapter.SigningIn"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_ENABLED = False
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_RATE_LIMITS = False
MFA_ADAPTER = "accounts.adapter.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_REAUTHENTICATION_REQUIRED = False
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RATE_LIMITS = False
MFA_TOTP_ISSUER = "Memory Hub"
MFA_TOTP_TOLERANCE = 1  # steps of 30 s that a phone's clock may be off
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not MEMORYHUB_HTTPS  # localhost: browsers offer no passkeys over any other http

# REST --------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["memoryhub.api.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memoryhub.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
_WORDS = (
    "Kind",
    "Category",
    "Status",
    "SkillStatus",
    "DreamStatus",
    "SubjectKind",
    "Reason",
    "PolicyMode",
    "ReviewType",
)
SPECTACULAR_SETTINGS = {
    "TITLE": "Memory Hub",
    "DESCRIPTION": "What AI agents remember, and who governs it.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",  # whose schemas are plain JSON Schema, so that tests can hold answers against them
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        word: f"memoryhub.vocabulary.{word}"  # one name in the document, however many fields use it
        for word in _WORDS
    },
}

# Background work: django-q2 only wakes a runner; jobs.py owns the jobs --------------------------------------------
Q_CLUSTER = {
    "name": "memoryhub",
    "orm": "default",
    "workers": 1,  # the model is loaded once
    "timeout": 300,
    "retry": 360,  # longer than the timeout, or a running task would be handed out again
    "queue_limit": 1,  # a prefetched task waits on its lock
    "bulk": 1,
    "max_attempts": 3,
    "ack_failures": True,  # the job table decides what is tried again
    "catch_up": False,
    "save_limit": 1000,
    "recycle": 2000,  # wake-ups before the worker starts afresh, model included
    "max_rss": 1_500_000,  # kB; a worker with the model takes about 600 MB
    "poll": 0.5,
    "log_level": "WARNING",
}

# Mail: what waits for a curator; off unless it says from whom ---------------------------------------------------------
DEFAULT_FROM_EMAIL = _text("MEMORYHUB_MAIL_FROM")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if DEFAULT_FROM_EMAIL else 'dummy'}.EmailBackend"
EMAIL_HOST = _text("MEMORYHUB_MAIL_HOST", "localhost")
EMAIL_PORT = _number("MEMORYHUB_MAIL_PORT", 25, least=1, most=65535)
EMAIL_HOST_USER = _text("MEMORYHUB_MAIL_USER")
EMAIL_HOST_PASSWORD = _first_line("MEMORYHUB_MAIL_PASSWORD_FILE")
EMAIL_USE_SSL = _choice("MEMORYHUB_MAIL_TLS", "off", "starttls", "tls") == "tls"
EMAIL_USE_TLS = _choice("MEMORYHUB_MAIL_TLS", "off", "starttls", "tls") == "starttls"
EMAIL_TIMEOUT = 20  # seconds

# Logs: to stderr, and what they say about a request is its route and status, never its path or content ---------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"route_only": {"()": "memoryhub.logs.RouteOnly"}},
    "formatters": {
        "line": {
            "()": "memoryhub.logs.WithoutValues",
            "format": f"{{asctime}} {{levelname:<7}} {_PROCESS:<7} {{name}}: {{message}}",
            "style": "{",
        }
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["route_only"]},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        "django-q": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "httpx": {"level": "WARNING"},
        "sentence_transformers": {"level": "WARNING"},
        "transformers": {"level": "ERROR"},
    },
}
