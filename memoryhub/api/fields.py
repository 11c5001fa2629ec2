"""Which values does a field take? DRF's serializers without their kindness: no coercion, no unknown fields."""

import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from rest_framework import serializers

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance.subjects import check_external_id

_RFC3339: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)?")

#: For a field that may be left out or null, and then is None.
OPTIONAL: Final[dict[str, Any]] = {"default": None, "allow_null": True}


class Strict(serializers.Serializer[Any]):
    """A body or query that refuses every field it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := set(data) - set(self.fields)):
            raise serializers.ValidationError({_shown(name): ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, kept exactly as sent. Blank only where said."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("It has to be a string.")
        if not self.allow_blank and not data.strip():
            raise serializers.ValidationError("It may not be blank.")
        return data


class ExternalId(Text):
    """A caller's own id of a subject, session or event (api.md, habits)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=conf.MAX_EXTERNAL_ID, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        try:
            return check_external_id(data, "id")
        except Invalid as error:
            raise serializers.ValidationError(error.errors["id"]) from error


class Flag(serializers.BooleanField):
    """true or false, nothing that resembles them."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("It has to be true or false.")
        return data


class Fraction(serializers.FloatField):
    """A number from 0 to 1."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=1, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise serializers.ValidationError("It has to be a number.")
        return float(data)


class Ranged(serializers.IntegerField):
    """A whole number between two, which a refusal names: whatever is wrong with it, they say what to send."""

    min_value: int
    max_value: int

    def within(self, number: int | None) -> int:
        """The number; None is no number at all. Raises ValidationError."""
        if number is None or not self.min_value <= number <= self.max_value:
            raise serializers.ValidationError(f"It has to be a whole number from {self.min_value} to {self.max_value}.")
        return number


class Number(Ranged):
    """A whole number."""

    def to_internal_value(self, data: Any) -> int:
        return self.within(data if isinstance(data, int) and not isinstance(data, bool) else None)


class Moment(serializers.DateTimeField):
    """A time with its zone, which is kept: where a zone is needed, the offset of a time may be all there is."""

    def to_internal_value(self, value: Any) -> datetime:
        match = _RFC3339.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise serializers.ValidationError("It has to be a time such as 2026-10-12T09:00:00+05:30.")
        if not match[2]:
            raise serializers.ValidationError("It needs a zone: Z, or an offset such as +05:30.")
        try:
            moment = datetime.fromisoformat(value.upper())
            moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise serializers.ValidationError("There is no such time.") from error
        return moment


class Json(serializers.JSONField):
    """Any JSON object."""

    json_type = "object"  # what a JSON Schema made of the shape says

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("It has to be an object.")
        return data


class Anything(serializers.JSONField):
    """Any JSON value but null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Any:
        return data


class Many(serializers.ListField):
    """A list of at most `max_length` items."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 200)
        super().__init__(**kwargs)


class Choice(serializers.ChoiceField):
    """One of an enumeration's words."""

    default_error_messages = {"invalid_choice": "It has to be one of the words that api.md lists."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            raise serializers.ValidationError("It has to be one of: " + ", ".join(map(str, self.choices)) + ".")
        return data


class QueryFlag(serializers.BooleanField):
    """true or false as a query spells them."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in ("true", "false"):
            raise serializers.ValidationError("It has to be true or false.")
        return bool(data == "true")


class QueryNumber(Ranged):
    """A whole number as a query spells it."""

    def to_internal_value(self, data: Any) -> int:
        spelt = isinstance(data, str) and re.fullmatch(r"[0-9]{1,9}", data)
        return self.within(int(data) if spelt else None)


def uuid_or_none(text: str) -> uuid.UUID | None:
    """An id of ours in its canonical spelling, or None: what is no id names nothing."""
    try:
        found = uuid.UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.lower() else None


def _shown(name: Any) -> str:
    return name if isinstance(name, str) and name.isprintable() and len(name) <= 100 else "?"
