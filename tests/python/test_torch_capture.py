# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Live captures of PyTorch: without it, what can be told; with it, peaks to the byte beside PyTorch's own profiler."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

import tilemeter
import tilemeter.torch
from tilemeter._src.live import library, stand_in
from tilemeter._src.live.capture import summary_of
from tilemeter._src.live.fit import TorchFit
from tilemeter._src.live.late_import import after_import
from tilemeter._src.live.tables import ALLOCATE, FREE, Buffer, Recorder

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
needs_no_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")


def python(*words: object, folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False
    )


def metadata(report: pathlib.Path) -> dict:
    return json.loads(report.read_text())["metadata"]


def errors(report: pathlib.Path) -> list[dict]:
    return [node["params"] for node in json.loads(report.read_text())["graph"] if node["node_type"] == "error"]


def peak_bytes(report: pathlib.Path) -> int:
    return tilemeter.graph.fit(report)["dram"]["peak_bytes_per_bank"]


def test_the_package_does_not_import_torch(tmp_path: pathlib.Path) -> None:
    done = python("-c", "import sys, tilemeter, tilemeter.torch; print('torch' in sys.modules)", folder=tmp_path)

    assert done.stdout == "False\n", done.stderr


@needs_no_torch
def test_a_capture_without_torch_is_refused_in_one_line(tmp_path: pathlib.Path) -> None:
    with pytest.raises(tilemeter.CaptureError, match="^cannot capture PyTorch: it is not here"):
        tilemeter.torch.capture(tmp_path / "r.json")
    assert not (tmp_path / "r.json").exists()


def test_a_report_that_cannot_be_written_is_refused_before_the_program(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')")

    done = python("-m", "tilemeter.torch", "--out", "/proc/r.json", "program.py", folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "/proc/r.json" in done.stderr


@pytest.mark.parametrize(("words", "said"), [((), "which program?"), (("missing.py",), "missing.py: expected a script"), (("-m", "no_such_module"), "there is no module")])
def test_a_program_that_is_not_there_is_refused(words: tuple[str, ...], said: str, tmp_path: pathlib.Path) -> None:
    done = python("-m", "tilemeter.torch", *words, folder=tmp_path)

    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1


def test_a_program_without_torch_runs_as_it_does_and_its_status_is_kept(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text("import sys\nprint(sys.argv[1:], __name__)\nsys.exit(7)\n")

    done = python("-m", "tilemeter.torch", "program.py", "--out", "x", folder=tmp_path)

    assert done.returncode == 7 and done.stdout == "['--out', 'x'] __main__\n"
    assert done.stderr == "tilemeter: the program never imported torch: there is no report\n"
    assert not (tmp_path / "torch.json").exists()


def test_something_is_done_once_after_a_module_was_imported(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "imported_late.py").write_text("value = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    seen = []
    after_import("imported_late", lambda: seen.append(sys.modules["imported_late"].value))
    assert seen == []

    import imported_late  # type: ignore[import-not-found]

    assert seen == [3] and type(imported_late.__loader__).__name__ == "SourceFileLoader"
    after_import("imported_late", lambda: seen.append("at once"))
    assert seen == [3, "at once"]


def test_what_is_told_through_the_tables_is_in_the_report_with_who_told_it(tmp_path: pathlib.Path) -> None:
    recorder = Recorder("a framework", "1.2", ["a missing part"])
    recorder.announce(3, "A DEVICE", 1 << 20)
    capture = recorder.begin(None)
    emit, emitter = recorder.emit, recorder.emitter
    buffer = Buffer(id=0, address=4096, size_bytes=1000, size_per_bank_bytes=1000, page_size_bytes=1000, device=3)
    emit.function_begin(emitter, recorder.text("made"), 1, 0)
    emit.argument_integer(emitter, recorder.text("sequence"), 12)
    emit.buffer(emitter, ALLOCATE, ctypes.byref(buffer))
    emit.function_end(emitter)
    emit.buffer(emitter, FREE, ctypes.byref(buffer))
    recorder.end(capture, str(tmp_path / "r.json"))

    report = json.loads((tmp_path / "r.json").read_text())
    assert report["metadata"]["observed"] == [{"name": "a framework", "version": "1.2", "git_sha": "", "missing": ["a missing part"]}]
    start = next(node for node in report["graph"] if node["node_type"] == "function_start")
    assert start["params"]["name"] == "made" and start["arguments"] == ["sequence=12"]
    assert [(each["device_id"], each["arch"]) for each in report["devices"]] == [(3, "A DEVICE")]
    assert peak_bytes(tmp_path / "r.json") == 1000


@pytest.fixture
def sources(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder of sources, and a cache of its own."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "a.cpp").write_text('extern "C" __attribute__((visibility("default"))) int answer() { return ANSWER; }\n')
    monkeypatch.setattr(library, "sources_folder", lambda: folder)
    monkeypatch.setenv("TILEMETER_CACHE_DIR", str(tmp_path / "cache"))
    return folder


def test_a_library_is_built_once_and_anew_for_other_sources_or_options(sources: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = library.build("liba.so", ["-DANSWER=1"], ["a.cpp"], [], "key")
    again = library.build("liba.so", ["-DANSWER=1"], ["a.cpp"], [], "key")
    other = library.build("liba.so", ["-DANSWER=2"], ["a.cpp"], [], "key")
    (sources / "a.cpp").write_text((sources / "a.cpp").read_text().replace("ANSWER;", "ANSWER + 1;"))
    changed = library.build("liba.so", ["-DANSWER=2"], ["a.cpp"], [], "key")

    assert first == again and len({first, other, changed}) == 3
    assert [ctypes.CDLL(str(each)).answer() for each in (first, other, changed)] == [1, 2, 3]
    assert capfd.readouterr().err.count("once") == 3
    assert sorted(path.name for path in first.parent.iterdir()) == ["liba.so"]


def test_light_headers_come_first_where_the_compiler_takes_them(sources: pathlib.Path) -> None:
    (sources / "a.cpp").write_text('#include <b.h>\nextern "C" __attribute__((visibility("default"))) int answer() { return ANSWER; }\n')
    (sources / "heavy").mkdir()
    (sources / "heavy/b.h").write_text("#define ANSWER 1\n")
    (sources / "light_b.h").write_text("#define ANSWER 2\n")
    (sources / "wrong_b.h").write_text("#error of another release\n")
    options = [f"-isystem{sources / 'heavy'}"]

    light = library.build("liba.so", options, ["a.cpp"], ["light_b.h"], "light", light={"b.h": "light_b.h"})
    heavy = library.build("liba.so", options, ["a.cpp"], ["wrong_b.h"], "heavy", light={"b.h": "wrong_b.h"})

    assert [ctypes.CDLL(str(each)).answer() for each in (light, heavy)] == [2, 1]


def test_sources_that_a_compiler_refuses_are_told_in_one_line(sources: pathlib.Path) -> None:
    with pytest.raises(library.BuildError, match="refused liba.so: .*ANSWER") as error:
        library.build("liba.so", [], ["a.cpp"], [], "key")

    assert "\n" not in str(error.value)
    assert not list(sources.parent.glob("cache/**/*.so"))


def test_without_a_compiler_one_line_says_so(sources: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(sources))
    monkeypatch.delenv("CXX", raising=False)

    with pytest.raises(library.BuildError, match="^no C[+][+] compiler is here"):
        library.build("liba.so", ["-DANSWER=1"], ["a.cpp"], [], "key")


def test_a_cache_that_cannot_be_written_is_told(sources: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_CACHE_DIR", "/proc/tilemeter")

    with pytest.raises(library.BuildError, match="^/proc/tilemeter"):
        library.build("liba.so", ["-DANSWER=1"], ["a.cpp"], [], "key")


def test_the_package_has_the_sources_that_it_builds() -> None:
    for each in (*library.SOURCES, *library.HEADERS, *stand_in.SOURCES):
        assert (library.sources_folder() / each).is_file(), each


# ---- lower bounds


UNSEEN = "memory of elsewhere"


@pytest.fixture(scope="module")
def lower_bound(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A report of a system that says that it does not tell all memory."""
    report = tmp_path_factory.mktemp("lower_bound") / "r.json"
    recorder = Recorder("a system (lower bound)", "1", ["what is older", f"lower bound: {UNSEEN}"])
    capture = recorder.begin(None)
    recorder.emit.function_begin(recorder.emitter, recorder.text("work"), 0, 0)
    buffer = Buffer(id=1, address=4096, size_bytes=1000, size_per_bank_bytes=1000, page_size_bytes=1000)
    recorder.emit.buffer(recorder.emitter, ALLOCATE, ctypes.byref(buffer))
    recorder.emit.function_end(recorder.emitter)
    recorder.announce(0, "CPU", 5000)
    recorder.end(capture, str(report))
    return report


@pytest.mark.parametrize("verb", [("peak",), ("fit",), ("explain",), ("summary",), ("timeline",), ("tree",), ("tightest",), ("html",), ("svg",)])
def test_a_lower_bound_is_said_by_every_verb(verb: tuple[str, ...], lower_bound: pathlib.Path, tmp_path: pathlib.Path) -> None:
    done = python("-m", "tilemeter", *verb, str(lower_bound), folder=tmp_path)

    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "at least" in said or "lower bounds" in said or UNSEEN in said, said


@pytest.mark.parametrize("verb", ["peak", "fit", "summary", "timeline", "tree", "tightest", "explain"])
def test_a_lower_bound_is_in_the_json_of_every_verb(verb: str, lower_bound: pathlib.Path, tmp_path: pathlib.Path) -> None:
    done = python("-m", "tilemeter", verb, str(lower_bound), "--json", folder=tmp_path)

    answer = json.loads(done.stdout)
    reasons = answer["reasons"] if "reasons" in answer else answer["judgement"]["reasons"]
    assert [each["detail"] for each in reasons if each["kind"] == "memory_not_seen"] == [UNSEEN]
    if verb in ("peak", "fit"):
        assert (answer["dram"]["bound"], answer["dram"]["peak_bytes_per_bank"]) == ("at_least", 1000)


def test_a_lower_bound_proves_that_something_does_not_fit_and_not_that_it_does(lower_bound: pathlib.Path, tmp_path: pathlib.Path) -> None:
    above = python("-m", "tilemeter", "check", "--max-dram-per-bank", "999", str(lower_bound), folder=tmp_path)
    below = python("-m", "tilemeter", "check", "--max-dram-per-bank", "2000", str(lower_bound), folder=tmp_path)

    assert above.returncode == 3, above.stdout
    assert below.returncode == 4 and UNSEEN in below.stdout, below.stdout


# ---- GPUs that are modelled


@pytest.mark.parametrize(("text", "expected"), [("24GiB", (24 << 30, 1)), ("80GiBx8", (80 << 30, 8)), ("1.5GB", (1_500_000_000, 1)), ("512 MiB x 2", (512 << 20, 2))])
def test_a_gpu_is_a_size_and_a_number(text: str, expected: tuple[int, int]) -> None:
    assert stand_in.parsed_gpu(text) == expected


@pytest.mark.parametrize("text", ["", "24", "GiB", "24GiBx", "24GiBx0", "24GiBx65", "-1GiB", "24 gib", "1PiB", "99999TiB", "24GiB and more"])
def test_what_is_no_gpu_is_refused_in_one_line(text: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="expected a size") as error:
        tilemeter.torch.fit(print, [1], gpu=text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_gpu_that_is_modelled_and_another_device_are_refused_together(device: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')")

    done = python("-m", "tilemeter.torch", "--gpu", "24GiB", "--device", device, "program.py", folder=tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--gpu and --device: expected one of them, found both" in done.stderr


def test_a_program_that_left_the_gpu_alone_is_told_so(lower_bound: pathlib.Path, tmp_path: pathlib.Path) -> None:
    recorder = Recorder("a framework", "1.2", [])
    capture = recorder.begin(None)
    recorder.emit.function_begin(recorder.emitter, recorder.text("work"), 0, 0)
    recorder.emit.function_end(recorder.emitter)
    recorder.end(capture, str(tmp_path / "r.json"))

    assert summary_of(tmp_path / "r.json", True, False).endswith(
        "r.json: peak 0 B; nothing was allocated on the GPU (of the host's memory: --device cpu, without --gpu)")
    assert summary_of(tmp_path / "r.json", False, False).endswith("r.json: peak 0 B")
    assert summary_of(lower_bound, True, True).endswith("r.json: peak at least 1,000 B")


def test_names_that_a_library_lacks_are_read_from_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.cpp").write_text('extern "C" int cudaThere(); extern "C" int ours() { return 1; } extern "C" int calls() { return cudaThere() + ours(); }\n')
    subprocess.run([*library.compiler(), "-shared", "-fPIC", "a.cpp", "-o", "liba.so"], cwd=tmp_path, check=True)

    names = set(stand_in.undefined_names(tmp_path / "liba.so"))

    assert "cudaThere" in names and not {"ours", "calls"} & names


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"\x7fELF\x01\x01" + bytes(60), b"text" * 30])
def test_a_file_that_is_no_library_is_refused(content: bytes, tmp_path: pathlib.Path) -> None:
    (tmp_path / "liba.so").write_bytes(content)

    with pytest.raises(library.BuildError, match="liba.so: expected an ELF library"):
        list(stand_in.undefined_names(tmp_path / "liba.so"))


@needs_no_torch
def test_without_torch_nothing_is_modelled(tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text("print('ran')")
    with pytest.raises(tilemeter.CaptureError, match="^cannot model a GPU: PyTorch is not here"):
        tilemeter.torch.fit(print, [1])

    done = python("-m", "tilemeter.torch", "--gpu", "24GiB", "program.py", folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1


# ---- with PyTorch

STEP = """
import sys, json, torch, tilemeter.torch
torch.manual_seed(0)
def step(net, optimizer, x):
    net(x).square().mean().backward(); optimizer.step(); optimizer.zero_grad()
net = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 64))
optimizer = torch.optim.AdamW(net.parameters())
x = torch.randn(32, 64)
"""
MEMORY = """
def memory(profile):
    profile.export_chrome_trace("trace.json")
    events = [e for e in json.load(open("trace.json"))["traceEvents"] if e.get("name") == "[memory]" and e["args"]["Device Type"] == 0]
    now = peak = 0
    for e in sorted(events, key=lambda e: e["args"]["Ev Idx"]):
        now += e["args"]["Bytes"]
        peak = max(peak, now)
    return peak
"""


def program(folder: pathlib.Path, text: str) -> pathlib.Path:
    (folder / "program.py").write_text(text)
    return folder / "program.py"


@needs_torch
def test_the_peak_of_the_host_is_the_profilers_to_the_byte(tmp_path: pathlib.Path) -> None:
    text = STEP + MEMORY + """
with torch.profiler.profile(profile_memory=True) as profile, tilemeter.torch.capture("r.json"):
    for _ in range(2): step(net, optimizer, x)
print(memory(profile))
"""
    done = python(program(tmp_path, text), folder=tmp_path)

    assert done.returncode == 0, done.stderr
    assert peak_bytes(tmp_path / "r.json") == int(done.stdout) > 0
    observed = metadata(tmp_path / "r.json")["observed"]
    assert [each["name"] for each in observed] == ["PyTorch, live"]


@needs_torch
def test_a_backward_function_has_the_sequence_of_its_forward_one(tmp_path: pathlib.Path) -> None:
    done = python(program(tmp_path, STEP + 'with tilemeter.torch.capture("r.json"):\n    net(x).sum().backward()\n'), folder=tmp_path)

    assert done.returncode == 0, done.stderr
    starts = [node for node in json.loads((tmp_path / "r.json").read_text())["graph"] if node["node_type"] == "function_start"]
    sequences = {name: {a for node in starts if node["params"]["name"].endswith(name) for a in node["arguments"] if a.startswith("sequence=")} for name in ("aten::gelu", "GeluBackward0")}
    assert sequences["aten::gelu"] and sequences["GeluBackward0"] <= sequences["aten::gelu"]


@needs_torch
def test_an_exception_is_an_error_of_the_report(tmp_path: pathlib.Path) -> None:
    text = STEP + """
with tilemeter.torch.capture("r.json"):
    step(net, optimizer, x)
    raise ValueError("no more\\nof this")
"""
    done = python(program(tmp_path, text), folder=tmp_path)

    assert done.returncode == 1 and "ValueError: no more" in done.stderr
    assert [(each["error_type"], each["error_message"]) for each in errors(tmp_path / "r.json")] == [("ValueError", "no more")]


@needs_torch
def test_a_whole_program_is_captured_with_its_status(tmp_path: pathlib.Path) -> None:
    text = STEP.replace(", tilemeter.torch", "") + "step(net, optimizer, x)\nsys.exit(3)\n"
    program(tmp_path, text)
    done = python("-m", "tilemeter.torch", "--out", "r.json", "program.py", folder=tmp_path)

    assert done.returncode == 3 and "tilemeter: " in done.stderr and "r.json: peak " in done.stderr
    assert [each["error_type"] for each in errors(tmp_path / "r.json")] == ["SystemExit"]
    assert peak_bytes(tmp_path / "r.json") > 4 * (64 * 256 * 2 + 256 + 64)


@needs_torch
def test_without_a_compiler_the_peak_is_a_lower_bound_and_named_so(tmp_path: pathlib.Path) -> None:
    text = STEP + MEMORY + """
with torch.profiler.profile(profile_memory=True) as profile, tilemeter.torch.capture("r.json"):
    step(net, optimizer, x)
print(memory(profile))
"""
    done = python(program(tmp_path, text), folder=tmp_path, CXX="/nowhere/c++", PATH="/nowhere", TILEMETER_CACHE_DIR=str(tmp_path / "cache"))

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("lower bound") == 1 and "no C++ compiler" in done.stderr
    assert 0 < peak_bytes(tmp_path / "r.json") <= int(done.stdout)
    assert metadata(tmp_path / "r.json")["observed"][0]["name"] == "PyTorch, live (lower bound)"
    assert tilemeter.graph.fit(tmp_path / "r.json")["dram"]["bound"] == "at_least"


@needs_torch
def test_a_forked_process_leaves_the_report_alone(tmp_path: pathlib.Path) -> None:
    text = STEP + """
import os
with tilemeter.torch.capture("r.json"):
    child = os.fork()
    if child == 0:
        torch.empty(1 << 24)
        sys.exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not os.path.exists("r.json")
    torch.empty(1000)
"""
    done = python(program(tmp_path, text), folder=tmp_path)

    assert done.returncode == 0, done.stderr
    assert peak_bytes(tmp_path / "r.json") == 4000


@needs_torch
def test_threads_of_the_program_add_up(tmp_path: pathlib.Path) -> None:
    text = STEP + """
import threading
kept = []
def work(number):
    for i in range(50): torch.empty(1000 * number)
    kept.append(torch.empty(number))
with tilemeter.torch.capture("r.json"):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for each in threads: each.start()
    for each in threads: each.join()
"""
    done = python(program(tmp_path, text), folder=tmp_path)

    assert done.returncode == 0, done.stderr
    live = 0
    for node in json.loads((tmp_path / "r.json").read_text())["graph"]:
        if node["node_type"] in ("buffer_allocate", "buffer_deallocate"):
            live += int(node["params"]["size"]) * (1 if node["node_type"] == "buffer_allocate" else -1)
    assert live == 4 * (1 + 2 + 3 + 4)


@needs_torch
@pytest.mark.parametrize("verb", [("peak",), ("timeline",), ("tree",), ("html",), ("explain",), ("fit",)])
def test_verbs_take_the_report(verb: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    done = python(program(tmp_path, STEP + 'with tilemeter.torch.capture("r.json"):\n    step(net, optimizer, x)\n'), folder=tmp_path)
    assert done.returncode == 0, done.stderr

    ran = python("-m", "tilemeter", *verb, "r.json", folder=tmp_path)

    assert ran.returncode == 0 and ran.stdout, ran.stderr


FIT = """
import sys, torch, tilemeter.torch
def step(batch):
    net = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 1024)).cuda()
    net(torch.randn(batch, 1024, device="cuda")).square().mean().backward()
def stopped(number):
    if number == 0: torch.nn.Conv2d(3, 8, 3).cuda()(torch.zeros(4, 3, 32, 32, device="cuda"))
    if number == 1: sys.exit(9)
    if number == 2: raise ValueError("of its own")
    import os
    x = torch.ones(8, 8, device="cuda")
    if number == "item()": return x.sum().item()
    if number == "bool": return 1 if x.sum() > 2 else 2
    if number == "nonzero()": return x.nonzero()
    if number == "mask": return x[x > 0]
    if number == "unique()": return x.unique()
    if number == "NCCL":
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
        torch.distributed.init_process_group("nccl", rank=0, world_size=1, init_method="file://" + os.path.abspath("group"))
        torch.distributed.all_reduce(x)
    if number == "Triton": return torch.compile(lambda x: (x * 2 + 1).relu().sum(-1))(x)
    if number == "cuFFT": return torch.fft.fft(x)
    if number == "cuSOLVER": return torch.linalg.qr(x)
    if number == "CUDA graph":
        with torch.cuda.graph(torch.cuda.CUDAGraph()): x + 1
REFUSED = ["item()", "bool", "nonzero()", "mask", "unique()", "NCCL", "Triton", "cuFFT", "cuSOLVER", "CUDA graph"]
if __name__ == "__main__":
    import json
    print(json.dumps(tilemeter.torch.fit(step, [64, 1024, 1 << 20], gpu="1GiB", reports="reports")))
    print(json.dumps(tilemeter.torch.fit(stopped, [0, 1, 2])))
    print(json.dumps(tilemeter.torch.fit(stopped, REFUSED)))
    print(json.dumps(tilemeter.torch.fit(stopped, ["item()"], values="zeros")))
"""
TORCH = importlib.util.find_spec("torch")
needs_cuda_build = pytest.mark.skipif(
    TORCH is None or not (pathlib.Path(TORCH.origin or "").parent / "lib/libc10_cuda.so").exists(), reason="torch built for CUDA is not installed"
)


@needs_cuda_build
def test_sizes_fit_until_one_does_not_and_what_cannot_run_is_named(tmp_path: pathlib.Path) -> None:
    done = python(program(tmp_path, FIT), folder=tmp_path)

    assert done.returncode == 0, done.stderr
    sizes, stopped, refused, zeros = map(json.loads, done.stdout.splitlines())
    assert [row["fits"] for row in sizes] == [True, True, False]
    assert sizes[2]["stopped_by"] == "OutOfMemoryError" and sizes[0]["peak_bytes"] < sizes[1]["peak_bytes"] <= 1 << 30
    for number, row in enumerate(sizes):
        assert peak_bytes(tmp_path / "reports" / f"{number}.json") == row["peak_bytes"]
    assert metadata(tmp_path / "reports/0.json")["observed"][0]["name"] == "PyTorch, on a modelled GPU"
    assert [each["error_type"] for each in errors(tmp_path / "reports/2.json")] == ["torch.OutOfMemoryError"] * 2
    assert [row["fits"] for row in stopped] == [None, None, None]
    words = {"bool": "bool()", "mask": "nonzero()"}  # a mask's places are asked for first
    for row in refused:
        assert row["fits"] is None and words.get(row["size"], row["size"]) in row["message"] and "modelled" in row["message"], row
    assert zeros[0]["fits"] is True
    assert "cuDNN" in stopped[0]["message"] and stopped[1]["message"] == "exit status 9" and stopped[2]["message"] == "of its own"


def test_a_size_that_stopped_has_at_least_what_it_took_until_then() -> None:
    row = {"size": 1, "peak_bytes": 5000, "reserved_bytes": 6000, "stopped_by": None, "message": None}
    stopped = row | {"size": 2, "stopped_by": "RuntimeError", "message": "of its own"}

    said = str(TorchFit("24GiB", [row | {"fits": True}, stopped | {"fits": None}, stopped | {"fits": False}])).splitlines()

    assert [("peak 5,000 B" in line, "peak at least 5,000 B" in line) for line in said[1:]] == [(True, False), (False, True), (False, True)]


@needs_cuda_build
def test_a_program_runs_on_gpus_that_are_modelled_with_its_status(tmp_path: pathlib.Path) -> None:
    text = "import sys, torch\nprint(torch.cuda.device_count())\nx = torch.zeros(1000, device='cuda:1')\nsys.exit(5)\n"
    program(tmp_path, text)

    done = python("-m", "tilemeter.torch", "--gpu", "80GiBx2", "--out", "r.json", "program.py", folder=tmp_path)

    assert (done.returncode, done.stdout) == (5, "2\n") and "modelled, not run" in done.stderr
    assert peak_bytes(tmp_path / "r.json") == 4000
