# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Views of memory that was freed with another tensor: refused with the line that freed it, or used as TT-NN's are."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any, Callable, Iterator

import pytest

import tilemeter as ttnn
from tilemeter._src.captures import views as _views

# Ways to another name of a tensor [1, 1, 64, 128], and whether TT-NN 0.81.1 takes it for allocated when the tensor is freed.
WAYS: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "reshape": (lambda a: ttnn.reshape(a, (1, 64, 128)), True),
    "reshape_of_rows": (lambda a: ttnn.reshape(a, (1, 2, 32, 128)), True),
    "same_shape": (lambda a: ttnn.reshape(a, (1, 1, 64, 128)), False),
    "squeeze": (lambda a: ttnn.squeeze(a, 0), True),
    "unsqueeze": (lambda a: ttnn.unsqueeze(a, 0), True),
    "squeeze_unsqueeze": (lambda a: ttnn.unsqueeze(ttnn.squeeze(a, 0), 0), True),
    "unsqueeze_to_4D": (ttnn.unsqueeze_to_4D, False),
    "to_layout": (lambda a: ttnn.to_layout(a, ttnn.TILE_LAYOUT), False),
    "to_memory_config": (lambda a: ttnn.to_memory_config(a, ttnn.DRAM_MEMORY_CONFIG), False),
    "permute": (lambda a: ttnn.permute(a, (0, 1, 2, 3)), False),
    "slice": (lambda a: ttnn.slice(a, [0, 0, 0, 0], [1, 1, 64, 128]), False),
    "concat": (lambda a: ttnn.concat([a], dim=0), False),
    "view": (lambda a: ttnn.view(a, (1, 64, 128)), True),
    "view_of_view": (lambda a: ttnn.reshape(ttnn.reshape(a, (1, 64, 128)), (2, 32, 128)), True),
}


@pytest.fixture
def device() -> Iterator[Any]:
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)


@pytest.fixture
def as_ttnn() -> Iterator[None]:
    _views.set_views("ttnn")
    yield
    _views.set_views("refuse")


def ones(device: Any) -> Any:
    return ttnn.ones([1, 1, 64, 128], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def test_a_refusal_says_which_view_who_freed_it_and_where(device: Any) -> None:
    source = ones(device)
    view = ttnn.reshape(source, (1, 64, 128))
    ttnn.deallocate(source)
    line = sys._getframe().f_lineno - 1
    assert not view.is_allocated()
    for use in (lambda: ttnn.relu(view), lambda: ttnn.softmax(view, -1), lambda: ttnn.add(view, view)):
        with pytest.raises(RuntimeError) as refused:
            use()
        said = str(refused.value)
        assert "Shape([1, 64, 128]): expected allocated, was deallocated: it is a view" in said
        assert f"freed with tensor Shape([1, 1, 64, 128]) at {__file__}:{line}" in said
        assert "--views=ttnn" in said and "\n" not in said


def test_a_source_freed_with_its_view_names_the_view(device: Any) -> None:
    source = ones(device)
    view = ttnn.reshape(source, (1, 64, 128))
    view.deallocate(True)
    line = sys._getframe().f_lineno - 1
    with pytest.raises(RuntimeError) as refused:
        ttnn.relu(source)
    assert f"freed with tensor Shape([1, 64, 128]) (a view of it) at {__file__}:{line}" in str(refused.value)


def test_a_tensor_without_views_is_refused_as_before(device: Any) -> None:
    alone = ones(device)
    ttnn.deallocate(alone)
    with pytest.raises(RuntimeError, match="expected allocated, was deallocated$"):
        ttnn.relu(alone)


@pytest.mark.usefixtures("as_ttnn")
@pytest.mark.parametrize("way", WAYS)
def test_views_go_on_as_ttnns_do(device: Any, way: str) -> None:
    make, stays = WAYS[way]
    source = ones(device)
    view = make(source)
    ttnn.deallocate(source)
    assert (source.is_allocated(), view.is_allocated()) == (False, stays)
    if stays:
        assert (ttnn.add(view, view).to_numpy() == 2).all()
        ttnn.deallocate(view)
        assert not view.is_allocated()
    source = ones(device)
    view = make(source)
    ttnn.deallocate(view)
    assert (source.is_allocated(), view.is_allocated()) == (False, False)


@pytest.mark.usefixtures("as_ttnn")
def test_what_comes_next_lies_where_a_view_still_reads(device: Any) -> None:
    source = ones(device)
    view = ttnn.reshape(source, (1, 64, 128))
    ttnn.deallocate(source)
    following = ones(device)
    assert following.buffer_address() == view.buffer_address()
    with ttnn.graph.capture() as taken:
        ttnn.relu(view)
    assert any(node["params"].get("name") == "UnaryDeviceOperation" for node in taken.nodes if node["params"])


SCRIPT = """
import ttnn
device = ttnn.open_device(device_id=0)
x = ttnn.zeros([1, 4, 64, 128], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
y = ttnn.reshape(x, (1, 1, 256, 128))
ttnn.deallocate(x)
print(list(ttnn.softmax(y, -1).shape))
"""


def run(tmp_path: pathlib.Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "tilemeter.as_ttnn", *options, str(script)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


def test_scripts_choose(tmp_path: pathlib.Path) -> None:
    refused = run(tmp_path)
    assert refused.returncode == 1 and f"{tmp_path / 'script.py'}:6" in refused.stderr
    for done in (run(tmp_path, "--views=ttnn"), run(tmp_path, TILEMETER_VIEWS="ttnn")):
        assert done.returncode == 0 and done.stdout == "[1, 1, 256, 128]\n", done.stderr
    wrong = run(tmp_path, "--views=maybe")
    assert wrong.returncode == 2 and wrong.stderr == "as_ttnn: views: expected 'refuse' or 'ttnn', got 'maybe'\n"
    assert "TILEMETER_VIEWS: views: expected 'refuse' or 'ttnn', got 'no'" in run(tmp_path, TILEMETER_VIEWS="no").stderr
