"""The report beside the other memories: every goal has its figure, and nothing missed is hidden."""

from memoryhub.management import peers_bench
from memoryhub.management.measured_hub import Weight
from memoryhub.management.paired_timing import Ratio

RATIOS = {
    name: Ratio(value, value - 0.1, value + 0.1)
    for name, value in {
        "recall / mem0 search": 1.2, "recall / LangGraph search": 1.6, "recall / limit": 2.5,
        "memories / mem0 add": 1.4,
    }.items()
}  # fmt: skip
WEIGHTS = {"Memory Hub, web process": Weight(351.0, 300.0), "mem0": Weight(900.0, 800.0)}


def test_each_goal_is_judged_by_its_own_figure() -> None:
    met = {goal.name: goal.met for goal in peers_bench.goals_of(RATIOS, WEIGHTS)}
    assert met == {
        "recall / mem0 search, p50": True, "recall / LangGraph search, p50": False, "recall / limit, p50": True,
        "memories / mem0 add, p50": True, "web process, resident": False,
    }  # fmt: skip


def test_the_report_shows_times_ratios_weights_items_and_goals() -> None:
    timings = {peers_bench.HUB: [5.0, 6.0], peers_bench.MEM0: [4.0, 5.0]}
    goals = peers_bench.goals_of(RATIOS, WEIGHTS)
    report = "\n".join(peers_bench.lines_of(timings, RATIOS, WEIGHTS, goals, {peers_bench.HUB: 7.25}))
    for shown in ("Memory Hub, POST /recall", "5.50", "recall / limit", "2.60", "351", "7.2", "MISSED", "aim 1"):
        assert shown in report
    assert report.count("MISSED") == 2
