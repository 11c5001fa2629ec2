"""A figure is kept with the machine it was measured on."""

from memoryhub.management import machine

CPUINFO = (
    "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some Processor @ 2.5GHz\n\nprocessor\t: 1\nmodel name\t: Other\n"
)


def test_the_processor_is_named_as_it_names_itself() -> None:
    assert machine.processor(CPUINFO) == "Some Processor @ 2.5GHz"
    assert machine.processor("Hardware: a board\n") == ""


def test_the_line_says_when_on_what_and_how_busy() -> None:
    line = machine.describe(2).line
    for word in ("2 cores used", "GB", "Python 3.11", "load"):
        assert word in line
