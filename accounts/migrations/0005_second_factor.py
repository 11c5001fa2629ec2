from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_key_in_one_step")]

    operations = [
        migrations.AddField(
            "organisation",
            "second_factor",
            models.CharField(
                max_length=10,
                default="offered",
                help_text="whether those who work here need one to sign in (docs/adr/0024)",
            ),
        )
    ]
