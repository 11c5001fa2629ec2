"""What does an entry's score rest on before a question is put? The same as ranking.py says, in SQL (R32).

Candidates are chosen in the database, by the score they will be ranked by: chosen by relevance alone, an entry of
today that is a little less relevant would be lost behind fifty old ones. What a score is, ranking.py says; this module
is held against it by a test over random rows.
"""

from typing import Final

from memoryhub import conf

#: Of an entry with these columns, at a `moment` that is given.
STANDING: Final = f"""(
  {conf.WEIGHTS["recency"]} * power(2::float8, -least(1000, greatest(0,
    date_part('epoch', %(moment)s::timestamptz - coalesce(last_confirmed_at, valid_from)))
    / {conf.RECENCY_HALF_LIFE.total_seconds()}))
  + {conf.WEIGHTS["importance"]} * importance + {conf.WEIGHTS["authority"]} * authority
  + {conf.WEIGHTS["frequency"]} * least(1, ln(1 + use_count::float8) / ln({conf.FREQUENCY_FULL_AT}::float8))
  + {conf.WEIGHTS["validity"]} * (valid_to IS NULL OR valid_to > %(moment)s::timestamptz)::int
)"""
