# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The contract of --json: what the programs print is what the schemas and tools/tilemeter/JSON.md say."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterator

import pytest

from shared_folder import SHARED
from test_captures_in_verbs import PACKAGE, PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "tests" / "data" / "schemas"
ADD = ROOT / "tests/data/capture/add.n150.NORMAL.report.json"
DOCUMENT = ROOT / "tools" / "tilemeter" / "JSON.md"
if not SCHEMAS.is_dir():
    pytest.skip("the checkout's schemas are not here", allow_module_level=True)
jsonschema = pytest.importorskip("jsonschema")
referencing = pytest.importorskip("referencing")

# Beside the module lies `tilemeter` alone.
GRAPH_REPORT = next(
    (path for path in (PROGRAM.with_name("graph_report"), PACKAGE.parents[2] / "bin" / "graph_report") if path.exists()), None
)
LARGEST = 1_000_000  # bytes of a report: larger ones say nothing new about members


def schemas() -> dict[str, Any]:
    return {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in SCHEMAS.glob("*.schema.json")}


ALL = schemas()
REGISTRY = referencing.Registry().with_resources(
    (schema["$id"], referencing.Resource.from_contents(schema)) for schema in ALL.values()
)
VALIDATORS = {name: jsonschema.Draft202012Validator(schema, registry=REGISTRY) for name, schema in ALL.items()}

# "@" is the report, OUT a file to write, ADD another report, BUDGET limits of operations.
FORMS = [
    ["peak", "@"], ["peak", "@", "--top", "1", "--by", "line"], ["peak", "@", "--by", "operation", "--memory", "l1"],
    ["peak", "@", "--by", "shape", "--memory", "dram", "--programs-from", "@"],
    ["check", "@", "--max-l1", "80%"], ["check", "@", "--max-l1", "1", "--max-dram-per-bank", "1", "--max-dram-total", "1"],
    ["check", "@", "--baseline", "@"], ["check", "@", "--max-l1", "1MiB", "--allow-incomplete"], ["check", "@", "--budget", "BUDGET"],
    ["check", "@", "--baseline", "ADD"], ["diff", "@", "@"], ["diff", "ADD", "@"], ["diff", "@", "ADD", "--exit-code"],
    ["explain", "@"], ["explain", "@", "--at", "9"], ["explain", "@", "--programs-from", "@"],
    ["summary", "@"], ["fit", "@"], ["fit", "@", "--device", "p150"], ["fit", "@", "--allow-incomplete"],
    ["timeline", "@"], ["timeline", "@", "--late"], ["timeline", "@", "--late", "--top", "1"],
    ["timeline", "@", "--at", "0"], ["timeline", "@", "--at", "9"], ["timeline", "@", "--alive-at-end"],
    ["timeline", "@", "--placement"], ["tree", "@"], ["tree", "@", "--programs-from", "@"], ["print", "@"],
    ["print", "@", "--ttnn"], ["levelized", "@"], ["levelized", "@", "--as-ttnn"], ["levelized", "@", "--max-level", "3"],
    ["configs", "@"], ["tightest", "@"], ["tightest", "@", "--memory", "dram", "--top", "1"], ["figures", "@"], ["figures", "@", "--programs-from", "@"], ["svg", "@", "-o", "OUT"],
    ["svg", "@", "--dot", "-o", "OUT"], ["perfetto", "@", "-o", "OUT"], ["html", "@", "-o", "OUT"],
    ["export", "@", "OUT"],
]


def reports() -> list[pathlib.Path]:
    folders = [ROOT / "tests" / "data", SHARED / "reports"]
    found = (path for folder in folders for path in folder.rglob("*report.json"))
    return sorted(path for path in found if path.stat().st_size <= LARGEST)


def call(*arguments: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


def expect_valid(name: str, text: str) -> Any:
    answer = json.loads(text)
    errors = [f"{error.json_path}: {error.message[:200]}" for error in VALIDATORS[name].iter_errors(answer)]
    assert not errors, errors[:3]
    return answer


def expect_error(done: subprocess.CompletedProcess[str], status: int) -> Any:
    assert (done.returncode, done.stderr.count("\n")) == (status, 1), (done.args, done.stdout, done.stderr)
    answer = expect_valid("error", done.stdout)
    assert answer["status"] == status
    assert done.stderr.partition(": ")[2] == answer["message"] + "\n", done.stderr
    return answer


def test_schemas_are_schemas() -> None:
    for name, schema in ALL.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"] == f"{name}.schema.json"
        if name != "definitions":
            assert schema["properties"]["schema"] == {"const": f"tilemeter.{name}/1"}


def test_a_schema_refuses_what_it_does_not_name() -> None:
    answer = json.loads(call("fit", ADD, "--json").stdout)
    assert VALIDATORS["fit"].is_valid(answer)
    assert not VALIDATORS["fit"].is_valid({**answer, "more": 1})
    assert not VALIDATORS["fit"].is_valid({**answer, "l1": {**answer["l1"], "peak_bytes_per_core": "18432"}})
    assert not VALIDATORS["fit"].is_valid({**answer, "reasons": [{"kind": "no_such", "text": ""}]})


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_every_verb_answers_as_its_schema_says(form: list[str], tmp_path: pathlib.Path) -> None:
    found = reports()
    assert len(found) >= 20
    budget = tmp_path / "budget.json"
    budget.write_text('{"max_l1": "1 MiB", "operations": {"ttnn.add": {"max_l1": 4096, "max_dram_total": 1}}}')

    def answer_about(place: int) -> None:
        words = {"@": str(found[place]), "OUT": str(tmp_path / str(place)), "ADD": str(ADD), "BUDGET": str(budget)}
        done = call(*(words.get(word, word) for word in form), "--json")
        if done.returncode == 1:  # names that this form needs are not in this list
            assert expect_error(done, 1)["found"] == "Call stack not empty" if "--dot" in form else "--placement" in form
            return
        if "--at" in form and done.returncode == 2:
            assert re.search("expected (a|the number of a) node below", expect_error(done, 2)["message"])
            return
        assert done.stderr == "" and done.returncode in ((0, 3, 4) if form[0] in ("fit", "check") or "--exit-code" in form else (0,)), (done.args, done.stderr)
        answer = expect_valid(form[0], done.stdout)
        if form[0] in ("svg", "perfetto", "html"):
            assert pathlib.Path(answer["file"]).stat().st_size == answer["size_bytes"]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(answer_about, range(len(found))))


def test_an_import_answers_as_its_schema_says(tmp_path: pathlib.Path) -> None:
    snapshot, module, report = tmp_path / "s.pickle", tmp_path / "m.hlo.pb", tmp_path / "s.json"
    assert expect_valid("export", call("export", ADD, snapshot, "--json").stdout)["entries"] > 0
    answer = expect_valid("import", call("import", snapshot, report, "--json").stdout)
    assert answer["kind"] == "observed" and "modules" not in answer
    # HloProto: a module's name, and an assignment with one allocation of 9 bytes.
    module.write_bytes(b"\x0a\x03\x0a\x01f" + b"\x1a\x04\x1a\x02\x10\x09")
    answer = expect_valid("import", call("import", module, tmp_path / "reports", "--json").stdout)
    assert [(each["module"], each["total_bytes"]) for each in answer["modules"]] == [("f", 9)]
    expect_error(call("import", ADD, report, "--json"), 1)


def test_answers_about_no_report_are_as_their_schemas_say(tmp_path: pathlib.Path) -> None:
    assert expect_valid("overhead", call("overhead", "--repeats", "1", "--json").stdout)["levels"]
    subprocess.run([sys.executable, "-m", "tilemeter.graph_report", ADD, tmp_path, "--quiet"], check=True)
    answer = expect_valid("summary", call("summary", tmp_path / "db.sqlite", "--json").stdout)
    assert (answer["verdict"], answer["reasons"][0]["kind"]) == ("unknown", "no_graph")
    assert answer["captures"][0]["l1"]["bound"] == "at_least"


def test_a_graph_is_described_as_its_schema_says(tmp_path: pathlib.Path) -> None:
    graph = ROOT / "tests" / "data" / "trace" / "square_of_softmax.graph"
    for form in ("text", "table", "trace", "flat", "stablehlo", "html"):
        answer = expect_valid("graph", call("graph", graph, "--as", form, "--json").stdout)
        assert (answer["parameter_count"], answer["equation_count"]) == (2, 5)
        assert answer["operations"] == {"add": 1, "exp": 1, "mul": 2, "softmax": 1}
        assert answer["text"] == call("graph", graph, "--as", form).stdout
    answer = expect_valid("graph", call("graph", graph, "--passes", "--json").stdout)
    assert sum(each["changed"] for each in answer["passes"]) == 2  # the product made twice, exp that nobody uses
    assert answer["after"]["operations"] == {"add": 1, "mul": 1, "softmax": 1}
    lowered = expect_valid("graph", call("graph", graph, "--lower", "--json").stdout)
    assert lowered["operations"]["reduce_max"] == 1 and "softmax" not in lowered["operations"]
    bad = tmp_path / "bad.graph"
    bad.write_text("tilemeter graph 1\n\ngraph @f(%x: f32[2]) in call {\n  %0 = exp(%y) : f32[2]\n  return %0\n}\n")
    assert str(bad) in expect_error(call("graph", bad, "--json"), 1)["message"]
    assert "expected 'tilemeter graph 1'" in expect_error(call("graph", "/dev/zero", "--json"), 1)["message"]  # has no end


def test_sizes_are_answered_as_their_schema_says(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "f.graph"
    graph.write_text("tilemeter graph 1\n\ngraph @f(%x: f32[b,64], %w: f32[64,32*n]) in call {\n"
                     "  %0 = matmul(%x, %w) : f32[b,32*n]\n  return %0\n}\n")
    answer = expect_valid("sizes", call("sizes", graph, "--with", "n=2", "--to", "70", "--json").stdout)
    assert (answer["all_fit"], answer["size"], answer["next"], answer["not_known"]) == (True, "b", None, [])
    assert [each["size"] for each in answer["computed"]] == list(range(1, 71))
    assert {each["verdict"] for each in answer["computed"]} == {"fits"} and answer["dram_jumps"] == answer["l1_jumps"] == []
    assert "70 sizes, all computed" in call("sizes", graph, "--with", "n=2", "--to", "70").stdout
    expect_error(call("sizes", graph, "--json"), 2)  # the choice of b and n is open
    expect_error(call("sizes", graph, "--with", "n", "--json"), 2)
    assert "'m'" in expect_error(call("sizes", graph, "--size", "b", "--with", "n=2,m=1", "--json"), 1)["message"]


def test_a_plans_memory_is_told_as_its_schema_says(tmp_path: pathlib.Path) -> None:
    code = (
        "import sys, tilemeter as ttnn, tilemeter.trace as trace\n"
        "device = ttnn.open_device(device_id=0)\n"
        "x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)\n"
        "config = ttnn.create_sharded_memory_config([64, 64], ttnn.CoreGrid(y=1, x=2), ttnn.ShardStrategy.HEIGHT)\n"
        "def loss(w):\n"
        "    spread = ttnn.to_memory_config(ttnn.exp(w), config)\n"
        "    return ttnn.mean(ttnn.multiply(ttnn.to_memory_config(ttnn.relu(spread), ttnn.DRAM_MEMORY_CONFIG), w))\n"
        "plan = trace.plan(lambda w: w - trace.value_and_grad(loss)(w)[1] * 0.1, x)\n"
        "plan.save_memory(sys.argv[1])\n"
        "plan.memory_html(sys.argv[1] + '.html')\n"
    )
    memory = tmp_path / "memory.json"
    subprocess.run([sys.executable, "-c", code, memory], check=True)
    page = tmp_path / "page.html"
    answer = expect_valid("memory", call("memory", memory, "--json", "--html", page).stdout)
    assert answer == json.loads(memory.read_text())
    assert page.read_text() == memory.with_name("memory.json.html").read_text()
    assert "{[0-0 - 1-0]}" in {each["cores"] for each in answer["buffers"]}
    text = call("memory", memory).stdout
    dearest, grid = answer["saved"][0], answer["compute_grid"]
    assert f"The way back keeps {len(answer['saved'])} buffer(s), dearest first:" in text and grid == [8, 8]
    assert f"{dearest['bytes']:,}  " in text and f"{dearest['made_by']['equation']} {dearest['made_by']['operation']}" in text
    assert f"L1 per core: {answer['l1_per_core']['bytes']:,} B in equation {answer['l1_per_core']['equation']} " in text
    assert call("memory", memory, "--top", "0").stdout.count("\n") < 10 < text.count("\n")
    for path, value, words in (
        (["buffers", 0, "readers"], [999], r"buffers\[0\].readers\[0\]: expected an equation below \d+, found 999"),
        (["saved", 0, "needed_by"], [{}], r"saved\[0\].needed_by\[0\].equation: expected an equation below \d+, found nothing"),
        (["l1_per_core", "alive"], [-1], r"l1_per_core.alive\[0\]: expected a buffer below \d+, found -1"),
        (["report"], {"version": 1}, r"bad.json: report: expected"),
        (["sizes"], {"schema": "tilemeter.peak/1"}, r"sizes: expected tilemeter.sizes/1, found something else"),
        (["schema"], "tilemeter.peak/1", r'schema: expected tilemeter.memory/1, found "tilemeter.peak/1"'),
    ):
        wrong = json.loads(memory.read_text())
        inner = wrong
        for word in path[:-1]:
            inner = inner[word]
        inner[path[-1]] = value
        bad = tmp_path / "bad.json"
        bad.write_text(json.dumps(wrong))
        assert re.search(words, expect_error(call("memory", bad, "--json", "--html", page), 1)["message"])
        assert not VALIDATORS["memory"].is_valid(wrong) or value == [999] or path == ["report"]
    expect_error(call("memory", ADD, "--json"), 1)
    expect_error(call("memory", tmp_path / "absent", "--json"), 1)


TENSOR = {"shape": [1, 1, 64, 64], "dtype": "bfloat16", "layout": "TILE"}
IN_L1 = {**TENSOR, "memory_config": {"memory_layout": "INTERLEAVED", "buffer_type": "L1"}}
ALIVE = {"buffer_type": "L1", "address": 1_400_000 // 32 * 32, "size_per_bank": 2048}
QUESTIONS = [
    {"op": "softmax", "inputs": [IN_L1], "args": {"dim": -1}},
    {"op": "relu", "inputs": [IN_L1], "state": [ALIVE]},
    {"op": "add", "inputs": [IN_L1, IN_L1], "state": [{**ALIVE, "address": 110_592}]},
    {"op": "add", "inputs": [IN_L1, IN_L1], "state": [{**ALIVE, "address": 110_592}], "ignore_clashes": True},
    {"op": "no_such_thing", "inputs": []},
    {"op": "relu", "inputs": [IN_L1], "state": [ALIVE, ALIVE]},
    {"op": "relu", "inputs": [{"shape": [1]}]},
    {"op": "relu"},
    {"op": "matmul", "inputs": [IN_L1, {**IN_L1, "shape": [1, 1, 32, 32]}]},
]


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_questions_are_answered_as_their_schema_says(tmp_path: pathlib.Path, jobs: str) -> None:
    lines = [json.dumps(each) for each in QUESTIONS]
    lines.insert(4, "no JSON {")
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(lines) + "\n")
    done = call("query", file, "--jobs", jobs)
    answers = [expect_valid("query", line) for line in done.stdout.splitlines()]
    assert [each["line"] for each in answers] == list(range(1, len(lines) + 1))
    kinds = [each["refusal"] and each["refusal"]["kind"] for each in answers]
    assert kinds == [None, None, "clash", None] + ["bad_argument"] * 6
    assert answers[1]["new_state"] == [ALIVE, {**ALIVE, "address": answers[1]["outputs"][0]["address"]}]
    assert "expected a JSON object, found no JSON {" in answers[4]["error"] and "no_such_thing" in answers[5]["error"]
    assert "overlaps record 0" in answers[6]["error"] and "dtype" in answers[7]["error"] and "inputs" in answers[8]["error"]
    assert done.returncode == 1 and "5 of 10 lines are no questions, the first is line 5" in done.stderr
    again = subprocess.run([PROGRAM, "query", "-"], input=file.read_text(), capture_output=True, text=True, check=False)
    assert again.stdout == done.stdout


PLACED = """
import sys, tilemeter as ttnn
from tilemeter import trace
device = ttnn.open_device(device_id=0)
def tensor(*shape): return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
def f(x, w):
    branches = [ttnn.relu(ttnn.exp(x)) for _ in range(3)] + [ttnn.softmax(ttnn.linear(x, w, activation="gelu"), dim=-1)]
    pieces = ttnn.split(ttnn.concat(branches, dim=3), 2048, 3)
    total = ttnn.add(pieces[0], ttnn.permute(ttnn.transpose(pieces[1], 2, 3), (0, 1, 3, 2)))
    return ttnn.typecast(ttnn.multiply(total, 2.0), ttnn.float32), ttnn.sum(pieces[3], dim=-1)
trace.trace_graph(f, (tensor(1, 1, 1024, 2048), tensor(2048, 2048))).save(sys.argv[1])
cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(7, 7))])
rows = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR))
trace.trace_graph(lambda x: ttnn.to_memory_config(x, rows) + 1, (tensor(1, 1, 2048, 64),)).save(sys.argv[2])
trace.trace_graph(lambda x: trace.exp(x), (trace.array([1.0]),)).save(sys.argv[3])
"""


def test_placed_programs_are_answered_as_their_schema_says(tmp_path: pathlib.Path) -> None:
    graph, shards, arrays, report = (tmp_path / name for name in ("graph", "shards", "arrays", "report.json"))
    subprocess.run([sys.executable, "-c", PLACED, graph, shards, arrays], check=True)
    last = None
    for budget in ("30%", "60%", "100%"):
        answer = expect_valid("place", call("place", graph, "--l1", budget, "-o", report, "--json").stdout)
        assert answer["least_dram_bytes"] <= answer["dram_bytes"] <= answer["greedy_dram_bytes"] <= answer["all_dram_bytes"]
        assert answer["peak_l1_bytes_per_core"] <= answer["l1_bytes_per_core"]
        assert last is None or answer["dram_bytes"] + answer["moved_bytes"] <= last
        last = answer["dram_bytes"] + answer["moved_bytes"]
        assert all((each["why"] is not None) == (each["memory_config"]["buffer_type"] == "DRAM") for each in answer["places"])
        assert {each["source"] for each in answer["places"]} <= {"<string>:7", "<string>:8", "<string>:9", "<string>:10"}
        names = [each["operation"] for each in answer["places"]]
        assert names[:2] == ["ttnn.exp", "ttnn.relu"] and "ttnn.split" in names and "ttnn.sum" not in names
        assert expect_valid("fit", call("fit", report, "--json").stdout)["verdict"] == "fits"
    assert last < 0.5 * answer["all_dram_bytes"]
    text = call("place", graph, "--l1", "30%").stdout
    assert " calls, " in text and "peak of L1: " in text and "; in L1 no place for " in text
    piped = subprocess.run([PROGRAM, "place", "-", "--json"], input=graph.read_text(), capture_output=True, text=True, check=True)
    assert expect_valid("place", piped.stdout)["dram_bytes"] == answer["dram_bytes"]
    module = ROOT / "tests" / "data" / "compiled" / "attention_o0.mlir"
    answer = expect_valid("place", call("place", module, "--json").stdout)
    assert (answer["board"], answer["call_count"], answer["dram_bytes"]) == ("p150", 29, answer["least_dram_bytes"])
    assert expect_valid("place", call("place", ROOT / "tests/data/compiled/conv_o2.mlir", "--json").stdout)["board"] == "p150"
    for words, status, text in (
        ((graph, "--l1", "1kB"), 1, "graph: place: l1: expected more than 1000 B per core"),
        ((graph, "--l1", "much"), 2, "place: --l1: "), ((graph, "--board", "n151"), 2, "n151"),
        ((graph, "--function", "main"), 2, "place: --function: expected a compiled program"),
        ((module, "--function", "absent"), 1, "absent"), ((arrays,), 1, "expected a graph of TT-NN's calls"),
        ((shards,), 1, "expected an argument that a graph says whole, found shards"), ((ADD,), 1, ADD.name),
        ((tmp_path / "absent",), 1, "absent"),
    ):
        assert text in expect_error(call("place", *words, "--json"), status)["message"], words


def test_phases_show_what_the_practice_asks_for() -> None:
    phases = {each["phase"]: each["text"] for each in expect_valid("phases", call("phases", "--json").stdout)["phases"]}
    assert sorted(phases) == [1, 2, 3, 4, 5]
    assert "%4 = relu: [0, 3.75, 14.25]" in phases[2]
    for name in "ab":
        assert f"gradient of {name}: [0, 6, 6], by differences: [0, 6, 6]" in phases[3]
    assert "constant folding: 5 -> 4 equations\ndead code: 4 -> 3 equations" in phases[4]
    assert "the same graph: yes" in phases[5]
    if "torch.fx: python3 has no torch here" not in phases[5]:
        assert "call_function relu relu" in phases[5] and "largest difference: 0" in phases[5]
    assert expect_valid("phases", call("phases", "--only", "2", "--json").stdout)["phases"][0]["phase"] == 2
    expect_error(call("phases", "--only", "6", "--json"), 2)


def test_recover_answers_as_its_schema_says(tmp_path: pathlib.Path) -> None:
    code = (
        "import os, sys, tilemeter as ttnn\n"
        "device = ttnn.open_device(device_id=0)\n"
        "with ttnn.graph.capture(sys.argv[1] + '.json', stream=sys.argv[1]):\n"
        "    ttnn.ones([1, 1, 32, 32], device=device, layout=ttnn.TILE_LAYOUT)\n"
        "    os.kill(os.getpid(), int(sys.argv[2]))\n"
    )
    for signal, name in (("9", None), ("6", "SIGABRT")):
        subprocess.run([sys.executable, "-c", code, tmp_path / "recording", signal], capture_output=True)
        answer = expect_valid("recover", call("recover", tmp_path / "recording", tmp_path / "r.json", "--json").stdout)
        assert answer["file"] == str(tmp_path / "r.json") and answer["process_died"] and answer["node_count"] > 0
        assert (answer["death"] and answer["death"]["signal"]) == name
        if name:
            assert answer["death"]["place"] in answer["death"]["frames"]


def test_errors_are_objects_too(tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"graph": [')
    for verb in ("summary", "fit", "timeline", "tree", "print", "levelized", "configs", "tightest", "figures", "explain"):
        answer = expect_error(call(verb, bad, "--json"), 1)
        assert answer["file"] == str(bad) and "found" in answer, answer
        expect_error(call(verb, tmp_path / "absent.json", "--json"), 1)
        expect_error(call(verb, bad, "--no-such-option", "--json"), 2)
        expect_error(call(verb, "--json"), 2)
    message = "Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to 2000000 B which is beyond max L1 size of 1499136 B"
    assert expect_valid("explain", call("explain", "--message", message, "--json").stdout)["verdict"] == "does_not_fit"
    expect_error(call("explain", "--message", "no such message", "--json"), 1)
    for verb in ("svg", "perfetto"):
        expect_error(call(verb, bad, "-o", tmp_path / "out", "--json"), 1)
        expect_error(call(verb, bad, "--json"), 2)
    assert not (tmp_path / "out").exists()
    expect_error(call("recover", bad, "--json"), 1)
    expect_error(call("peek", bad, "--json"), 2)
    assert expect_error(call("timeline", ADD, "--at", "42", "--json"), 2)["expected"] == "a node below 42"
    for words in (["--at", "-1"], ["--at", "1", "--late"], ["--device", "-2"], ["--csv"]):
        expect_error(call("timeline", ADD, *words, "--json"), 2)


def test_graph_report_answers_as_its_schema_says(tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"graph": [')
    for program in [[sys.executable, "-m", "tilemeter.graph_report"]] + ([[GRAPH_REPORT]] if GRAPH_REPORT else []):
        def run(*arguments: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
            return subprocess.run([*program, *arguments, "--json"], capture_output=True, text=True, timeout=120)

        answer = expect_valid("graph_report", run(ADD, tmp_path / "out").stdout)
        assert answer["report_count"] == 1 and answer["rows"]["operations"] > 0
        assert expect_error(run(bad, tmp_path / "out"), 1)["file"] == str(bad)
        expect_error(run(tmp_path / "absent.json", tmp_path / "out"), 1)
        expect_error(run(ADD), 2)
        expect_error(run(ADD, tmp_path / "out", "--no-such-option"), 2)


def members(schema: Any, path: str = "") -> Iterator[str]:
    """Paths of all members that a schema names itself, not those of what it refers to."""
    if not isinstance(schema, dict):
        return
    for name, inner in schema.get("properties", {}).items():
        if inner is False:
            continue
        whole = f"{path}.{name}" if path else name
        yield whole
        yield from members(inner, whole)
    if isinstance(schema.get("items"), dict):
        yield from members(schema["items"], path + "[]")
    for word in ("anyOf", "oneOf"):
        for inner in schema.get(word, []):
            yield from members(inner, path)


def documented(heading: str, table_of: str = "member") -> set[str]:
    """First column of the table under a heading."""
    section = re.split(rf"^##+ {re.escape(heading)}$", DOCUMENT.read_text(), flags=re.M)[1]
    table = re.search(rf"^\| {table_of} \|.*?\n\n", re.split(r"^##", section, flags=re.M)[0] + "\n\n", flags=re.M | re.S)
    assert table, heading
    return set(re.findall(r"^\| `([^`]+)` \|", table.group(), flags=re.M))


@pytest.mark.parametrize("name", sorted(set(ALL) - {"definitions"}))
def test_the_document_names_every_member_and_no_other(name: str) -> None:
    named = set(members(ALL[name])) - {"schema", "verdict", "reasons"}
    for list_, like in (("late_releases", "buffer"), ("explanations[].clearing_set", "owner")):  # each is one with more
        if list_ in named:
            shared = {f"{list_}[].{member}" for member in members(ALL["definitions"]["$defs"][like])}
            assert shared <= named
            named -= shared
    assert documented(name) == named
    speaks_of_memory = "verdict" in ALL[name]["properties"]
    section = re.split(rf"^## {name}$", DOCUMENT.read_text(), flags=re.M)[1]
    assert section.lstrip().startswith("With `verdict` and `reasons`") == speaks_of_memory


def test_the_document_names_what_answers_share() -> None:
    shared = ALL["definitions"]["$defs"]
    assert documented("reason") == set(members(shared["reason"]))
    for object_ in ("buffer", "owner", "contributor"):
        assert documented(object_) == set(members(shared[object_]))
    for use, unit in (("l1_use", "per_core"), ("dram_use", "per_bank")):
        assert {name.replace("UNIT", unit) for name in documented("use")} == set(members(shared[use]))
    for use, unit in (("l1_limited_use", "per_core"), ("dram_limited_use", "per_bank"), ("dram_all_banks_limited_use", "all_banks")):
        own = set(members(shared[use])) - {name.replace("UNIT", unit) for name in documented("use")}
        assert documented("use", "limited") == own
    text = DOCUMENT.read_text()
    kinds = re.search(r"^\| kind \|.*?\n\n", text, flags=re.M | re.S)
    assert kinds and re.findall(r"^\| `([^`]+)` \|", kinds.group(), flags=re.M) == shared["reason"]["properties"]["kind"]["enum"]
    verdicts = re.search(r"^\| verdict \|.*?\n\n", text, flags=re.M | re.S)
    assert verdicts and re.findall(r"^\| `([^`]+)` \|", verdicts.group(), flags=re.M) == shared["verdict"]["enum"]


def test_every_kind_of_reason_has_its_place_in_the_schema() -> None:
    source = (ROOT / "report" / "analysis" / "answers" / "verdict_text.cpp").read_text()
    names = source.partition("const char* name_of(Reason::Kind kind)")[2].partition("\n}\n")[0]
    assert re.findall(r'return "(\w+)";', names) == ALL["definitions"]["$defs"]["reason"]["properties"]["kind"]["enum"]
