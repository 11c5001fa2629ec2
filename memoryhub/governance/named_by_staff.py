"""Where did staff name somebody, in words about something else? A view they saved, a note, a reason (R91).

No key leads from such words to a person, so they are found by the words: the person's external id and the name they
go by, whole and in whatever case. An id that is a small number is looked for among the filters alone: as a word it
would be found in every other sentence.
"""

import re
import unicodedata
import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_plus

from django.db.models import F, QuerySet

from memoryhub.governance.questions import USUAL
from memoryhub.governance.words_about import DOCUMENTS, REMARKS, Remark
from memoryhub.models import ReviewItem, ReviewNote, ReviewQuestion, SavedView, Subject

_WORD: Final = re.compile(r"\w+")
#: Written without spaces between words: there a name is found within them.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SHORTEST: Final = 3  # characters of a name that is looked for among words
_SHORTEST_NUMBER: Final = 5  # digits


@dataclass(frozen=True)
class Names:
    """What somebody is called: their external id, and the names as sequences of words."""

    external_id: str
    spoken: tuple[str, ...]

    def stand_in(self, text: str) -> bool:
        """Whether a text holds one of them, whole."""
        words = _words(text)
        return any(name in words if _UNSPACED.search(name) else f" {name} " in words for name in self.spoken)

    def stand_in_query(self, query: str) -> bool:
        """Whether filters, as they stand in an address, are for one of them or hold one."""
        values = [value for _, value in parse_qsl(query, keep_blank_values=True)]
        return self.external_id in values or any(map(self.stand_in, values)) or self.stand_in(unquote_plus(query))


def names_of(subject: Subject) -> Names:
    """What a subject is called now."""
    told = (_words(name).strip() for name in (subject.external_id, subject.display_name))
    return Names(subject.external_id, tuple(dict.fromkeys(name for name in told if _is_telling(name))))


def take_out(subject: Subject) -> Counter[str]:
    """Remove or empty what staff wrote that names the subject; how much, by the names of a receipt. Called by
    removal.py, with all subjects in sight and while this one still has its name.
    """
    names = names_of(subject)
    found = {remark.model: naming(names, remark, organisation=subject.organisation_id) for remark in REMARKS}
    SavedView.objects.filter(pk__in=list(found[SavedView])).delete()
    ReviewNote.objects.filter(pk__in=list(found[ReviewNote])).delete()
    ReviewQuestion.objects.filter(pk__in=list(found[ReviewQuestion])).update(text=USUAL)
    for key, fields in found[ReviewItem].items():
        ReviewItem.objects.filter(pk=key).update(version=F("version") + 1, **dict.fromkeys(fields, ""))
    return Counter({remark.counted: len(found[remark.model]) for remark in REMARKS if found[remark.model]})


def documents_naming(subject: Subject) -> int:
    """How many documents that agents run by name the subject: they are somebody's to reword."""
    names, found = names_of(subject), 0
    for model, fields in DOCUMENTS.items():
        rows: QuerySet[Any] = QuerySet(model).filter(organisation_id=subject.organisation_id)
        found += sum(any(map(names.stand_in, texts)) for texts in rows.values_list(*fields).iterator())
    return found


def naming(
    names: Names, remark: Remark, *, organisation: uuid.UUID, before: datetime | None = None
) -> dict[uuid.UUID, list[str]]:
    """The ids of a kind's rows that name somebody, with the fields that do; `before`: of those written before."""
    rows: QuerySet[Any] = QuerySet(remark.model).filter(organisation_id=organisation)
    if before is not None:
        rows = rows.filter(**{f"{remark.since}__lt": before})
    found = {
        key: [field for field, text in zip(remark.fields, texts, strict=True) if _stands_in(names, field, text)]
        for key, *texts in rows.values_list("pk", *remark.fields).iterator()
    }
    return {key: fields for key, fields in found.items() if fields}


def _stands_in(names: Names, field: str, text: str) -> bool:
    return names.stand_in_query(text) if field == "query" else names.stand_in(text)


def _words(text: str) -> str:
    """The words alone, folded, each between two spaces."""
    return f" {' '.join(_WORD.findall(unicodedata.normalize('NFKC', text).casefold()))} "


def _is_telling(name: str) -> bool:
    if _UNSPACED.search(name):
        return len(name) > 1
    return len(name) >= (_SHORTEST_NUMBER if name.replace(" ", "").isdigit() else _SHORTEST)
