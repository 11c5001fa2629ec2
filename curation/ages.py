"""How long ago, to the second? For what just happened while somebody else was looking (R92)."""

from datetime import timedelta


def span(time: timedelta) -> str:
    """A length of time in its largest unit: "2 d", "3 h", "20 min", "8 s"."""
    seconds = max(0, int(time.total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"
