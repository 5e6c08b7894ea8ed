# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The part that pytest loads in every environment that has tilemeter: the plugin's options, and the plugin itself where
a run asks for it. A package of its own, since tilemeter's would bring the extension module into each run.
"""

from __future__ import annotations

from typing import Any, Generator

import pytest

_SECTION = "Device memory"
_PLUGIN = "tilemeter.pytest_plugin"

def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilemeter")
    if any("--memory-report" in option.names() for option in group.options):
        return  # the plugin was loaded by name as well
    group.addoption("--memory-report", metavar="DIR", help="write a graph capture report of each test into DIR")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "memory(max_l1=None, max_dram_per_bank=None, max_dram_total=None): limits of a test's peak of device memory: "
        "bytes, '1 MiB', '80%'",
    )


_DESELECTED = pytest.StashKey["set[str]"]()


def pytest_deselected(items: list[pytest.Item]) -> None:
    if items:
        items[0].config.stash.setdefault(_DESELECTED, set()).update(item.nodeid for item in items)


@pytest.hookimpl(tryfirst=True)  # before xdist says that this worker is ready, and others begin
def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = session.config.getoption("--memory-report") is not None
    if wanted or any(item.get_closest_marker("memory") for item in session.items):
        plugins = session.config.pluginmanager
        plugins.import_plugin(_PLUGIN)  # unless it is there, or -p no:tilemeter.pytest_plugin keeps it out
        plugin = plugins.get_plugin(_PLUGIN)
        if wanted and plugin is not None:
            plugin.remove_stale_reports(session, session.config.stash.get(_DESELECTED, set()))


def _explanation(error: BaseException | None) -> str | None:
    """The owners of the memory that an error, or what it came from, is about. Tells the package's errors by name: it
    need not be loaded."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if type(error).__module__.partition(".")[0] == "tilemeter" and isinstance(
            text := getattr(error, "explanation", None), str
        ):
            return text
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    text = None if call.excinfo is None else _explanation(call.excinfo.value)
    if text is not None and report.failed and all(title != _SECTION for title, _ in report.sections):
        report.sections.append((_SECTION, text))
    return report
