#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Are the answers of `tilemeter` right, or unknown, when a report has lost something?

    usage: degraded_reports.py TILEMETER REPORTS_FOLDER... [--cuts N] [--most N] [--seed S] [--verbose]

Takes the reports below the folders (report.json, or X.report.json, with sidecar and without) and what is true of
them: whether the device refused memory, whether something else failed, the peaks where all of it is recorded, which
tensors are used when. Then degrades copies: sidecar removed, cut at the failure and at N random nodes (with and
without a capture_end put behind), program memory or executions taken out (numbers and connections corrected as a
careful tool would), devices, metadata or other sections removed, addresses zeroed, no operations, no graph. Each, or
--most of a report's, drawn by the seed, is given to fit, check, explain, peak and diff, on its own device and on others.
A verdict has to be right or unknown:

    a workload that failed for memory never fits, and one that ran is never refused or said to have failed;
    a peak called exact is the peak, one called "at least" is not above it;
    `check` passes no limit below the peak and exceeds none that is at or above it;
    no tensor that a later operation uses is said to be releasable, or stale.

Last line `N passed, N failed`; exit status 1 if any failed.
"""
import argparse
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROGRAM_MEMORY = {"circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate"}
LACK_OF_MEMORY = re.compile(r"Out of Memory|clash with L1 buffers|beyond max L1 size", re.IGNORECASE)
OTHER_DEVICES = ["p150", "n300", "n150"]


def sidecar_of(path):
    return path.with_suffix(".python_io.json")


def load(path):
    report = json.loads(path.read_text())
    sidecar = sidecar_of(path)
    return report, json.loads(sidecar.read_text()) if sidecar.exists() else None


def own_peaks(graph):
    """True if all of the list's own memory is recorded with sizes, so that a peak called exact can be held to it."""
    return not any(node["node_type"] == "program_execution" for node in graph)


class Truth:
    """The facts about a report that has lost nothing."""

    def __init__(self, run, path, report, sidecar):
        graph = report["graph"]
        messages = [str((record.get("error") or {}).get("message", "")) for record in sidecar or []]
        messages += [str((node.get("params") or {}).get("error_message", "")) for node in graph
                     if node["node_type"] == "error"]
        self.refused = any(LACK_OF_MEMORY.search(message) for message in messages)
        aborted = any((node.get("params") or {}).get("aborted") for node in graph)
        self.failed = not self.refused and (any(messages) or aborted)
        whole = run("fit", path)
        # NO_DISPATCH of TT-NN passes what the device would refuse: the sizes say so.
        self.too_large = whole.get("verdict") == "does_not_fit"
        self.l1 = whole["l1"] if whole["l1"]["bound"] == "exact" else None
        self.dram = whole["dram"] if whole["dram"]["bound"] == "exact" else None
        self.at_least = {"l1": whole["l1"]["peak_bytes_per_core"], "dram": whole["dram"]["peak_bytes_per_bank"]}
        self.last_use = last_uses(graph)

    def allows(self, verdict):
        if verdict == "unknown":
            return True
        if self.refused or self.too_large:
            return verdict != "fits"
        if self.failed:
            return verdict == "failed"
        return verdict == "fits"


def last_uses(graph):
    """The last node at which an operation takes each tensor id, or something that lies in its buffer."""
    buffer_of = {}
    for node in graph:
        if node["node_type"] == "buffer":
            for target in node["connections"]:
                if 0 <= target < len(graph) and graph[target]["node_type"] == "tensor":
                    buffer_of[target] = node["counter"]
    ids = {}
    uses = {}
    for node in graph:
        if node["node_type"] != "tensor":
            continue
        name = (node.get("params") or {}).get("tensor_id")
        group = buffer_of.get(node["counter"], ("tensor", name))
        ids.setdefault(name, set()).add(group)
        taken = [target for target in node["connections"]
                 if 0 <= target < len(graph) and graph[target]["node_type"] == "function_start"]
        if taken:
            uses[group] = max(uses.get(group, -1), max(taken))
    return {str(name): max((uses.get(group, -1) for group in groups), default=-1) for name, groups in ids.items()}


def renumbered(graph, keep):
    """The nodes that stay, as if the others had never been, and where each was before."""
    place = {}
    for node in graph:
        if keep(node):
            place[node["counter"]] = len(place)
    result = []
    for node in graph:
        if node["counter"] not in place:
            continue
        node = copy.deepcopy(node)
        node["counter"] = place[node["counter"]]
        for key in ("connections", "input_tensors"):
            node[key] = [place[target] for target in node.get(key) or [] if target in place]
        result.append(node)
    return result, list(place)


def with_end(graph, kept):
    end = copy.deepcopy(graph[-1])
    end["counter"] = len(kept)
    return kept + [end]


def degradations(random_, report, sidecar, cuts):
    """(what was done, report, sidecar[, by node: where it was in the whole report])"""
    graph = report["graph"]

    def changed(**sections):
        result = {**report, **sections}
        return {key: value for key, value in result.items() if value is not None}

    yield "nothing", report, sidecar
    if sidecar is not None:
        yield "sidecar removed", report, None
        yield "sidecar empty", report, []
    failing = [node["counter"] for node in graph
               if node["node_type"] == "error" or (node.get("params") or {}).get("aborted")]
    for place in failing[:2]:
        for side in (sidecar, None):
            yield f"cut before the failure at {place}", changed(graph=graph[:place]), side
            yield f"cut before the failure at {place}, ended", changed(graph=with_end(graph, graph[:place])), side
            yield f"cut behind the failure at {place}", changed(graph=graph[: place + 1]), side
    for place in sorted(random_.sample(range(1, len(graph)), min(cuts, len(graph) - 1))):
        yield f"cut at {place}", changed(graph=graph[:place]), sidecar
        yield f"cut at {place}, ended, no sidecar", changed(graph=with_end(graph, graph[:place])), None
    for kinds in (PROGRAM_MEMORY, {"program_execution"}, PROGRAM_MEMORY | {"program_execution"},
                  PROGRAM_MEMORY | {"program_execution", "circular_buffer_deallocate_all"}):
        if any(node["node_type"] in kinds for node in graph):
            fewer, origins = renumbered(graph, lambda node, kinds=kinds: node["node_type"] not in kinds)
            yield f"without {', '.join(sorted(kinds))}", changed(graph=fewer), sidecar, origins
    holes = set(random_.sample(range(1, len(graph)), min(len(graph) - 1, 1 + len(graph) // 20)))
    yield "nodes taken out", changed(graph=[node for node in graph if node["counter"] not in holes]), sidecar
    for section in ("devices", "metadata", "version", "cluster_descriptor", "buffer_pages", "buffer_pages_by_address",
                    "per_operation_buffers"):
        if section in report and section != "version":
            yield f"without {section}", changed(**{section: None}), sidecar
    yield "no devices listed", changed(devices=[]), sidecar
    yield "an unknown section", {**report, "from_the_future": {"a": 1}}, sidecar
    zeroed = copy.deepcopy(graph)
    for node in zeroed:
        if "address" in (node.get("params") or {}):
            node["params"]["address"] = 0
        if "device_tensors" in (node.get("params") or {}):
            node["params"]["device_tensors"] = re.sub(r'"address":\d+', '"address":0', node["params"]["device_tensors"])
    yield "addresses zeroed", changed(graph=zeroed), sidecar
    yield "a bare list", graph, None
    yield "no operations", changed(graph=with_end(graph, graph[:1])), None
    yield "an empty graph", changed(graph=[]), None
    yield "no graph", changed(graph=None), None


class Judge:
    def __init__(self, program, verbose):
        self.program, self.verbose = program, verbose
        self.passed = self.failed = 0
        self.verbs = ("peak", "explain")
        self.origins = None

    def run(self, verb, path, *options, statuses=(0, 3, 4)):
        done = subprocess.run([self.program, verb, str(path), *options, "--json"], capture_output=True, text=True,
                              timeout=120)
        if done.returncode not in statuses:
            raise AssertionError(f"exit status {done.returncode}: {done.stderr.strip()}")
        answer = json.loads(done.stdout)
        answer["exit"] = done.returncode
        return answer

    def hold(self, name, what, holds, why):
        if holds:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {name}, {what}: {why}")

    def ask(self, name, what, path, truth):
        def verdict_of(verb, *options):
            answer = self.run(verb, path, *options)
            self.hold(name, what, answer.get("schema") == f"tilemeter.{verb}/1", f"{verb}: schema {answer.get('schema')}")
            return answer

        for options in ([], *(["--device", device] for device in OTHER_DEVICES)):
            answer = verdict_of("fit", *options)
            other = bool(options) and answer["verdict"] != "fits"
            holds = truth.allows(answer["verdict"]) or other
            self.hold(name, what, holds, f"fit {options}: {answer['verdict']}")
            expected = {"fits": 0, "does_not_fit": 3}.get(answer["verdict"], 4)
            self.hold(name, what, answer["exit"] == expected, f"fit {options}: exit {answer['exit']}")
            if not options:
                self.bounds(name, what, "fit", answer, truth)
        for verb in self.verbs:
            answer = verdict_of(verb)
            self.hold(name, what, truth.allows(answer["verdict"]), f"{verb}: {answer['verdict']}")
            self.advice(name, what, verb, answer, truth)
        self.gate(name, what, path, truth)

    def bounds(self, name, what, verb, answer, truth):
        for memory, unit, exact in (("l1", "per_core", truth.l1), ("dram", "per_bank", truth.dram)):
            peak, bound = answer[memory][f"peak_bytes_{unit}"], answer[memory]["bound"]
            if exact is None:
                # The whole report knows a lower bound itself: more than what it knows may not be called exact.
                holds = bound != "exact" or peak >= truth.at_least[memory]
            elif bound == "exact":
                holds = peak == exact[f"peak_bytes_{unit}"]
            else:
                holds = bound == "uncertain" or peak <= exact[f"peak_bytes_{unit}"]
            self.hold(name, what, holds, f"{verb}: {memory} {bound} {peak}")

    def gate(self, name, what, path, truth):
        for exact, option, key in ((truth.l1, "--max-l1", "peak_bytes_per_core"),
                                   (truth.dram, "--max-dram-per-bank", "peak_bytes_per_bank")):
            if exact is None or not exact[key]:
                continue
            at = self.run("check", path, option, str(exact[key]))
            self.hold(name, what, at["exit"] in (0, 4), f"check {option} at the peak: exit {at['exit']}")
            if exact[key] > 1:
                below = self.run("check", path, option, str(exact[key] - 1))
                self.hold(name, what, below["exit"] in (3, 4), f"check {option} below the peak: exit {below['exit']}")

    def advice(self, name, what, verb, answer, truth):
        def look(entry, node):
            releasable = entry.get("can_be_released") is True or entry.get("share") == "stale"
            for number in re.findall(r"tensor (\d+)", str(entry.get("name", ""))) if releasable else []:
                used = truth.last_use.get(number, -1)
                if self.origins and node < len(self.origins):
                    node = self.origins[node]
                self.hold(name, what, used < node, f"{verb}: tensor {number} is used at {used}, advice is of {node}")

        def walk(value, node):
            if isinstance(value, dict):
                node = value.get("node", node) if "contributors" in value or "clearing_set" in value else node
                look(value, node if isinstance(node, int) else 0)
                for child in value.values():
                    walk(child, node)
            elif isinstance(value, list):
                for child in value:
                    walk(child, node)

        walk({key: value for key, value in answer.items() if key != "reasons"}, 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--cuts", type=int, default=3)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=5_000_000, help="leave out files of more bytes")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    judge = Judge(options.program, options.verbose)
    files = sorted({path for folder in options.folders
                    for pattern in ("**/report.json", "**/*.report.json") for path in folder.glob(pattern)})
    with tempfile.TemporaryDirectory() as scratch:
        copy_ = pathlib.Path(scratch) / "report.json"
        for path in files:
            if path.stat().st_size > options.largest:
                continue
            report, sidecar = load(path)
            if not isinstance(report, dict) or not report.get("graph"):
                continue
            name = path.parent.name if path.name == "report.json" else path.name
            random_ = random.Random(f"{options.seed} {name}")
            truth = Truth(judge.run, path, report, sidecar)
            changes = list(degradations(random_, report, sidecar, options.cuts))
            for what, degraded, beside, *origins in random_.sample(changes, min(options.most, len(changes))):
                judge.origins = origins[0] if origins else None
                copy_.write_text(json.dumps(degraded))
                sidecar_of(copy_).unlink(missing_ok=True)
                if beside is not None:
                    sidecar_of(copy_).write_text(json.dumps(beside))
                if options.verbose:
                    print(f"{name}, {what}")
                try:
                    judge.ask(name, what, copy_, truth)
                except (AssertionError, ValueError, KeyError) as error:
                    judge.hold(name, what, False, f"{type(error).__name__} {error}")
    print(f"{judge.passed} passed, {judge.failed} failed")
    return 1 if judge.failed or not judge.passed else 0


if __name__ == "__main__":
    sys.exit(main())
