# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What pytest loads in every environment that has tilemeter: the plugin's options, and the plugin itself where a run asks for
it. A package of its own, since tilemeter's would bring the extension module into each run.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilemeter")
    if any("--memory-report" in option.names() for option in group.options):
        return  # the plugin was loaded by name as well
    group.addoption("--memory-report", metavar="DIR", help="write a graph capture report of each test into DIR")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "memory(max_l1=None, max_dram=None): limits of a test's peak of device memory")


def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = session.config.getoption("--memory-report") is not None
    if wanted or any(item.get_closest_marker("memory") for item in session.items):
        from tilemeter import pytest_plugin

        if not session.config.pluginmanager.is_registered(pytest_plugin):
            session.config.pluginmanager.register(pytest_plugin, "tilemeter.pytest_plugin")
