"""Which arguments does a tool take? JSON Schema, made of the same shapes that the arguments are held against."""

from collections.abc import Collection, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

Json = dict[str, Any]
Fields = Mapping[str, serializers.Field[Any, Any, Any, Any]]


def of_fields(fields: Fields, *, assumed: Mapping[str, Any] = {}, hidden: Collection[str] = ()) -> Json:
    """An object with these fields and no others. `assumed` are values of arguments that are left out, `hidden` are
    fields that are not shown.
    """
    shown = {name: field for name, field in fields.items() if name not in hidden}
    found: Json = {
        "type": "object",
        "properties": {name: _described(field, assumed.get(name)) for name, field in shown.items()},
        "additionalProperties": False,
    }
    if required := [name for name, field in shown.items() if field.required and name not in assumed]:
        found["required"] = required
    return found


def _described(field: serializers.Field[Any, Any, Any, Any], assumed: Any = None) -> Json:
    found = _of_field(field)
    if field.help_text:
        found["description"] = str(field.help_text)
    default = assumed if assumed is not None else field.default
    if default is not empty and isinstance(default, str | bool | int | float) and default != "":
        found["default"] = default
    return found


def _of_field(field: serializers.Field[Any, Any, Any, Any]) -> Json:
    """One field. Short, since every call to a model carries it: where a field may be null, leaving it out says the
    same; that a required text can't be blank, a refusal says.
    """
    match field:
        case serializers.ListSerializer() | serializers.ListField():
            found: Json = {"type": "array", "items": _described(field.child)}  # type: ignore[arg-type]
            return found | _limits(field, minItems="min_length", maxItems="max_length")
        case serializers.Serializer():
            return of_fields(field.fields)
        case serializers.ChoiceField():
            return {"type": "string", "enum": [str(choice) for choice in field.choices]}
        case serializers.BooleanField():
            return {"type": "boolean"}
        case serializers.IntegerField():
            return {"type": "integer"} | _limits(field, minimum="min_value", maximum="max_value")
        case serializers.FloatField():
            return {"type": "number"} | _limits(field, minimum="min_value", maximum="max_value")
        case serializers.DateTimeField():
            return {"type": "string", "format": "date-time"}
        case serializers.JSONField():
            return {"type": kind} if (kind := getattr(field, "json_type", None)) else {}
        case serializers.CharField():
            return {"type": "string"} | _limits(field, maxLength="max_length")
    raise TypeError(f"no JSON Schema is known for {type(field).__name__}")


def _limits(field: Any, **words: str) -> Json:
    return {word: limit for word, name in words.items() if (limit := getattr(field, name, None)) is not None}
