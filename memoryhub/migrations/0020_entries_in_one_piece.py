from django.db import migrations

# An entry with its vector is a little longer than PostgreSQL keeps in one piece by default, so that comparing it took
# three more pages. Half the work of a comparison was that. What is stored already follows as it is written again.
IN_ONE_PIECE = "ALTER TABLE memoryhub_entry SET (toast_tuple_target = 4080)"


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0019_what_is_remembered")]

    operations = [migrations.RunSQL(IN_ONE_PIECE, "ALTER TABLE memoryhub_entry RESET (toast_tuple_target)")]
