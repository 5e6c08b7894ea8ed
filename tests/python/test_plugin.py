# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib.metadata

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
    result.stdout.fnmatch_lines(["*peak of L1 *allowed are 100*"])
    assert len(list((pytester.path / "reports").glob("*.json"))) == 2


def test_a_test_above_its_limit_fails_with_what_filled_the_memory(pytester: pytest.Pytester) -> None:
    result = _run(pytester, "100 B")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*peak of L1 *allowed are 100*", "*L1 per core*ttnn.add*"])


def test_a_test_below_its_limit_passes_and_leaves_its_report(pytester: pytest.Pytester) -> None:
    _run(pytester, "1 MiB", "--memory-report", "reports").assert_outcomes(passed=1)
    assert len(list((pytester.path / "reports").glob("*.json"))) == 2
