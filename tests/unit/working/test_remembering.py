"""What was answered about a short text just now is not looked for again; about a long one it is (S30)."""

from memoryhub.working.remembering import remembered


def test_a_short_text_is_looked_at_once_and_a_long_one_each_time():
    looked: list[str] = []

    @remembered
    def letters(text: str) -> int:
        """How many."""
        looked.append(text)
        return len(text)

    assert [letters("tea"), letters("tea"), letters("x" * 5000), letters("x" * 5000)] == [3, 3, 5000, 5000]
    assert looked == ["tea", "x" * 5000, "x" * 5000]
    assert letters.__doc__ == "How many."
