# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What answers show in a notebook, run by nbconvert; tests/acceptance/notebook looks at the same in a browser."""

from __future__ import annotations

import html
import pathlib
import re
from typing import Any, Iterator

import pytest

from notebook_cells import MONOSPACED, executed, outputs

for name in ("nbconvert", "nbformat", "ipykernel"):
    pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    yield outputs(executed(tmp_path_factory.mktemp("notebook")))


@pytest.mark.parametrize("name", MONOSPACED)
def test_an_answer_keeps_its_columns(name: str, shown: dict[str, Any]) -> None:
    table = shown[name]["text/html"]
    assert table.startswith("<pre ") and "monospace" in table and "white-space:pre" in table
    text = html.unescape(re.sub(r"<[^>]+>", "", table))
    assert text == shown[name]["text/plain"] and len(text.splitlines()) > 1


@pytest.mark.parametrize(("name", "said"), [("capture", "ttnn.matmul"), ("peak", "1,393,312"), ("workload", "UP TO 8")])
def test_an_answer_of_its_own_is_a_table(name: str, said: str, shown: dict[str, Any]) -> None:
    assert "<table" in shown[name]["text/html"] and said in html.unescape(shown[name]["text/html"])


def test_a_failure_names_the_line_of_its_cell(shown: dict[str, Any]) -> None:
    assert re.search(r"tensor \d+ .* at .*\.py:13: 81,920 B per core", shown["explain"]["text/plain"])


def test_a_picture_is_drawn_and_a_page_stands_in_a_frame(shown: dict[str, Any]) -> None:
    assert shown["svg"]["image/svg+xml"].lstrip().startswith(("<svg", "<?xml"))
    assert shown["show"]["text/html"].startswith("<iframe ") and "height:400px" in shown["show"]["text/html"]
