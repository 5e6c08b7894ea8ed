# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The verbs of the program in Python: the program's answers, of captures in memory as of files."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import termios
import threading
from typing import Any, Iterator

import pytest

import tilemeter as ttnn
from conftest import tiles
from test_captures_in_verbs import PROGRAM

MIB = 2**20


def program(*arguments: str | pathlib.Path) -> tuple[int, str]:
    done = subprocess.run([PROGRAM, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode in (0, 3, 4), done.stderr
    return done.returncode, done.stdout


def same_as_program(answer: ttnn.graph.Answer, *arguments: str | pathlib.Path) -> None:
    assert (answer.status, answer.text) == program(answer.verb, *arguments)
    assert answer.data == json.loads(program(answer.verb, *arguments, "--json")[1])


@pytest.fixture
def report(device: Any, tmp_path: pathlib.Path) -> pathlib.Path:
    a = tiles(device, 1, 1, 64, 64)
    with ttnn.graph.capture(tmp_path / "report.json"):
        ttnn.relu(ttnn.add(a, a), memory_config=ttnn.L1_MEMORY_CONFIG)
    return tmp_path / "report.json"


@pytest.fixture
def failed(device: Any) -> Iterator[ttnn.graph.Capture]:
    """A capture whose last operation finds no room in L1."""
    kept: list[Any] = []
    ttnn.graph.enable_python_stack_traces()
    try:
        with pytest.raises(ttnn.OutOfMemoryError):
            with ttnn.graph.capture() as taken:
                for _ in range(2):
                    kept.append(tiles(device, 1, 1, 4608, 4096))
                ttnn.softmax(kept[0], dim=-1)
        yield taken
    finally:
        ttnn.graph.disable_python_stack_traces()


def test_of_a_file_the_answers_are_the_programs(report: pathlib.Path) -> None:
    name = str(report)
    same_as_program(ttnn.graph.explain(report), name)
    same_as_program(ttnn.graph.explain(name, at=3), "--at=3", name)
    same_as_program(ttnn.graph.fit(report, "p150", allow_incomplete=True), "--device=p150", "--allow-incomplete", name)
    same_as_program(ttnn.graph.check(report, max_l1=MIB), "--max-l1=1048576", name)
    same_as_program(ttnn.graph.check(name, max_l1=1), "--max-l1=1", name)
    limits = ("--max-dram-per-bank=1%", "--max-dram-total=1GiB", "--baseline", name, "--max-growth=2%")
    same_as_program(
        ttnn.graph.check(name, max_dram_per_bank="1%", max_dram_total="1GiB", baseline=report, max_growth="2%"), *limits, name
    )
    same_as_program(ttnn.graph.diff(report, name), name, name)
    same_as_program(ttnn.graph.diff(report, name, max_growth="2%"), "--exit-code", "--max-growth=2%", name, name)
    same_as_program(ttnn.graph.timeline(report), name)
    same_as_program(ttnn.graph.timeline(report, alive_at_end=True, top=3), "--alive-at-end", "--top=3", name)
    same_as_program(ttnn.graph.tree(report), name)
    same_as_program(ttnn.graph.tightest(report, memory="dram", top=2), "--memory=dram", "--top=2", name)
    same_as_program(ttnn.graph.levelized(report, max_level=2), "--max-level=2", name)
    assert ttnn.graph.html(report) == program("html", name)[1]
    assert ttnn.graph.svg(report, max_level=1) == program("svg", "--max-level=1", name)[1]
    assert ttnn.graph.perfetto(report, programs_from=report) == program("perfetto", "--programs-from", name, name)[1]


def test_of_a_capture_in_memory_they_are_those_of_its_report(device: Any, tmp_path: pathlib.Path) -> None:
    a = tiles(device, 1, 1, 64, 64)
    with ttnn.graph.capture(tmp_path / "report.json") as taken:
        ttnn.relu(ttnn.add(a, a), memory_config=ttnn.L1_MEMORY_CONFIG)
    file = tmp_path / "report.json"
    for answer in (taken.fit, taken.explain, taken.timeline, lambda: taken.check(max_l1=MIB)):
        of_memory = answer()
        limits = {"max_l1": MIB} if of_memory.verb == "check" else {}
        of_file = getattr(ttnn.graph, of_memory.verb)(file, **limits)
        assert of_memory.text.replace("capture: ", f"{file}: ") == of_file.text
        assert of_memory.verdict == of_file.verdict and of_memory.status == of_file.status
    assert ttnn.graph.fit(taken).data == ttnn.graph.fit(file).data
    for method in ("tree", "levelized", "tightest"):
        assert getattr(taken, method)().data == getattr(ttnn.graph, method)(file).data
    assert taken.diff(file, max_growth=0).status == 0 and "<b>" not in taken.timeline()._repr_html_()
    assert taken.svg()._repr_svg_() == str(taken.svg()) and taken.svg()._repr_svg_().startswith("<svg")
    assert "ttnn.relu" in taken.svg() and "ttnn.relu" in taken.perfetto()


def test_what_it_took_before_may_be_in_memory_too(device: Any) -> None:
    taken = []
    for size in (64, 128):
        with ttnn.graph.capture() as each:
            tiles(device, 1, 1, size, 1024)
        taken.append(each)
    small, large = taken
    assert large.check(baseline=small, max_growth="2%").status == 3 and small.check(baseline=large).status == 0
    assert large.check(max_l1="1%").verdict == "fits" and large.check(max_l1=2048).status == 3
    grown = ttnn.graph.diff(small, large, max_growth="2%")
    assert grown.status == 3 and ttnn.graph.diff(small, small, max_growth="0").status == 0
    assert "before" in grown.text and "after" in grown.text
    # Programs that the first capture recorded serve the second.
    assert ttnn.graph.explain(small, programs_from=large).status == ttnn.graph.fit(small, programs_from=small).status == 0


def test_a_capture_in_memory_knows_why_it_failed_and_on_which_line(failed: ttnn.graph.Capture) -> None:
    assert failed.fit().verdict == "does_not_fit" and failed.fit().status == 3
    assert "Not enough space to allocate 37748736 B" in json.dumps(failed.explain().data)
    trace = json.loads(failed.perfetto())["traceEvents"]
    sources = [event["args"].get("source") for event in trace if event.get("name") == "ttnn.softmax" and event["ph"] == "X"]
    assert len(sources) == 1 and re.fullmatch(rf"{re.escape(__file__)}:\d+", sources[0])
    assert ttnn.graph.fit(failed.nodes).verdict != "fits"  # without the records, too


def test_an_answer_is_data_and_text_and_has_no_truth_value(report: pathlib.Path) -> None:
    answer = ttnn.graph.fit(report)
    assert answer.verdict == "fits" == answer["verdict"] == answer.data["verdict"]
    assert [reason["kind"] for reason in answer.reasons] == ["ran_to_its_end"] and answer.reasons == answer["reasons"]
    assert "verdict" in answer and "schema" in set(answer) and answer == ttnn.graph.fit(report)
    assert str(answer) == answer.text and repr(answer) == answer.text.rstrip("\n")
    assert answer.text.startswith("fits: ")
    with pytest.raises(TypeError, match=r"^an answer of fit is neither true nor false: ask for its verdict"):
        bool(answer)


def test_an_answer_is_escaped_in_a_notebook_and_short_where_it_is_long() -> None:
    answer = ttnn.graph.Answer("fit", 0, {"schema": "tilemeter.fit/1", "verdict": "fits"}, "fits: <b>\n" + "line & line\n" * 100)
    shown = answer._repr_html_()
    assert shown.startswith("<pre style=") and "><b>fits: &lt;b&gt;</b>\nline &amp; line\n" in shown
    assert repr(answer).splitlines()[-1] == "... 41 more lines in its text"


def test_what_is_printed_meanwhile_stays_where_it_belongs(report: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(ttnn.graph.tree(report).text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1 and len(answers) == 4 and "ttnn.relu" in answers[0]
    assert capfd.readouterr() == ("", "")


def test_a_narrow_terminal_cuts_no_answer(report: pathlib.Path) -> None:
    terminal, standard_output = os.openpty()
    try:
        fcntl.ioctl(standard_output, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 30, 0, 0))
        ask = "import sys, tilemeter; sys.stderr.write(tilemeter.graph.timeline(sys.argv[1]).text)"
        done = subprocess.run(
            [sys.executable, "-c", ask, report], stdout=standard_output, stderr=subprocess.PIPE, text=True, check=True
        )
    finally:
        os.close(terminal)
        os.close(standard_output)
    assert done.stderr == program("timeline", report)[1]


def test_pages_and_traces_are_written_too(report: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for draw, name in ((ttnn.graph.html, "a.html"), (ttnn.graph.svg, "-b.svg"), (ttnn.graph.perfetto, "c.json")):
        text = draw(report, tmp_path / name)
        assert (tmp_path / name).read_text() == text == draw(report)
    before = report.read_text()
    with pytest.raises(ValueError, match="report.json"):
        ttnn.graph.html(report, report)
    assert report.read_text() == before


def test_show_is_a_frame_in_a_notebook_and_a_file_elsewhere(
    report: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    place = ttnn.graph.show(report)
    assert pathlib.Path(str(place)).parent == tmp_path and pathlib.Path(str(place)).read_text() == ttnn.graph.html(report)
    assert ttnn.graph.show(report, tmp_path / "page.html") == str(tmp_path / "page.html")

    class Shell:
        kernel = object()

    class IPython:
        get_ipython = staticmethod(Shell)

    monkeypatch.setitem(sys.modules, "IPython", IPython)  # type: ignore[arg-type]
    frame = ttnn.graph.show(report, height=300)
    assert frame.text == ttnn.graph.html(report)
    assert frame._repr_html_().startswith('<iframe srcdoc="&lt;!') and "height:300px" in frame._repr_html_()


def test_a_capture_and_a_file_of_one_name_are_two(
    device: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ttnn.graph.capture("before"):
        tiles(device, 1, 1, 32, 32)
    with ttnn.graph.capture() as taken:
        tiles(device, 1, 1, 64, 64)
    one, other = ttnn.graph.diff(taken, "before"), ttnn.graph.diff("before", taken)
    assert re.findall(r"^(before|after) +(.*?)  ", one.text, re.M) == [("before", "before"), ("after", "./before")]
    assert re.findall(r"^(before|after) +(.*?)  ", other.text, re.M) == [("before", "before"), ("after", "after")]
    assert "Shape([1, 1, 64, 64]) BFLOAT16 TILE -> L1 Shape([1, 1, 32, 32])" in one.text
    assert "Shape([1, 1, 32, 32]) BFLOAT16 TILE -> L1 Shape([1, 1, 64, 64])" in other.text
    same_name = ttnn.graph.diff("before", "before", programs_from=taken)
    assert same_name.text.endswith("no difference\n")
    pathlib.Path("before").rename("-x")
    assert ttnn.graph.tree("-x").text.count("ttnn.ones") == 1


@pytest.mark.parametrize(
    ("call", "error", "line"),
    [
        (lambda g: g.fit("absent.json"), FileNotFoundError, "Report path does not exist: absent.json"),
        (lambda g: g.find_peak("absent.json"), FileNotFoundError, "Report path does not exist: absent.json"),
        (lambda g: g.fit(5), TypeError, "fit: expected a capture, a node list or the path of a report, found int"),
        (lambda g: g.find_peak(None), TypeError,
         "find_peak: expected a capture, a node list or the path of a report, found NoneType"),
        (lambda g: g.find_peak([{"a": 1}]), ValueError, "find_peak: node 0 of the list: expected a dict with a 'node_type', found {'a': 1}"),
        (lambda g: g.tree([1]), ValueError, "tree: node 0 of the list: expected a dict with a 'node_type', found 1"),
        (lambda g: g.explain(), TypeError, "explain: expected a capture, a node list, a report or a message"),
        (lambda g: g.recover(5, 6), TypeError,
         "recover: expected (recording: str | os.PathLike, path: str | os.PathLike), found (int, int)"),
        (lambda g: g.track_function_start(5), TypeError, "track_function_start: expected (function_name: str), found (int)"),
        (lambda g: g.begin_graph_capture("NORMAL"), TypeError,
         "run_mode: expected ttnn.graph.RunMode.NORMAL or ttnn.graph.RunMode.NO_DISPATCH, found 'NORMAL'"),
        (lambda g: g.capture(run_mode="NO_DISPATCH").__enter__(), TypeError,
         "run_mode: expected ttnn.graph.RunMode.NORMAL or ttnn.graph.RunMode.NO_DISPATCH, found 'NO_DISPATCH'"),
        (lambda g: g.fit_workload(print, smallest=5, largest=1), ValueError,
         "fit_workload: expected smallest <= largest, found smallest 5, largest 1"),
        (lambda g: g.fit_workload(5), TypeError, "fit_workload: workload: expected a function of the size, found int"),
        (lambda g: g.fit_workload(print, 1.5), TypeError, "fit_workload: smallest: expected a whole number, found 1.5"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_in_one_line(call: Any, error: type[Exception], line: str) -> None:
    with pytest.raises(error) as raised:
        call(ttnn.graph)
    assert str(raised.value) == line
    assert not ttnn.graph.is_graph_capture_active()


def test_limits_and_devices_that_are_none_are_told_with_pythons_names(report: pathlib.Path) -> None:
    for call in (
        lambda: ttnn.graph.check(report, max_l1="much"),
        lambda: ttnn.graph.check(report),
        lambda: ttnn.graph.fit(report, "n900"),
        lambda: ttnn.graph.fit(report, trace_region="50%"),
    ):
        with pytest.raises(ValueError) as raised:
            call()
        assert "\n" not in str(raised.value) and "--" not in str(raised.value) and "tilemeter:" not in str(raised.value)
    with pytest.raises(ValueError, match=r"^trace_region: expected bytes, found a share: 50%$"):
        ttnn.graph.fit(report, trace_region="50%")


def test_a_block_is_used_once(device: Any) -> None:
    block = ttnn.graph.capture()
    with block:
        pass
    with pytest.raises(ttnn.graph.CaptureError, match=r"^this capture has been used: each block needs a new one"):
        with block:
            pass
    calls = []

    @ttnn.graph.capture()
    def work() -> None:
        calls.append(ttnn.graph.is_graph_capture_active())

    work()
    work()
    assert calls == [True, True] and not ttnn.graph.is_graph_capture_active()


def test_a_shape_that_is_none_is_told_by_its_size(device: Any, capfd: pytest.CaptureFixture[str]) -> None:
    for call, line in (
        (lambda: ttnn.ones([1, 1, -4, 64]),
         "ttnn.ones: shape: expected sizes of 0 to 4,294,967,295, found -4 at index 2 of [1, 1, -4, 64]"),
        (lambda: ttnn.full(fill_value=1, shape=(2**32, 1)),
         "ttnn.full: shape: expected sizes of 0 to 4,294,967,295, found 4294967296 at index 0 of (4294967296, 1)"),
    ):  # fmt: skip
        with pytest.raises(ValueError) as raised:
            call()
        assert str(raised.value) == line
    with pytest.raises(TypeError, match="incompatible function arguments"):
        ttnn.reshape("no tensor", [-1, 32])
    with pytest.raises(ValueError, match=r"^ttnn.ones: shape: expected whole numbers, found 2.5 at index 1 of \[1, 2.5\]$"):
        ttnn.ones([1, 2.5])
    assert capfd.readouterr() == ("", "")


def test_objects_say_the_answer(device: Any) -> None:
    with ttnn.graph.capture() as taken:
        assert repr(taken) == "<capture that has not ended>"
        tiles(device, 1, 1, 32, 32)
    assert repr(taken).splitlines()[0] == f"capture of {len(taken)} nodes, {taken.fit().text.splitlines()[0]}"
    assert repr(taken).splitlines()[1:] == taken.fit().text.splitlines()[1:]
    view = ttnn.get_memory_view(device, ttnn.BufferType.DRAM)
    assert repr(view) == (
        f"{view.num_banks} banks of {view.total_bytes_per_bank:,} bytes each: {view.total_bytes_allocated_per_bank:,} "
        f"allocated, {view.total_bytes_free_per_bank:,} free, largest free block "
        f"{view.largest_contiguous_bytes_free_per_bank:,}"
    )

    def rows_of_tiles(rows: int) -> None:
        tiles(device, 32 * rows, 32 * 64)

    fit = ttnn.graph.fit_workload(rows_of_tiles, 1, 256)
    assert repr(fit) == str(fit) and repr(fit.largest) == (
        "size 256 fits: L1 524,288 bytes per core, DRAM 0 bytes per bank; L1 fullest in ttnn.ones > Tensor::to_device"
    )
    assert repr(fit).splitlines()[:2] == ["the largest size asked for fits: 256", f"  {fit.largest!r}"]
    assert f"  L1 per core by size n: {fit.l1.text('n')}" in repr(fit).splitlines()
    small = ttnn.graph.fit_workload(rows_of_tiles, 1, 256, max_l1=204800)
    assert repr(small).splitlines()[0] == "largest size that fits: 100"
    assert repr(small.first_failing).startswith("size 101 does not fit")
    assert ttnn.graph.fit_workload(rows_of_tiles, 8, 9, max_l1=1).largest is None
    assert repr(ttnn.graph.fit_workload(rows_of_tiles, 8, 9, max_l1=1)).splitlines()[0] == "no size fits"
