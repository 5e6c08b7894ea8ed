# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Memory limits and memory reports of tests.

    pytest --memory-report DIR            a report of each test that ran an operation, DIR/<test>.json
    @pytest.mark.memory(max_l1="1 MiB")   fails when the test's peak of L1 (bytes per core) or DRAM (bytes, all banks)
                                          is higher, and says what filled it
"""

from __future__ import annotations

import pathlib
import re
from typing import Any, Generator

import pytest

from tilemeter import graph
from tilemeter._memory import explained_peak, peak_bytes
from tilemeter._graph_report import derive_report_name
from tilemeter_pytest import pytest_addoption as pytest_addoption
from tilemeter_pytest import pytest_configure as pytest_configure

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def size_bytes(limit: int | str) -> int:
    """1048576, "1 MiB". Raises ValueError."""
    if isinstance(limit, int):
        return limit
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", limit)
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"memory limit: expected bytes or a text like '1.5 MiB', got {limit!r}")
    return int(float(match[1]) * _UNITS[match[2]])


def _check(taken: graph.Capture, marker: pytest.Mark, name: str) -> None:
    unknown = set(marker.kwargs) - {"max_l1", "max_dram"}
    if unknown or marker.args:
        raise ValueError(f"@pytest.mark.memory: expected max_l1=, max_dram=, got {sorted(unknown) or marker.args}")
    for memory, key in (("L1", "max_l1"), ("DRAM", "max_dram")):
        limit = marker.kwargs.get(key)
        if limit is None:
            continue
        found = peak_bytes(taken.graph, memory)
        if found > size_bytes(limit):
            pytest.fail(
                f"{name}: peak of {memory} {found:,} bytes, allowed are {size_bytes(limit):,}\n"
                + explained_peak(taken.graph, memory),
                pytrace=False,
            )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    folder = item.config.getoption("--memory-report")
    marker = item.get_closest_marker("memory")
    if folder is None and marker is None:
        yield
        return
    path = None if folder is None else pathlib.Path(folder) / f"{derive_report_name(item.nodeid)}.json"
    with graph.capture(path) as taken:
        outcome = yield
    if path is not None and len(taken) <= 2:  # nothing ran: begin and end alone
        path.unlink(missing_ok=True)
    if marker is not None and outcome.excinfo is None:
        _check(taken, marker, item.name)
