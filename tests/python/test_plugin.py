# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib.metadata
import re

import pytest

_TEST = """
    import pytest
    import tilemeter as ttnn

    @pytest.mark.memory(max_l1="{limit}")
    def test_it():
        device = ttnn.open_device(device_id=0)
        a = ttnn.ones([1, 1, 256, 256], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                      memory_config=ttnn.L1_MEMORY_CONFIG)
        b = ttnn.add(a, a)
"""


_INSTALLED = any(point.name == "tilemeter" for point in importlib.metadata.entry_points(group="pytest11"))


def _pytest(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    plugin = [] if _INSTALLED else ["-p", "tilemeter_pytest"]
    return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", *arguments)


def _run(pytester: pytest.Pytester, limit: str, *more: str) -> pytest.RunResult:
    pytester.makepyfile(_TEST.format(limit=limit))
    return _pytest(pytester, *more)


def test_a_run_that_asks_for_nothing_does_not_load_the_package(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import sys
        def test_it():
            assert not [name for name in sys.modules if name.partition(".")[0] in ("tilemeter", "numpy")]
    """)
    result = _pytest(pytester, "--strict-markers")
    result.assert_outcomes(passed=1)
    _pytest(pytester, "--help").stdout.fnmatch_lines(["*--memory-report=DIR*"])


def test_the_plugin_may_be_named_as_well(pytester: pytest.Pytester) -> None:
    result = _run(pytester, "100 B", "-p", "tilemeter.pytest_plugin", "--memory-report", "reports")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*a memory limit is exceeded*", "*L1 per core: 16,384 B, the limit is 100 B*"])
    assert len(list((pytester.path / "reports").glob("*.json"))) == 2


@pytest.mark.parametrize("more", [(), ("-W", "error")])
def test_a_test_above_its_limit_fails_once_with_what_filled_the_memory(
    pytester: pytest.Pytester, more: tuple[str, ...]
) -> None:
    result = _run(pytester, "100 B", *more)
    result.assert_outcomes(failed=1, warnings=0)
    result.stdout.fnmatch_lines(
        ["*test_it: a memory limit is exceeded*", "*L1 per core: *the limit is 100 B*", "*L1 per core*", "*at node*ttnn.add*"]
    )
    assert "Pluggy" not in result.stdout.str() and "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("limits", "outcome"),
    [
        # 256 x 256 bfloat16 over 12 banks: 64 tiles of 2,048 B, 6 in the fullest bank
        ("max_dram_per_bank=12288", "passed"),
        ("max_dram_per_bank='12287 B'", "failed"),
        ("max_dram_total='128 kib'", "passed"),
        ("max_dram_total=131071", "failed"),
        ("max_dram_per_bank='80%', max_l1='80%'", "passed"),
        ("max_dram_total='0.001%'", "failed"),
    ],
)
def test_limits_are_those_of_the_command_line(pytester: pytest.Pytester, limits: str, outcome: str) -> None:
    pytester.makepyfile(f"""
        import pytest
        import tilemeter as ttnn

        @pytest.mark.memory({limits})
        def test_it():
            device = ttnn.open_device(device_id=0)
            a = ttnn.ones([1, 1, 256, 256], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    """)
    _pytest(pytester).assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        ("max_dram=5", "max_dram had two meanings: say max_dram_per_bank (bytes of one bank) or max_dram_total*"),
        ("max_l2=5", "expected max_l1=, max_dram_per_bank=, max_dram_total=, found max_l2"),
        ("'1 MiB'", "expected max_l1=, max_dram_per_bank=, max_dram_total=, found '1 MiB'"),
        ("", "no limit given (max_l1, max_dram_per_bank, max_dram_total)"),
        ("max_l1=-5", "max_l1: expected bytes*found a negative one: '-5'"),
        ("max_l1='1 QB'", "max_l1: expected bytes*found '1 QB'"),
        ("max_l1=[1]", "max_l1: expected bytes (an int) or a text like '1.2 MB', found list"),
    ],
)
def test_a_mistake_in_a_marker_is_one_line(pytester: pytest.Pytester, marker: str, line: str) -> None:
    pytester.makepyfile(f"""
        import pytest

        @pytest.mark.memory({marker})
        def test_it():
            raise AssertionError("it must not run")
    """)
    result = _pytest(pytester)
    result.assert_outcomes(failed=1)
    line = line.replace("[", "[[]")
    result.stdout.fnmatch_lines(["*= FAILURES =*", "*_ test_it _*", f"@pytest.mark.memory: {line}", "*short test summary*"])


def test_a_limit_of_a_test_that_runs_no_operation_is_warned_of(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest

        @pytest.mark.memory(max_l1=1)
        def test_it():
            pass
    """)
    result = _pytest(pytester)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*test_it: the memory limit cannot be judged: no operation was captured*"])


def test_a_test_that_dies_of_memory_shows_who_held_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import tilemeter as ttnn

        def fill():
            device = ttnn.open_device(device_id=0)
            kept = []
            while True:
                kept.append(ttnn.ones([1, 1, 2048, 2048], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                                      memory_config=ttnn.L1_MEMORY_CONFIG))

        def test_it():
            fill()

        def test_another():
            try:
                fill()
            except RuntimeError as error:
                raise ValueError("no room") from error
    """)
    result = _pytest(pytester)
    result.assert_outcomes(failed=2)
    section = ["*- Device memory -*", "*who holds it, bytes per bank:*", "*131,072*2048, 2048*by ttnn.ones*"]
    result.stdout.fnmatch_lines(["*_ test_it _*", *section, "*_ test_another _*", *section])


def test_a_test_below_its_limit_passes_and_leaves_its_report(pytester: pytest.Pytester) -> None:
    _run(pytester, "1 MiB", "--memory-report", "reports").assert_outcomes(passed=1)
    assert len(list((pytester.path / "reports").glob("*.json"))) == 2


_TWO = """
    import pytest
    import tilemeter as ttnn

    def add():
        device = ttnn.open_device(device_id=0)
        a = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
        ttnn.add(a, a)

    def test_stays():
        add()

    def test_NAME():
        SKIP
        add()
"""


def _reports(pytester: pytest.Pytester) -> list[str]:
    # Behind a test's name stands a hash of its id.
    return sorted(re.sub(r"_[0-9a-f]{8}$", "", path.stem.rpartition("test_")[2]) for path in (pytester.path / "reports").glob("*.json")
                  if not path.name.endswith(".python_io.json"))


def test_reports_of_tests_that_are_gone_are_removed_and_those_of_others_stay(pytester: pytest.Pytester) -> None:
    def run(name: str, skip: str, *more: str) -> list[str]:
        pytester.makepyfile(test_two=_TWO.replace("NAME", name).replace("SKIP", skip))
        _pytest(pytester, "--memory-report", "reports", *more)
        return _reports(pytester)

    assert run("old", "") == ["old", "stays"]
    own = pytester.path / "reports" / "own_test_kept.json"
    own.write_text("{}")
    assert run("old", "", "-k", "stays") == ["kept", "old", "stays"], "what was not asked for is not stale"
    assert run("old", "", "test_two.py::test_stays") == ["kept", "old", "stays"]
    assert run("old", "pytest.skip('not now')") == ["kept", "stays"], "it ran, and left nothing"
    assert run("old", "") == ["kept", "old", "stays"]
    assert run("renamed", "") == ["kept", "renamed", "stays"]
    (pytester.path / "test_two.py").rename(pytester.path / "test_moved.py")
    _pytest(pytester, "--memory-report", "reports")
    names = {path.name for path in (pytester.path / "reports").glob("*.json") if "python_io" not in path.name}
    assert own.name in names and len(names) == 3 and not [name for name in names if "test_two" in name]
