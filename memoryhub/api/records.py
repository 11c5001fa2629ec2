"""What a system of record says about a subject: /records (api.md, evidence and records; R36)."""

from typing import Any, Final

from rest_framework import serializers

from memoryhub import conf
from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.shapes import ResultOut, Shape
from memoryhub.governance import pushing
from memoryhub.governance.record_sources import KEY
from memoryhub.working.normalisation import tidy

_MAX: Final = conf.RECORD_VALUE


class RecordsIn(serializers.Field[Any, Any, Any, Any]):
    """An object of keys and single values: strings, numbers, true or false; null says that there is none."""

    def to_internal_value(self, data: Any) -> dict[str, str | None]:
        if not isinstance(data, dict):
            raise serializers.ValidationError({"body": ["It has to be an object: key → value."]})
        if not 1 <= len(data) <= conf.RECORD_KEYS:
            raise serializers.ValidationError({"body": [f"It has 1 to {conf.RECORD_KEYS} keys."]})
        faults: dict[str, list[str]] = {}
        values: dict[str, str | None] = {}
        for key, value in data.items():
            if not KEY.fullmatch(key):
                shown = key[:100] if key.isprintable() and key.strip() else "?"
                faults[shown] = ["A key is a letter and then letters, digits, '_', '-' or '.', 100 at most."]
                continue
            try:
                values[key] = _value(value)
            except serializers.ValidationError as error:
                faults[key] = [str(fault) for fault in error.detail]
        if faults:
            raise serializers.ValidationError(faults)
        return values


class PushedOut(ResultOut):
    """What became of one key; `decision_id` has its steps."""

    key = serializers.CharField()
    decision_id = serializers.UUIDField()


class RecordsOut(Shape):
    """One result per key, in the order they were sent."""

    results = PushedOut(many=True)


class Records(HubView):
    """/records/{subject}"""

    @operation("push_records", body=RecordsIn, answers={200: RecordsOut})
    def put(self, call: Call, external_id: str) -> Answer:
        """Say what the record holds about a subject. Keys left out stay as they are; null ends what is remembered.

        A statement that differs is replaced, one that agrees is confirmed. The same again changes nothing.
        """
        subject = call.mentioned(external_id)
        with call.about(subject):
            pushed = pushing.push(subject=subject, values=call.body, by=call.by, now=call.now)
        results = [
            {**result, "key": one.key, "decision_id": str(one.outcome.decision_id)}
            for one in pushed
            for result in rendering.results_json(one.outcome.results)
        ]
        return Answer({"results": results}, about=subject.pk)


def _value(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if not isinstance(value, str):
        raise serializers.ValidationError("It has to be a string, a number, true, false or null.")
    told = tidy(value).strip()
    if not told or len(told) > _MAX:
        raise serializers.ValidationError(f"It has 1 to {_MAX} characters; null says that there is none.")
    return told
