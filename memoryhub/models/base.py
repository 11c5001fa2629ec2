"""What every governed row has: an id and an organisation (its tenant)."""

from django.db import models

from accounts.ids import new_id


class Tenant(models.Model):
    """A row of one organisation; its table is under forced row-level security (R30)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True
