"""The database and ranking.py say the same of what a score rests on before a question is put (R32)."""

import random
from datetime import timedelta

import pytest
from django.db import connection

from memoryhub import conf
from memoryhub.recall import ranking
from memoryhub.recall.standing import STANDING
from memoryhub.vocabulary import Category, Kind
from tests.factories.ground import NOW


def test_the_database_scores_as_ranking_does(db: None) -> None:
    chance = random.Random(5)
    for _ in range(200):
        begins = NOW - timedelta(days=chance.choice([-3, 0, 1, 14, 200, 20_000]) * chance.random())
        confirmed = chance.choice([None, NOW - timedelta(days=chance.random() * 30)])
        ends = chance.choice([None, NOW - timedelta(days=1), NOW + timedelta(days=1)])
        candidate = ranking.Candidate(
            id="x", kind=Kind.SEMANTIC, category=Category.PREFERENCE, importance=chance.random(),
            authority=chance.random(), valid_from=begins, use_count=chance.choice([0, 1, 7, 20, 400]),
            valid_now=ends is None or ends > NOW, last_confirmed_at=confirmed,
        )  # fmt: skip
        signals = ranking.signals_of(candidate, NOW)
        assert signals.relevance == 0
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {STANDING} FROM (SELECT %(confirmed)s::timestamptz AS last_confirmed_at,"
                " %(begins)s::timestamptz AS valid_from, %(importance)s::float8 AS importance,"
                " %(authority)s::float8 AS authority, %(use_count)s::int AS use_count,"
                " %(ends)s::timestamptz AS valid_to) AS entry",
                {
                    "moment": NOW,
                    "confirmed": confirmed,
                    "begins": begins,
                    "importance": candidate.importance,
                    "authority": candidate.authority,
                    "use_count": candidate.use_count,
                    "ends": ends,
                },
            )
            (told,) = cursor.fetchone()
        assert told == pytest.approx(ranking.score(signals), abs=1e-9)
    assert set(conf.WEIGHTS) == {"relevance", "recency", "importance", "authority", "frequency", "validity"}
