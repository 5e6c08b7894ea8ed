# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""find_peak's answers, and what errors of memory print."""

from __future__ import annotations

import pathlib
import sys
import traceback
import warnings
from typing import Any

import pytest

import tilemeter as ttnn
from conftest import tiles

HERE = pathlib.Path(__file__).name
REPORTS = pathlib.Path(__file__).parents[1] / "data" / "reports"
IN_L1 = {"memory_config": ttnn.L1_MEMORY_CONFIG}


def _line_of(text: str) -> str:
    """file.py:51 of the line of this file that holds the text."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    (number,) = [i for i, line in enumerate(lines, 1) if text in line and "_line_of" not in line]
    return f"{HERE}:{number}"


def test_a_peak_says_who_holds_it_with_line_and_ids(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    ttnn.graph.enable_python_stack_traces()
    try:
        with ttnn.graph.capture() as taken:
            b = ttnn.relu(a, **IN_L1)  # made here
            ttnn.add(a, b, **IN_L1)
    finally:
        ttnn.graph.disable_python_stack_traces()
    answer = taken.peak()
    assert answer.verdict == "fits" and [reason["kind"] for reason in answer.reasons] == ["ran_to_its_end"]
    assert answer.reasons[0]["text"]
    l1 = answer.l1
    assert l1 is not None and l1.bound == "exact"
    assert (l1.limit_bytes, l1.physical_bytes) == (1393312, 1499136)
    (relu,) = [part for part in l1.contributors if part.made_by.startswith("ttnn.relu")]
    assert relu.source_line.endswith(_line_of("# made here"))
    assert relu.viewer_tensor_id == relu.tensor_id == b.tensor_id and relu.name == f"tensor {b.tensor_id}"
    assert l1.source_line.startswith(str(pathlib.Path(__file__).parent))


def test_reprs_say_the_answer_in_one_line(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture() as taken:
        ttnn.add(a, a, **IN_L1)
    answer = taken.peak()
    l1 = answer.l1
    assert l1 is not None
    assert repr(answer).startswith(f"<PeakAnswer fits WORMHOLE_B0 8x8, L1 per core {l1.bytes:,} B (")
    assert repr(answer).endswith("DRAM per bank nothing>") and "\n" not in repr(answer)
    assert repr(l1).startswith(f"<MemoryPeak {l1.bytes:,} B (") and f"(node {l1.node})" in repr(l1)
    assert "\n" not in repr(l1)
    (older,) = [part for part in l1.contributors if part.before_window]
    assert repr(older).startswith(f"<Contributor 2,048 B  persistent  {older.name}  Shape([1, 1, 32, 32])")
    assert str(answer).startswith("fits: WORMHOLE_B0 8x8\n") and "1,393,312 B that can be allocated" in str(answer)


def test_what_failed_is_a_lower_bound(device: Any) -> None:
    kept = [tiles(device, 1, 1, 2048, 2048)]
    with ttnn.graph.capture() as taken:
        with pytest.raises(ttnn.OutOfMemoryError):
            while True:
                kept.append(ttnn.relu(kept[0], **IN_L1))
    answer = taken.peak()
    assert answer.verdict == "does_not_fit" and answer.reasons[0]["kind"] == "memory_refused"
    assert answer.reasons[0]["bytes"] == 2048 * 2048 * 2 // 64
    assert answer.l1 is not None and answer.l1.bound == "at_least" and answer.l1.stale_bytes == 0
    assert "DOES NOT FIT</b>" in answer._repr_html_()


def test_what_is_no_capture_is_refused_in_words(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="node 0 of the list: expected a dict with a 'node_type', found {'a': 1}"):
        ttnn.graph.find_peak([{"a": 1}])
    with pytest.raises(ValueError, match="node 1 of the list"):
        ttnn.graph.find_peak([{"node_type": "capture_start"}, 3])
    with pytest.raises(TypeError, match="expected a capture, a node list or the path of a report, found int"):
        ttnn.graph.find_peak(5)
    with pytest.raises(FileNotFoundError, match="nofile"):
        ttnn.graph.find_peak("nofile")
    (tmp_path / "bad.json").write_text('{"graph": [')
    with pytest.raises(ValueError, match="bad.json"):
        ttnn.graph.find_peak(tmp_path / "bad.json")
    (tmp_path / "other.json").write_text('{"a": 1}')
    nothing = ttnn.graph.find_peak(tmp_path / "other.json")
    assert nothing.verdict == "unknown" and nothing.reasons[0]["kind"] == "no_graph"
    assert "No device memory was touched" not in str(nothing)


def test_a_report_of_ttnn_names_tensors_as_the_viewer_does() -> None:
    answer = ttnn.graph.find_peak(REPORTS / "error_oom.n150.NORMAL" / "report.json")
    assert answer.l1 is not None
    assert [(part.tensor_id, part.viewer_tensor_id) for part in answer.l1.contributors][-1] == (19, 20)


def test_a_traceback_of_lack_of_memory_says_who_holds_it(device: Any) -> None:
    kept = [tiles(device, 1, 1, 2048, 2048)]
    with pytest.raises(ttnn.OutOfMemoryError) as raised:
        while True:
            kept.append(ttnn.relu(kept[0], **IN_L1))
    error = raised.value
    printed = "".join(traceback.format_exception_only(type(error), error))
    assert "in ttnn.relu, device" in printed and "who holds it, bytes per bank:" in printed
    assert all(f"{tensor.buffer_address():,}" in printed for tensor in kept)
    assert printed.count("who holds it") == 1 and error.explanation.count("who holds it") == 1
    words = str(error).splitlines()
    assert words[0].startswith("TT_FATAL") or "Out of Memory" in str(error)
    if sys.version_info >= (3, 11):
        assert "who holds it" not in str(error)


def test_a_traceback_of_a_clash_says_who_holds_it(device: Any) -> None:
    kept = [tiles(device, 1, 1, 2048, 2048) for _ in range(10)]
    wide = tiles(device, 1, 1, 32, 8192, memory_config=ttnn.DRAM_MEMORY_CONFIG)
    with pytest.raises(ttnn.ProgramMemoryClashError) as raised:
        ttnn.softmax(wide, dim=-1, memory_config=ttnn.DRAM_MEMORY_CONFIG)
    printed = "".join(traceback.format_exception_only(type(raised.value), raised.value))
    assert "in ttnn.softmax, device" in printed and f"{kept[-1].buffer_address():,}" in printed


def test_a_capture_without_values_records_what_one_with_them_does() -> None:
    def captured(values: bool) -> tuple[int, int, ttnn.Tensor]:
        device = ttnn.open_device(device_id=0)
        with ttnn.graph.capture(values=values) as taken:
            x = ttnn.full((256, 256), 0.5, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
            y = ttnn.softmax(ttnn.matmul(x, x, memory_config=ttnn.L1_MEMORY_CONFIG), dim=-1)
        return len(taken.nodes), y.buffer_address(), y

    nodes, address, with_values = captured(True)
    ttnn.close_device(with_values.device())
    same_nodes, same_address, without = captured(False)
    assert (nodes, address) == (same_nodes, same_address)
    with pytest.raises(RuntimeError, match=r"values of tensor Shape\(\[256, 256\]\): not computed, for a capture without values"):
        ttnn.relu(without).to_list()
    later = ttnn.ones((32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=without.device())
    assert ttnn.add(later, 1.0).to_list()[0][0] == 2.0
    ttnn.close_device(without.device())


def test_figures_that_subtract_what_is_older_than_the_capture_come_with_a_warning(device: Any) -> None:
    def ones(rows: int, columns: int) -> Any:
        return ttnn.ones([rows, columns], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                         memory_config=ttnn.L1_MEMORY_CONFIG)

    old, a = ones(2048, 512), ones(64, 64)  # 32,768 and 2,048 bytes per core
    with ttnn.graph.capture() as taken:
        ttnn.deallocate(old)
        b = ttnn.relu(a)
    with pytest.warns(ttnn.graph.OlderThanCaptureWarning, match="1 buffer of L1 older than the capture, 32,768 bytes per core, was freed"):
        usage = ttnn.graph.extract_resource_usage_per_core(taken.nodes)
    assert usage.peak_l1 == 2**64 - 32768 + 2048, "as TT-NN counts"
    with pytest.warns(ttnn.graph.OlderThanCaptureWarning, match="extract_peak_L1_memory_usage"):
        ttnn.graph.extract_peak_L1_memory_usage(taken.nodes)
    peak = taken.peak().l1
    assert peak.bytes == 32768 + 2048 and "older than the capture" in str(taken.explain(at=0))
    with ttnn.graph.capture() as taken:
        c = ttnn.relu(b)
        ttnn.deallocate(c)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ttnn.graph.extract_resource_usage_per_core(taken.nodes)
        ttnn.graph.extract_peak_L1_memory_usage(taken.nodes)
