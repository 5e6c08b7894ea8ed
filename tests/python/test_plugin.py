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


def _run(pytester: pytest.Pytester, limit: str, *more: str) -> pytest.RunResult:
    pytester.makepyfile(_TEST.format(limit=limit))
    installed = any(point.name == "tilemeter" for point in importlib.metadata.entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "tilemeter.pytest_plugin"]
    return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", *more)


def test_a_test_above_its_limit_fails_with_what_filled_the_memory(pytester: pytest.Pytester) -> None:
    result = _run(pytester, "100 B")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*peak of L1 *allowed are 100*", "*L1 per core*ttnn.add*"])


def test_a_test_below_its_limit_passes_and_leaves_its_report(pytester: pytest.Pytester) -> None:
    _run(pytester, "1 MiB", "--memory-report", "reports").assert_outcomes(passed=1)
    assert len(list((pytester.path / "reports").glob("*.json"))) == 2
