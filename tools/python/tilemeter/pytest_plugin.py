# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Memory limits and memory reports of tests.

    pytest --memory-report DIR            a report of each test that ran an operation, DIR/<test>.json; those of earlier runs
                                          whose tests are gone, or run again, are removed
    @pytest.mark.memory(max_l1="1 MiB")   fails when a peak of the test is higher, and says what filled the memory:
                                          max_l1 (per core), max_dram_per_bank, max_dram_total (over all banks)

A limit is what `tilemeter check` takes: bytes, "1 MiB", "1.2 MB", "80%" of what can be allocated. A test that runs no
operation has nothing to be judged by: a warning says so. Needs pluggy 1.2 or newer, which pytest 7.4 can be used with and
pytest 8 brings.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any, Generator

import pytest

from tilemeter import _tilemeter, graph
from tilemeter._src.answers.peak import explained_peak
from tilemeter._src.answers.report import derive_report_name
from tilemeter_pytest import (
    pytest_addoption as pytest_addoption, pytest_configure as pytest_configure,
    pytest_runtest_makereport as pytest_runtest_makereport,
)

_LIMITS = ("max_l1", "max_dram_per_bank", "max_dram_total")


class MemoryLimitWarning(pytest.PytestWarning):
    """A limit that could not be judged."""


def _limits(marker: pytest.Mark) -> dict[str, int | str]:
    """The marker's limits; a mistake fails the test with one line."""
    problem = ""
    if "max_dram" in marker.kwargs:
        problem = (
            "max_dram had two meanings: say max_dram_per_bank (bytes of one bank) or max_dram_total (bytes over all banks)"
        )
    elif marker.args or set(marker.kwargs) - set(_LIMITS):
        found = ", ".join(map(repr, marker.args)) or ", ".join(sorted(set(marker.kwargs) - set(_LIMITS)))
        problem = f"expected {'=, '.join(_LIMITS)}=, found {found}"
    limits = {name: limit for name, limit in marker.kwargs.items() if limit is not None}
    if not problem and not limits:
        problem = f"no limit given ({', '.join(_LIMITS)})"
    for name, limit in limits.items():
        try:
            problem or _tilemeter.parse_size_limit(limit)
        except (TypeError, ValueError) as error:
            problem = f"{name}: {str(error).removeprefix('limit: ')}"
    if problem:
        pytest.fail(f"@pytest.mark.memory: {problem}", pytrace=False)
    return limits


def _check(item: pytest.Item, taken: graph.Capture, limits: dict[str, int | str]) -> None:
    answer = _tilemeter.check_graph(taken.graph, **limits)
    if answer.exceeded:
        lines = [f"{item.name}: a memory limit is exceeded", *answer.exceeded]
        if "max_l1" in limits:
            lines.append(explained_peak(taken.graph, "L1"))
        if len(limits) > ("max_l1" in limits):
            lines.append(explained_peak(taken.graph, "DRAM"))
        pytest.fail("\n".join(lines), pytrace=False)
    if answer.verdict == "unknown":
        item.warn(MemoryLimitWarning(f"{item.name}: the memory limit cannot be judged: {'; '.join(answer.reasons)}"))


_WRITTEN = ".tilemeter-pytest"  # in the folder of reports: a line of JSON for each that the plugin wrote


def _note_report(path: pathlib.Path, item: pytest.Item) -> None:
    with (path.parent / _WRITTEN).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"report": path.name, "test": item.nodeid}) + "\n")


def remove_stale_reports(session: pytest.Session, deselected: set[str]) -> None:
    """Removes what an earlier run wrote of tests that this one runs, or that are not there any more: of a file that is gone, or
    of one that was collected whole. What anybody else put into the folder stays."""
    folder = pathlib.Path(session.config.getoption("--memory-report"))
    try:
        lines = (folder / _WRITTEN).read_text(encoding="utf-8").splitlines()
        written = {(entry["report"], entry["test"]) for entry in map(json.loads, lines)}
    except (OSError, ValueError, KeyError, TypeError):
        return
    selected = {item.nodeid for item in session.items}
    in_part = {argument.partition("::")[0] for argument in session.config.args if "::" in argument}
    root = session.config.rootpath
    whole = {item.nodeid.partition("::")[0] for item in session.items}
    whole -= {name for name in whole for part in in_part if (root / name).resolve() == pathlib.Path(part).resolve()}
    kept = []
    for report, test in sorted(written):
        file = test.partition("::")[0]
        is_gone = not (root / file).exists() or (file in whole and test not in deselected)
        if test not in selected and not is_gone:
            kept.append({"report": report, "test": test})
            continue
        for name in (report, f"{report.removesuffix('.json')}.python_io.json"):
            if pathlib.PurePath(name).name == name:  # of this folder
                (folder / name).unlink(missing_ok=True)
    (folder / _WRITTEN).write_text("".join(json.dumps(entry) + "\n" for entry in kept), encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    folder = item.config.getoption("--memory-report")
    marker = item.get_closest_marker("memory")
    if folder is None and marker is None:
        return (yield)
    limits = {} if marker is None else _limits(marker)
    path = None if folder is None else pathlib.Path(folder) / f"{derive_report_name(item.nodeid)}.json"
    taken = None
    try:
        with graph.capture(path) as taken:
            outcome = yield
    finally:
        if path is not None and taken is not None:
            if len(taken) <= 2:  # nothing ran: begin and end alone
                path.unlink(missing_ok=True)
            elif path.exists():
                _note_report(path, item)
    if limits:
        _check(item, taken, limits)
    return outcome
