# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import gc
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy
import pytest

import tilemeter as ttnn
from cases import cases
from conftest import scopes, tiles


def test_a_call_is_a_scope_of_its_python_name_with_the_device_operation_inside(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    b = ttnn.add(a, a)
    nodes = ttnn.graph.end_graph_capture()
    assert scopes(nodes) == ["ttnn.add", "  BinaryNgDeviceOperation", "    tt::tt_metal::create_device_tensor"]
    assert b.is_allocated()


def test_a_dropped_tensor_is_freed_in_a_scope_and_one_that_was_deallocated_leaves_none(device: Any) -> None:
    a, b = tiles(device, 1, 1, 32, 32), tiles(device, 1, 1, 32, 32)
    ttnn.deallocate(b)
    ttnn.graph.begin_graph_capture()
    del a
    del b
    gc.collect()
    assert scopes(ttnn.graph.end_graph_capture()) == ["Tensor::deallocate"]


def test_a_tensor_with_a_view_is_freed_with_the_last_of_them(device: Any) -> None:
    base = tiles(device, 1, 1, 64, 32)
    view = ttnn.reshape(base, [2, 1, 32, 32])
    ttnn.graph.begin_graph_capture()
    del base
    first = scopes(ttnn.graph.end_graph_capture())
    ttnn.graph.begin_graph_capture()
    del view
    assert (first, scopes(ttnn.graph.end_graph_capture())) == ([], ["Tensor::deallocate"])


def test_an_explicit_deallocation_nests_the_tensors_own(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    ttnn.graph.begin_graph_capture()
    ttnn.deallocate(a)
    assert scopes(ttnn.graph.end_graph_capture()) == ["ttnn.deallocate", "  Tensor::deallocate"]


def test_nodes_as_objects_are_those_of_the_report(device: Any, tmp_path: pathlib.Path) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture(tmp_path / "r.json") as taken:
        ttnn.relu(ttnn.add(a, 1.5))
    assert json.loads((tmp_path / "r.json").read_text())["graph"] == taken.nodes
    assert taken.nodes[0]["params"] is None and taken.nodes[1]["connections"]


def test_no_dispatch_plans_what_no_device_could_hold(device: Any) -> None:
    shape = [1, 1, 1 << 16, 1 << 16]
    with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
        huge = ttnn.empty([1, 1, 32, 1 << 16], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
        ttnn.relu(huge)
    assert any(node["node_type"] == "buffer_allocate" for node in taken.nodes), shape


def test_ending_without_a_capture_says_so() -> None:
    with pytest.raises(ttnn.CaptureError, match="no capture is open"):
        ttnn.graph.end_graph_capture()


def test_a_report_that_cannot_be_written_leaves_the_capture_open(device: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    ttnn.graph.begin_graph_capture()
    with pytest.raises(RuntimeError, match="cannot write"):
        ttnn.graph.end_graph_capture_to_file(tmp_path / "file" / "r.json")
    assert ttnn.graph.is_graph_capture_active()
    assert ttnn.graph.end_graph_capture_to_file(tmp_path / "r.json")
    assert not ttnn.graph.is_graph_capture_active()


def _nothing_is_open() -> bool:
    recording = ttnn.graph.recording
    return not ttnn.graph.is_graph_capture_active() and not recording.enabled and not recording.stacks


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [
        ("{tmp}", ttnn.CaptureError, "expected a file, found a directory"),
        ("{tmp}/new/", ttnn.CaptureError, "found that of a folder"),
        ("{tmp}/file/r.json", ttnn.CaptureError, "file/r.json: expected"),
        ("/proc/nope/x.json", ttnn.CaptureError, "/proc/nope/x.json: expected"),
        ("{tmp}/a\0b.json", ttnn.CaptureError, "expected the name of a file"),
        ("", ttnn.CaptureError, "expected the name of a file"),
        ("{tmp}/taken.json", ttnn.CaptureError, "taken.python_io.json: expected a file, found a directory"),
        (123, TypeError, "not int"),
        (["r.json"], TypeError, "not list"),
    ],
)
def test_a_path_where_no_report_can_be_written_is_refused_before_the_work(
    device: Any, tmp_path: pathlib.Path, path: Any, kind: type[Exception], said: str
) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "taken.python_io.json").mkdir()
    path = path.format(tmp=tmp_path) if isinstance(path, str) else path
    before = sorted(tmp_path.rglob("*"))
    for begin in (ttnn.graph.capture, ttnn.graph.full_graph_capture):
        with pytest.raises(kind, match=said) as raised:
            with begin(path):
                pytest.fail("the work began")
        assert "\n" not in str(raised.value) and _nothing_is_open()
        assert ttnn.CONFIG.enable_fast_runtime_mode and not ttnn.graph.is_detailed_buffer_tracing_enabled()
    ttnn.graph.begin_graph_capture()
    with pytest.raises(kind, match=said):
        ttnn.graph.end_graph_capture_to_file(path)
    assert ttnn.graph.is_graph_capture_active() and ttnn.graph.end_graph_capture()
    assert sorted(tmp_path.rglob("*")) == before and (tmp_path / "file").read_text() == "kept"


def test_what_a_capture_cannot_begin_with_leaves_nothing_open(device: Any, tmp_path: pathlib.Path) -> None:
    wrong: list[dict[str, Any]] = [
        {"stream": tmp_path}, {"stream": 5}, {"stream": "a\0b"}, {"run_mode": "NORMAL"},
        {"path": tmp_path / "r.json", "stream": f"{tmp_path}/./r.json"},
    ]
    for arguments in wrong:
        with pytest.raises((ttnn.CaptureError, TypeError)):
            with ttnn.graph.capture(**arguments):
                pytest.fail("the work began")
        assert _nothing_is_open(), arguments
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_written_is_refused_before_the_work(tmp_path: pathlib.Path) -> None:
    """In a process without root's rights, which may write everywhere."""
    script = (
        "import os, tilemeter as ttnn\n"
        "ttnn.open_device(device_id=0)\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "if os.geteuid() == 0: os.seteuid(65534)\n"
        "for path in ('shut/r.json', 'open/kept.json'):\n"
        "    try:\n"
        "        with ttnn.graph.capture(path): print('begun')\n"
        "    except ttnn.CaptureError as error: print(error)\n"
    )
    for name in ("shut", "open"):
        (tmp_path / name).mkdir()
    (tmp_path / "open" / "kept.json").write_text("kept")
    (tmp_path / "open" / "kept.json").chmod(0o444)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "shut").chmod(0o555)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != pathlib.Path("/") and folder.name.startswith("pytest-"):
            folder.chmod(folder.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    (tmp_path / "shut").chmod(0o755)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all("Permission denied" in line for line in lines), done.stdout + done.stderr
    assert (tmp_path / "open" / "kept.json").read_text() == "kept"


def test_a_report_whose_folder_goes_during_the_work_is_kept_in_the_temporary_folder(
    device: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    a = tiles(device, 1, 1, 32, 32)

    def work() -> None:
        ttnn.relu(a)
        (tmp_path / "runs").write_text("a file where the folder was")

    with pytest.raises(ttnn.CaptureError, match="kept in .*temporary.tilemeter_") as raised:
        with ttnn.graph.capture(tmp_path / "runs" / "r.json") as taken:
            work()
    kept = pathlib.Path(str(raised.value).rpartition("kept in ")[2])
    assert _nothing_is_open() and scopes(taken.nodes)[0] == "ttnn.relu"
    assert json.loads(kept.read_text())["graph"] == taken.nodes
    assert json.loads(kept.with_suffix(".python_io.json").read_text()) == taken.python_io

    (tmp_path / "runs").unlink()
    with pytest.warns(RuntimeWarning, match="kept in .*temporary.tilemeter_"), pytest.raises(ValueError, match="its own"):
        with ttnn.graph.capture(tmp_path / "runs" / "r.json"):
            work()
            raise ValueError("the block's, its own")
    assert _nothing_is_open() and len(list((tmp_path / "temporary").iterdir())) == 4

    (tmp_path / "runs").unlink()
    with pytest.raises(ttnn.CaptureError, match="nor could it be kept"):
        with ttnn.graph.capture(tmp_path / "runs" / "r.json") as taken:
            work()
            monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "runs"))
    assert _nothing_is_open() and scopes(taken.nodes)[0] == "ttnn.relu"


def test_a_path_leads_from_where_the_capture_began(
    device: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with ttnn.graph.capture("r.json"):
        tiles(device, 1, 1, 32, 32)
        monkeypatch.chdir(tmp_path / "elsewhere")
    assert (tmp_path / "r.json").exists() and list((tmp_path / "elsewhere").iterdir()) == []


def test_captures_nest_and_each_has_its_own_records(device: Any, tmp_path: pathlib.Path) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture(tmp_path / "outer.json") as outer:
        ttnn.add(a, a)
        with ttnn.graph.capture(tmp_path / "inner.json") as inner:
            ttnn.relu(a)
    assert [record["name"] for record in inner.python_io] == ["ttnn.relu"]
    assert [record["name"] for record in outer.python_io] == ["ttnn.add", "ttnn.relu"]
    assert json.loads((tmp_path / "inner.python_io.json").read_text()) == inner.python_io


def test_what_was_planned_in_an_inner_capture_can_be_used_after_it(device: Any) -> None:
    """As TT-NN's tensors can: without values, of known shape and place."""
    a = tiles(device, 1, 1, 64, 64)
    before = ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_allocated_per_bank
    with ttnn.graph.capture() as outer:
        with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as inner:
            planned = ttnn.add(a, 1.0, memory_config=ttnn.L1_MEMORY_CONFIG)
        made = ttnn.multiply(planned, 2.0, memory_config=ttnn.L1_MEMORY_CONFIG)
        ttnn.deallocate(planned)
    assert scopes(inner.nodes)[0] == "ttnn.add" and [s for s in scopes(outer.nodes) if s[0] != " "] == [
        "ttnn.add", "ttnn.multiply", "ttnn.deallocate"]
    assert made.is_allocated() and not planned.is_allocated()
    view = ttnn.get_memory_view(device, ttnn.BufferType.L1)
    assert view.total_bytes_allocated_per_bank == before + made.buffer_size_per_bank()


def test_threads_end_their_own_captures(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    found: dict[str, list[str]] = {}
    meeting = threading.Barrier(2)

    def work(name: str, operation: Any) -> None:
        meeting.wait()
        ttnn.graph.begin_graph_capture()
        operation(a)
        meeting.wait()
        found[name] = scopes(ttnn.graph.end_graph_capture())

    threads = [threading.Thread(target=work, args=each) for each in (("x", ttnn.relu), ("y", ttnn.exp))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "ttnn.relu" in found["x"] and "ttnn.exp" in found["y"]
    assert not ttnn.graph.is_graph_capture_active()


def test_a_users_scope_surrounds_operations(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture() as taken:
        ttnn.graph.track_function_start('block "q" \n 中文')
        ttnn.relu(a)
        ttnn.graph.track_function_end()
        ttnn.graph.track_function_end()
    assert scopes(taken.nodes)[:2] == ['block "q" \n 中文', "  ttnn.relu"]


def test_stacks_are_in_nodes_and_records_when_enabled(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    ttnn.graph.enable_stack_traces()
    try:
        with ttnn.graph.capture() as taken:
            ttnn.relu(a)
        ttnn.graph.begin_graph_capture()
        ttnn.relu(a)
        nodes = ttnn.graph.end_graph_capture()
    finally:
        ttnn.graph.disable_stack_traces()
    assert "test_capture.py" in taken.python_io[0]["python_stack_trace"][0]
    start = next(node for node in nodes if node["node_type"] == "function_start")
    assert "test_stacks_are_in_nodes" in start["stack_trace"][0]
    python_frames = [line for line in start["stack_trace"] if ", line " in line]
    package = os.path.join(os.path.dirname(os.path.abspath(ttnn.__file__)), "")
    assert not any(package in line.split(",")[0] for line in python_frames)
    assert any("_tilemeter" in line for line in start["stack_trace"][len(python_frames) :])


@pytest.mark.parametrize(
    "place",
    ["{tmp}/tilemeter/model.py", "{tmp}/my tilemeter/model.py", "{package}_models/model.py", "{tmp}/pluggy/model.py",
     "{tmp}/_pytest/model.py", "{tmp}/ttnn/tilemeter/tools/python/tilemeter/model.py"],
)
def test_a_program_in_a_folder_called_as_a_package_keeps_its_frames(
    device: Any, tmp_path: pathlib.Path, place: str
) -> None:
    file = place.format(tmp=tmp_path, package=pathlib.Path(ttnn.__file__).parent)
    names: dict[str, Any] = {}
    exec(compile("def forward(a, relu):\n    return relu(a)\n", file, "exec"), names)
    a = tiles(device, 1, 1, 32, 32)
    ttnn.graph.enable_python_stack_traces()
    try:
        with ttnn.graph.capture() as taken:
            names["forward"](a, ttnn.relu)
    finally:
        ttnn.graph.disable_python_stack_traces()
    stack = taken.python_io[0]["python_stack_trace"]
    assert stack[0].startswith(f'  File "{file}", line 2, in forward') and "test_capture.py" in stack[1]
    assert not any(os.sep + folder + os.sep in frame for frame in stack[1:] for folder in ("_pytest", "pluggy")), stack


def test_frames_of_the_package_are_left_out_when_it_was_found_through_a_link(tmp_path: pathlib.Path) -> None:
    (tmp_path / "link").symlink_to(pathlib.Path(ttnn.__file__).parent.parent)
    script = (
        "import tilemeter as ttnn\n"
        "ttnn.graph.enable_python_stack_traces()\n"
        "print(*ttnn.graph.record_python_operation('mine', (), {})['python_stack_trace'], sep='')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "link")})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == '  File "<string>", line 3, in <module>', done.stdout
    assert done.stdout.count("File") == 1, done.stdout


def test_a_failed_call_leaves_its_error_in_the_record(device: Any) -> None:
    with ttnn.graph.capture() as taken:
        with pytest.raises(RuntimeError):
            ttnn.add(tiles(device, 1, 1, 32, 32), tiles(device, 1, 1, 64, 96))
        with pytest.raises(TypeError):
            ttnn.relu("no tensor")
    errors = [record["error"]["type"] for record in taken.python_io if "error" in record]
    assert errors == ["RuntimeError", "TypeError"]
    assert "ttnn.relu" in scopes(taken.nodes)


def test_leaving_the_interpreter_with_a_capture_open_keeps_its_report(tmp_path: pathlib.Path) -> None:
    script = (
        "import tilemeter as ttnn\n"
        "d = ttnn.open_device(device_id=0)\n"
        f"c = ttnn.graph.capture({str(tmp_path / 'kept.json')!r}); c.__enter__()\n"
        "t = ttnn.zeros([1, 1, 32, 32], device=d)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "ttnn.zeros" in (tmp_path / "kept.json").read_text()


@pytest.mark.parametrize("path", ["{tmp}/gone/r.json", None])
def test_leaving_the_interpreter_keeps_a_report_in_the_temporary_folder(tmp_path: pathlib.Path, path: str | None) -> None:
    script = (
        "import pathlib, tilemeter as ttnn\n"
        "d = ttnn.open_device(device_id=0)\n"
        f"c = ttnn.graph.capture({path and path.format(tmp=tmp_path)!r}); c.__enter__()\n"
        "t = ttnn.zeros([1, 1, 32, 32], device=d)\n"
        f"pathlib.Path({str(tmp_path / 'gone')!r}).write_text('a file')\n"
    )
    (tmp_path / "temporary").mkdir()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TMPDIR": str(tmp_path / "temporary")})
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr
    report = pathlib.Path(done.stderr.rstrip().rpartition("its report: " if path is None else "kept in ")[2])
    assert report.parent == tmp_path / "temporary" and "ttnn.zeros" in report.read_text()
    assert "ttnn.zeros" in report.with_suffix(".python_io.json").read_text()


def test_what_a_killed_process_streamed_becomes_a_report(tmp_path: pathlib.Path) -> None:
    script = (
        "import os, signal\n"
        "import tilemeter as ttnn\n"
        "d = ttnn.open_device(device_id=0)\n"
        f"with ttnn.graph.capture(stream={str(tmp_path / 'events')!r}):\n"
        "    t = ttnn.zeros([1, 1, 32, 32], device=d)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    recovered = ttnn.graph.recover(tmp_path / "events", tmp_path / "r.json")
    assert recovered.process_died and recovered.operations >= 1
    assert "ttnn.zeros" in scopes(json.loads((tmp_path / "r.json").read_text())["graph"])[0]
    with pytest.raises(ValueError, match="absent"):
        ttnn.graph.recover(tmp_path / "absent", tmp_path / "r2.json")
    before = (tmp_path / "events").read_bytes()
    with pytest.raises(ValueError, match="expected a file to write that is no input"):
        ttnn.graph.recover(tmp_path / "events", tmp_path / "events")
    assert (tmp_path / "events").read_bytes() == before


@pytest.mark.parametrize("order", ["before", "during"])
def test_faulthandler_and_the_recording_both_tell_of_a_crash(order: str, tmp_path: pathlib.Path) -> None:
    script = (
        "import ctypes, faulthandler, sys\n"
        "import tilemeter as ttnn\n"
        "if sys.argv[2] == 'before': faulthandler.enable()\n"
        "def read_nowhere() -> None: ctypes.string_at(0)\n"
        "with ttnn.graph.capture(stream=sys.argv[1]):\n"
        "    if sys.argv[2] == 'during': faulthandler.enable()\n"
        "    read_nowhere()\n"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "events", order], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGSEGV
    assert "Fatal Python error: Segmentation fault" in done.stderr and "in read_nowhere" in done.stderr, done.stderr
    recovered = ttnn.graph.recover(tmp_path / "events", tmp_path / "r.json")
    assert recovered.death is not None and recovered.death.startswith("SIGSEGV"), recovered.death


def test_a_capture_that_ends_names_no_death(tmp_path: pathlib.Path) -> None:
    with ttnn.graph.capture(stream=tmp_path / "events"):
        pass
    assert ttnn.graph.recover(tmp_path / "events", tmp_path / "r.json").death is None


def test_buffer_pages_are_in_the_report_when_enabled(device: Any, tmp_path: pathlib.Path) -> None:
    ttnn.graph.enable_buffer_pages()
    try:
        assert ttnn.graph.is_detailed_buffer_tracing_enabled()
        with ttnn.graph.capture(tmp_path / "r.json"):
            kept = tiles(device, 1, 1, 64, 64)
    finally:
        ttnn.graph.disable_buffer_pages()
    assert json.loads((tmp_path / "r.json").read_text())["buffer_pages_by_address"] and kept.is_allocated()
    assert not ttnn.graph.is_detailed_buffer_tracing_enabled()


def test_many_captures_do_not_grow_the_process(device: Any) -> None:
    many = cases(2000)

    def resident() -> int:
        for line in pathlib.Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    a = tiles(device, 1, 1, 32, 32)

    def capture(count: int) -> None:
        for _ in range(count):
            ttnn.graph.begin_graph_capture()
            ttnn.relu(a)
            ttnn.graph.end_graph_capture()

    capture(500)
    before = resident()
    capture(many)
    assert resident() - before < 4096  # KiB


def test_a_hundred_thousand_nodes_become_objects_within_a_second_or_two(device: Any) -> None:
    with ttnn.graph.capture() as taken:
        for _ in range(20000):
            ttnn.graph.track_function_start("step")
            ttnn.graph.track_function_end()
            ttnn.graph.track_function_start("step")
            ttnn.graph.track_function_end()
            ttnn.graph.track_function_start("step")
            ttnn.graph.track_function_end()
    started = time.perf_counter()
    assert len(taken.nodes) == 120002
    assert time.perf_counter() - started < 5  # far above what it takes; machines that run tests are busy


def test_detailed_records_hold_a_graph_per_call_in_slow_mode(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.manage_config("enable_fast_runtime_mode", False), ttnn.graph.capture() as taken:
        ttnn.add(a, a)
    inner = taken.python_io[0]["captured_graph"]
    assert scopes(inner) == ["BinaryNgDeviceOperation", "  tt::tt_metal::create_device_tensor"]
    assert [node["counter"] for node in inner] == list(range(len(inner)))


def test_slow_mode_records_calls_that_give_nothing(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.manage_config("enable_fast_runtime_mode", False), ttnn.graph.capture() as taken:
        ttnn.deallocate(a)
    assert taken.python_io[0]["output_tensor_ids"] == [] and taken.python_io[0]["captured_graph"]


def test_comparison_mode_holds_values_against_golden_functions(device: Any, tmp_path: pathlib.Path) -> None:
    a = ttnn.from_numpy(numpy.linspace(-2, 2, 64 * 64, dtype=numpy.float32).reshape(1, 1, 64, 64),
                        dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with ttnn.manage_config("enable_comparison_mode", True), ttnn.graph.capture(tmp_path / "r.json"):
        b = ttnn.softmax(ttnn.matmul(ttnn.gelu(a), a), dim=-1)
    records = json.loads((tmp_path / "r.comparison_records.json").read_text())["local_tensor_comparison_records"]
    assert [record["matches"] for record in records] == [True] * 3 and records[-1]["tensor_id"] == b.tensor_id


def test_comparison_mode_reads_inputs_and_results_in_the_scope_of_their_operation(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.manage_config("enable_comparison_mode", True), ttnn.graph.capture() as taken:
        ttnn.add(a, a)
        with pytest.raises(RuntimeError):
            ttnn.add(a, tiles(device, 1, 1, 64, 96))
        ttnn.relu(a)
    read = ["  ttnn.to_torch", "    ttnn.from_device", "      Tensor::cpu",
            "    tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"]
    found = scopes(taken.nodes)
    add = ["ttnn.add", *read, *read, "  BinaryNgDeviceOperation", "    tt::tt_metal::create_device_tensor", *read]
    assert found[: len(add)] == add
    assert found.count("ttnn.add") == 2 and found.count("ttnn.relu") == 1  # the failed one closed its scope once
    ends = [node for node in taken.nodes if node["node_type"] == "function_end"]
    assert len(ends) == len(found) and [len(record["input_tensor_ids"]) for record in taken.python_io][0] == 2


def test_comparison_mode_raises_where_values_are_wrong(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    golden = ttnn.get_golden_function(ttnn.relu)
    ttnn.attach_golden_function(ttnn.relu, lambda x, **_: -x)
    try:
        with ttnn.manage_config("enable_comparison_mode", True):
            with ttnn.manage_config("comparison_mode_should_raise_exception", True), ttnn.graph.capture() as taken:
                with pytest.raises(RuntimeError, match="PCC"):
                    ttnn.relu(a)
    finally:
        ttnn.attach_golden_function(ttnn.relu, golden)
    assert taken.python_io[0]["error"]["type"] == "RuntimeError"


def test_analyses_answer_under_ttnns_names(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture() as taken:
        b = ttnn.add(a, a)
    nodes = taken.nodes
    assert ttnn.graph.extract_calltrace(nodes)[0] == "ttnn.add"
    assert ttnn.graph.extract_resource_usage_per_core(nodes).peak_l1 > 0
    assert ttnn.graph.count_intermediate_and_output_tensors(nodes) == (0, 1)
    assert [tuple(info.shape) for info in ttnn.graph.extract_output_info(nodes)] == [(1, 1, 32, 32)]
    assert "Function Start: ttnn.add" in ttnn.graph.pretty_format(nodes)
    assert ttnn.graph.extract_levelized_graph(nodes, 2)
    assert taken.peak().l1.bytes > 0 and "ttnn.add" in taken.peak()._repr_html_()
    assert "ttnn.add" in taken._repr_html_()
    del b


def test_notebooks_begin_with_the_verdict(device: Any) -> None:
    a = tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture() as taken:
        ttnn.add(a, a)
    for shown in (taken._repr_html_(), taken.peak()._repr_html_()):
        assert re.match("<p><b style='color:#1a7f37'>FITS</b> ", shown), shown[:200]
        assert re.search(r"L1 per core: peak <b>[\d.]+ KiB</b>, [\d.]+ % of 1.33 MiB that can be allocated", shown), shown[:600]
    fit = ttnn.graph.fit_workload(lambda n: ttnn.ones([n, 32], device=device, memory_config=ttnn.L1_MEMORY_CONFIG), 1, 4)
    assert fit._repr_html_().startswith("<p><b style='color:#1a7f37'>ALL SIZES FIT, UP TO 4</b>, planned ")


def test_the_largest_batch_that_fits_is_found_by_planning_and_fits(device: Any) -> None:
    def model(batch: int) -> None:
        ttnn.relu(ttnn.ones([batch, 1, 128, 384], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                            memory_config=ttnn.L1_MEMORY_CONFIG))

    before = ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_allocated_per_bank
    fit = ttnn.graph.fit_workload(model, 1, 4096)
    assert fit.largest.fits and fit.first_failing.size == fit.largest.size + 1
    assert fit.first_failing.verdict == "does_not_fit" and fit.first_failing.cause == "clash" and "clash with L1 buffers" in fit.first_failing.message
    model(fit.largest.size)  # for real
    with pytest.raises(ttnn.ProgramMemoryClashError):
        model(fit.first_failing.size)
    smaller = ttnn.graph.fit_workload(model, 1, 4096, max_l1=fit.largest.l1_bytes // 2)
    assert 0 < smaller.largest.size < fit.largest.size
    as_text = ttnn.graph.fit_workload(model, 1, 4096, max_l1=f"{fit.largest.l1_bytes // 2:,} B")
    assert as_text.largest.size == smaller.largest.size
    with pytest.raises(TypeError, match="^fit_workload: max_dram is max_dram_per_bank now"):
        ttnn.graph.fit_workload(model, 1, 4096, max_dram=1)
    for limit, why in ((-5, "a negative one"), ("80%", "found a share"), ("", "found nothing"), (0, "a size above 0")):
        with pytest.raises(ValueError, match=f"^fit_workload: max_l1: .*{why}"):
            ttnn.graph.fit_workload(model, 1, 4096, max_l1=limit)
    with pytest.raises(TypeError, match="^fit_workload: max_dram_per_bank: .*found float"):
        ttnn.graph.fit_workload(model, 1, 4096, max_dram_per_bank=1.5)
    assert ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_allocated_per_bank == before


def test_a_fit_says_its_peak_as_a_formula(device: Any) -> None:
    def rows_of_tiles(rows: int) -> None:
        ttnn.ones([32 * rows, 32 * 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                  memory_config=ttnn.L1_MEMORY_CONFIG)

    fit = ttnn.graph.fit_workload(rows_of_tiles, 1, 256)
    assert fit.largest.size == 256 and fit.first_failing is None
    assert fit.l1.exact and fit.l1.verified > 0 and "rows" in fit.l1.text("rows")
    assert [fit.l1.at(rows) for rows in (1, 100, 256)] == [2048, 204800, 524288]


def test_an_error_that_is_not_about_memory_comes_through_a_fit(device: Any) -> None:
    def broken(size: int) -> None:
        raise ValueError(f"no size {size}")

    with pytest.raises(ValueError, match="no size"):
        ttnn.graph.fit_workload(broken, 1, 8)
