"""Who is who? Organisations, people, memberships, agents and their keys. Imports nothing of ours.

Every table with an organisation is under forced row-level security (migration 0002_row_level_security).
"""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.ids import new_id


class Organisation(models.Model):
    """A tenant. `timezone` is the last resort for dates without a zone (api.md, habits)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    timezone = models.CharField(max_length=64, default="UTC")
    demo = models.BooleanField(default=False)
    second_factor = models.CharField(
        max_length=10, default="offered", help_text="whether those who work here need one to sign in (docs/adr/0024)"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class UserManager(BaseUserManager["User"]):
    """Makes people; e-mail addresses are compared without case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in. What they may do is said by their memberships, never by a flag here."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"

    def __str__(self) -> str:
        return self.email


class Membership(models.Model):
    """A person's role in an organisation; a customer's membership names the subject they are."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20)
    subject = models.CharField(max_length=200, blank=True, help_text="external id of the person this customer is")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation", "user", "role", "subject"], name="membership_once"),
            models.CheckConstraint(
                condition=~Q(role="customer") | ~Q(subject=""), name="membership_customer_has_subject"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class Agent(models.Model):
    """A program with keys; its tools, signals, profile and policy are in memoryhub.models.agent."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="agents")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    owner = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="agents")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["organisation", "slug"], name="agent_slug_once")]

    def __str__(self) -> str:
        return self.slug


class Key(models.Model):
    """An API key: only its lookup part and a keyed hash are stored (R110; security.md section 3)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="keys")
    name = models.CharField(max_length=200)
    roles = ArrayField(models.CharField(max_length=20))
    agent = models.ForeignKey(Agent, null=True, blank=True, on_delete=models.CASCADE, related_name="keys")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="keys")
    subject = models.CharField(max_length=200, blank=True, help_text="external id this key is bound to, if any")
    lookup = models.CharField(max_length=12, unique=True)
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(roles=[]), name="key_has_roles"),
            models.CheckConstraint(
                condition=~Q(roles__contains=["agent"]) | Q(agent__isnull=False), name="key_agent_role_has_agent"
            ),
            models.CheckConstraint(
                condition=~Q(roles__contains=["curator"]) | Q(user__isnull=False), name="key_curator_role_has_user"
            ),
            models.CheckConstraint(condition=~Q(roles__contains=["agent", "curator"]), name="key_agent_never_curates"),
        ]

    def __str__(self) -> str:
        return self.lookup


class PageLink(models.Model):
    """A one-time way onto a person's memory page; only a hash of the token is stored (R90)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    subject = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.id)
