# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""import and export: snapshots as Python's own pickle writes them, modules made field by field; the figures against a naive count.

usage: foreign_test.py FOLDER_OF_PROGRAMS
"""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

SHARED = pathlib.Path(os.environ.get("TILEMETER_SHARED") or pathlib.Path(__file__).resolve().parents[3].parent / "shared")
STATES = ("active_allocated", "active_awaiting_free")


def tilemeter(*arguments: str | pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([str(BIN / "tilemeter"), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)


class Device:
    """An allocator that hands out addresses, and what it did."""

    def __init__(self, number: int, choice: random.Random) -> None:
        self.number, self.choice = number, choice
        self.next, self.live, self.trace, self.reserved = 1 << 46 | number << 40, {}, [], 0
        self.time = 1_700_000_000_000_000

    def note(self, action: str, address: int, size: int, **more: object) -> None:
        self.time += self.choice.randrange(5)
        frames = [{"name": f"f{self.choice.randrange(4)}", "filename": self.choice.choice(("/x/site-packages/torch/nn.py", "/home/u/net.py", "??")), "line": self.choice.randrange(9)}
                  for _ in range(self.choice.randrange(4))]
        self.trace.append({"action": action, "addr": address, "size": size, "stream": 0, "time_us": self.time, "frames": frames, **more})

    def step(self) -> None:
        kind = self.choice.random()
        if kind < 0.5 or not self.live:
            size = self.choice.choice((1, 512, self.choice.randrange(1, 1 << 22)))
            self.live[self.next] = size
            self.note("alloc", self.next, size)
            self.next += (size + 511) // 512 * 512
        elif kind < 0.9:
            address = self.choice.choice(list(self.live))
            size = self.live.pop(address)
            self.note("free_requested", address, size)
            self.note("free_completed", address, size)
        elif kind < 0.95:
            self.reserved += 1 << 21
            self.note("segment_alloc", 1 << 50, 1 << 21)
        else:
            self.note("oom", 0, 1 << 30, device_free=self.choice.randrange(1 << 20))

    def segments(self) -> list:
        blocks = []
        for address, size in sorted(self.live.items()):
            blocks.append({"address": address, "size": (size + 511) // 512 * 512, "requested_size": size, "state": self.choice.choice(STATES), "frames": []})
        blocks.append({"address": self.next, "size": 4096, "requested_size": 0, "state": "inactive", "frames": []})
        return [{"device": self.number, "address": 1 << 46, "total_size": self.reserved, "stream": 0, "blocks": blocks}]


def snapshot(seed: int) -> tuple[dict, list[dict]]:
    """A random one, and each device's true figures, counted while they happened."""
    choice = random.Random(seed)
    made: dict = {"segments": [], "device_traces": [], "external_annotations": [], "allocator_settings": {"x": 1.5, "y": None}}
    truth = []
    for number in range(choice.randrange(1, 3)):
        device = Device(number, choice)
        for _ in range(choice.randrange(40)):  # before the recording
            device.step()
        device.trace.clear()
        now = peak = older = sum(device.live.values())
        at, reserved = None, device.reserved
        for _ in range(choice.randrange(1, 200)):
            device.step()
        for i, entry in enumerate(device.trace):
            now += entry["size"] * {"alloc": 1, "free_completed": -1}.get(entry["action"], 0)
            if now > peak:
                peak, at = now, i
        made["segments"] += device.segments()
        made["device_traces"].append(device.trace)
        truth.append({"device": number, "entries": len(device.trace), "peak_bytes": peak, "peak_entry": at, "older_bytes": older, "end_bytes": sum(device.live.values()),
                      "live_at_end": len(device.live), "reserved_peak_bytes": device.reserved, "reserved_end_bytes": device.reserved,
                      "oom": sum(e["action"] == "oom" for e in device.trace)})
        assert now == sum(device.live.values()) and reserved <= device.reserved
    return made, truth


def active(entries: list[dict], before: int) -> tuple[int, int]:
    """Bytes at the end and at most, by a plain count from what was there before."""
    now = most = before
    for entry in entries:
        now += entry["size"] * {"alloc": 1, "free_completed": -1}.get(entry["action"], 0)
        most = max(most, now)
    return now, most


def with_less(trace: list, choice: random.Random) -> list:
    """Without one stretch or two of its entries."""
    begin = choice.randrange(len(trace))
    end = choice.choice((len(trace), min(len(trace), begin + choice.randrange(1, 40)), choice.randrange(begin, len(trace)) + 1))
    kept = trace[:begin] + trace[end:]
    if choice.random() < 0.3 and kept:
        another = choice.randrange(len(kept))
        del kept[another:another + choice.randrange(40)]
    return kept


def reusing(seed: int) -> tuple[dict, int, int]:
    """A snapshot whose addresses are used again as soon as they are free, what was there before it, and its peak."""
    choice = random.Random(seed)
    free, live, trace, next_address = {}, {}, [], 1 << 46
    before = 0
    for step in range(choice.randrange(60, 600)):
        if step == 40:
            trace, before = [], sum(live.values())
        if live and choice.random() < 0.48:
            address = choice.choice(list(live))
            size = live.pop(address)
            trace += [{"action": action, "addr": address, "size": size, "time_us": step, "frames": []} for action in ("free_requested", "free_completed")]
            free.setdefault(size, []).append(address)
        else:
            size = choice.choice((512, 4096, 1 << 20)) - choice.choice((0, 0, 8))
            if free.get(size):
                address = free[size].pop()
            else:
                address, next_address = next_address, next_address + (1 << 20)
            live[address] = size
            trace.append({"action": "alloc", "addr": address, "size": size, "time_us": step, "frames": []})
    blocks = [{"address": address, "size": (size + 511) // 512 * 512, "requested_size": size, "state": "active_allocated", "frames": []} for address, size in live.items()]
    _, peak = active(trace, before)
    return {"segments": [{"device": 0, "address": 1 << 46, "total_size": 1 << 40, "blocks": blocks}], "device_traces": [trace]}, before, peak


def recordings() -> list[tuple[dict, int, int]]:
    """Those of torch's own allocator, where there are some."""
    found = []
    for path in sorted(SHARED.glob("foreign/torch/*/snapshot.pickle")):
        true = json.loads(path.with_name("expected.json").read_text())["devices"][0]
        found.append((pickle.loads(path.read_bytes()), true["older_bytes"], true["peak_bytes"]))
    return found


def varint(value: int) -> bytes:
    made = b""
    while value > 127:
        made += bytes([value & 127 | 128])
        value >>= 7
    return made + bytes([value])


def field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def module(seed: int) -> tuple[bytes, dict]:
    """An HloProto with a random heap, and its figures."""
    choice = random.Random(seed)
    buffers, events, live = {}, b"", {}
    now = peak = 0
    for number in range(1, choice.randrange(2, 60)):
        if live and choice.random() < 0.3:  # another name of what is there
            with_ = choice.choice(list(live))
            live[with_].append(number)
            buffers[number] = 8
            events += field(1, field(1, 2) + field(2, number) + field(4, b"share") + field(5, with_))
        else:
            buffers[number] = choice.randrange(1, 1 << 20)
            live[number] = [number]
            now += buffers[number]
            peak = max(peak, now)
            events += field(1, field(2, number) + field(4, b"made.%d" % number))
        while live and choice.random() < 0.5:
            owner = choice.choice(list(live))
            name = live[owner].pop()
            events += field(1, field(1, 1) + field(2, name) + field(4, b"last"))
            if not live[owner]:
                now -= buffers[owner]
                del live[owner]
    heap_size = peak + choice.randrange(3) * 64
    sizes = {"temporary": heap_size, "argument": choice.randrange(1, 9999), "output": choice.randrange(1, 9999), "constant": 12}
    flags = {"temporary": b"", "argument": field(5, 1), "output": field(7, 1), "constant": field(12, 1)}
    assignment = b"".join(field(1, field(1, n) + field(2, size)) for n, size in buffers.items())
    for index, (kind, size) in enumerate(sizes.items()):
        assignment += field(3, field(1, index) + field(2, size) + flags[kind])
    assignment += field(4, events + field(3, 0))
    return field(1, field(1, b"jit_f") + field(99, b"unknown")) + field(3, assignment), {"total_bytes": sum(sizes.values()), "bytes": sizes, "live": peak}


class Foreign(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def imported(self, content: bytes, name: str = "s.pickle") -> dict:
        (self.folder / name).write_bytes(content)
        done = tilemeter("import", self.folder / name, self.folder / "out", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def peaks(self, report: pathlib.Path) -> list[int]:
        answer = json.loads(tilemeter("peak", "--json", report).stdout)
        return [device["dram"]["peak_bytes_per_bank"] for device in sorted(answer["devices"], key=lambda each: each["device_id"])]

    def test_snapshots_have_the_figures_of_what_happened(self) -> None:
        for seed in range(40):
            made, truth = snapshot(seed)
            with self.subTest(seed=seed):
                found = self.imported(pickle.dumps(made, protocol=seed % 4 + 2))["devices"]
                for device, true in zip(found, truth, strict=True):
                    self.assertEqual({key: device[key] for key in true}, true)
                    self.assertEqual(set(device["odd"].values()), {0})
                self.assertEqual(self.peaks(self.folder / "out"), [true["peak_bytes"] for true in truth])

    def test_an_export_comes_back_as_it_was(self) -> None:
        for seed in range(10):
            made, truth = snapshot(seed)
            self.imported(pickle.dumps(made))
            peaks = self.peaks(self.folder / "out")
            done = tilemeter("export", self.folder / "out", self.folder / "again.pickle", "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            again = pickle.loads((self.folder / "again.pickle").read_bytes())
            self.assertEqual(json.loads(done.stdout)["entries"], sum(map(len, again["device_traces"])))
            for segment in again["segments"]:  # blocks tile it
                at = segment["address"]
                for block in segment["blocks"]:
                    self.assertEqual(block["address"], at)
                    at += block["size"]
                self.assertEqual(at, segment["address"] + segment["total_size"])
            back = self.imported((self.folder / "again.pickle").read_bytes())["devices"]
            self.assertEqual([device["peak_bytes"] for device in back], peaks)
            self.assertEqual([device["live_at_end"] for device in back], [true["live_at_end"] for true in truth])

    def test_older_forms(self) -> None:
        blocks = [{"size": 512, "state": "active_allocated", "history": [{"addr": 5, "real_size": 500, "frames": []}]}, {"size": 1024, "state": "inactive"}]
        old = [{"device": 0, "address": 4096, "total_size": 1536, "stream": 0, "blocks": blocks}]
        answer = self.imported(pickle.dumps(old, protocol=2))
        device = answer["devices"][0]
        self.assertEqual((device["end_bytes"], device["peak_bytes"], device["live_at_end"]), (500, None, 1))
        self.assertIn("no trace", answer["remarks"][0])
        told = json.loads(tilemeter("peak", "--json", self.folder / "out").stdout)
        self.assertEqual((told["dram"]["peak_bytes_per_bank"], told["dram"]["bound"], told["verdict"]), (500, "at_least", "unknown"))
        device = self.imported(pickle.dumps({"segments": old, "device_traces": [[{"action": "alloc", "addr": 9000, "size": 7, "frames": []}, {"action": "strange"}]]}))
        self.assertEqual((device["devices"][0]["peak_bytes"], len(device["remarks"])), (500, 2))

    def test_what_is_odd_is_kept_and_counted(self) -> None:
        made, _ = snapshot(3)
        trace = made["device_traces"][0]
        alloc = next(e for e in trace if e["action"] == "alloc")
        trace.insert(trace.index(alloc) + 1, dict(alloc, time_us=0))
        odd = self.imported(pickle.dumps(made))["devices"][0]["odd"]
        self.assertEqual((odd["allocated_twice"], odd["times_back"]), (1, 1))

    def test_a_window_whose_begin_is_lost_has_its_own_peak_exactly(self) -> None:
        choice = random.Random(11)
        for whole, before, peak in [reusing(seed) for seed in range(20)] + recordings() * 4:
            trace = whole["device_traces"][0]
            begin = choice.randrange(len(trace))
            then, _ = active(trace[:begin], before)
            device = self.imported(pickle.dumps(whole | {"device_traces": [trace[begin:]]}))["devices"][0]
            _, most = active(trace[begin:], then)
            self.assertEqual((device["bound"], device["older_bytes"], device["peak_bytes"]), ("exact", then, most))
            self.assertLessEqual(device["peak_bytes"], peak)

    def test_where_entries_are_missing_no_more_is_said_than_there_was(self) -> None:
        choice = random.Random(12)
        bounds = []
        for whole, before, peak in [reusing(seed) for seed in range(60)] + recordings() * 15:
            kept = with_less(whole["device_traces"][0], choice)
            device = self.imported(pickle.dumps(whole | {"device_traces": [kept]}))["devices"][0]
            bounds.append(device["bound"])
            if device["bound"] == "exact":  # nothing in it contradicts
                self.assertEqual(set(device["odd"].values()), {0})
                continue
            self.assertLessEqual(device["peak_bytes"] or device["end_bytes"], peak)
            self.assertGreaterEqual(device["peak_bytes"] or device["end_bytes"], device["end_bytes"])
            self.assertIsNone(device["older_bytes"])
            told = json.loads(tilemeter("peak", "--json", self.folder / "out").stdout)["dram"]
            self.assertEqual((told["peak_bytes_per_bank"], told["bound"]), (device["peak_bytes"] or device["end_bytes"], "at_least"))
        self.assertGreater(bounds.count("at_least"), len(bounds) // 2)

    def test_traces_without_a_state_are_a_lower_bound(self) -> None:
        trace = [{"action": "alloc", "addr": 4096, "size": 100, "frames": []}, {"action": "free_completed", "addr": 8192, "size": 70, "frames": []},
                 {"action": "alloc", "addr": 12288, "size": 30, "frames": []}]
        answer = self.imported(pickle.dumps({"device_traces": [trace]}))
        device = answer["devices"][0]
        self.assertEqual((device["bound"], device["peak_bytes"], device["older_bytes"]), ("at_least", 170, None))
        self.assertIn("does not say what is active", answer["remarks"][0])

    def test_a_refused_request_is_exported_and_comes_back(self) -> None:
        made, truth = next(found for found in map(snapshot, range(100)) if len(found[1]) == 2 and all(true["oom"] > 1 for true in found[1]))
        refused = [[(e["size"], e["device_free"]) for e in trace if e["action"] == "oom"] for trace in made["device_traces"]]
        self.imported(pickle.dumps(made))
        self.assertEqual(tilemeter("export", self.folder / "out", self.folder / "again.pickle").returncode, 0)
        again = pickle.loads((self.folder / "again.pickle").read_bytes())
        self.assertEqual([[(e["size"], e["device_free"]) for e in trace if e["action"] == "oom"] for trace in again["device_traces"]], refused)
        back = self.imported((self.folder / "again.pickle").read_bytes())["devices"]
        self.assertEqual([device["oom"] for device in back], [true["oom"] for true in truth])
        self.assertEqual(json.loads(tilemeter("fit", "--json", self.folder / "out").stdout)["verdict"], "does_not_fit")

    def test_modules_have_the_figures_of_their_heaps(self) -> None:
        dump = self.folder / "dump"
        dump.mkdir()
        truth = {}
        for seed in range(30):
            content, truth[f"m{seed:02}.hlo.pb"] = module(seed)
            (dump / f"m{seed:02}.hlo.pb").write_bytes(content)
        (dump / "before.hlo.pb").write_bytes(field(1, field(1, b"jit_f")))
        done = tilemeter("import", dump, self.folder / "reports", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        modules = json.loads(done.stdout)["modules"]
        self.assertEqual([each["file"] for each in modules], sorted(truth))
        for each in modules:
            true = truth[each["file"]]
            self.assertEqual((each["total_bytes"], each["bytes"], each["heaps"][0]["live_peak_bytes"]), (true["total_bytes"], true["bytes"], true["live"]))
            self.assertEqual(self.peaks(pathlib.Path(each["report"])), [true["total_bytes"]])

    def refused(self, content: bytes, name: str) -> str:
        (self.folder / name).write_bytes(content)
        done = tilemeter("import", self.folder / name, self.folder / "nothing")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertFalse((self.folder / "nothing").exists())
        return done.stderr

    def test_what_is_no_plain_pickle_is_refused(self) -> None:
        class Called:
            def __reduce__(self) -> tuple:
                return (print, ("never",))

        deep: list = []
        for _ in range(300):
            deep = [deep]
        shared = ["x"] * 10
        for _ in range(12):
            shared = [shared] * 10
        for content, said in ((b"", "empty file"), (pickle.dumps({"segments": [], "x": Called()}), "found"), (pickle.dumps([1]), "expected a dict, found an integer"),
                              (pickle.dumps({"segments": [], "device_traces": [deep]}), "expected a dict, found a list"), (pickle.dumps({"a": 1}), "without them"),
                              (pickle.dumps({"segments": [], "device_traces": [shared]}), "expected a dict, found a list"), (pickle.dumps(7, protocol=0), "protocol 2 to 5"),
                              (pickle.dumps({"segments": [], "device_traces": [[{"action": "alloc", "addr": 1, "size": -5}]]}), "device_traces[0][0].size"),
                              (pickle.dumps({"segments": [], "device_traces": [[{"action": "alloc", "size": 5}]]}), "device_traces[0][0].addr"),
                              (pickle.dumps({"segments": [], "device_traces": [[{"action": "alloc", "addr": 1 << 70, "size": 5}]]}), "more than 59 bits"),
                              (b"\x80\x04X\xff\xff\xff\x7f" + b"x" * 50, "byte 7"), (b"\x80\x04\x8d" + b"\xff" * 8 + b"x" * 50, "18446744073709551615 bytes more"), (b"\x80\x04.", "a value before"), (b"\x80\x04e.", "a mark before"), (b"\x80\x04j\x09\x00\x00\x00.", "remembered")):
            self.assertIn(said, self.refused(content, "bad.pickle"))

    def test_what_is_no_module_is_refused(self) -> None:
        whole, _ = module(1)
        for content, said in ((b"", "empty file"), (field(1, b""), "buffer assignment"), (whole[:-3], "bytes more"), (b"\x0a\xff\xff\xff\xff\x07abc", "bytes more"), (b"\xff" * 20, "10 bytes"),
                              (field(1, b"") + field(3, field(3, field(1, 1)) + field(3, field(1, 1))), "found two"),
                              (field(1, b"") + field(3, field(4, field(1, field(2, 77)))), "none of number 77")):
            self.assertIn(said, self.refused(content, "bad.hlo.pb"))
        done = tilemeter("import", "/dev/zero", self.folder / "nothing")  # has no end
        self.assertIn("a field's number", done.stderr)

    def test_damaged_copies_are_read_or_refused_in_one_line(self) -> None:
        choice = random.Random(7)
        wholes = [(pickle.dumps(snapshot(5)[0], protocol=4), "d.pickle"), (module(5)[0], "d.hlo.pb")]
        for _ in range(150):
            whole, name = choice.choice(wholes)
            damaged = bytearray(whole[:choice.randrange(1, len(whole))] if choice.random() < 0.3 else whole)
            for _ in range(choice.randrange(4)):
                damaged[choice.randrange(len(damaged))] = choice.randrange(256)
            (self.folder / name).write_bytes(damaged)
            done = tilemeter("import", self.folder / name, self.folder / "made")
            self.assertIn(done.returncode, (0, 1), done)
            if done.returncode == 1:
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done)

    def test_an_output_that_cannot_be_written_leaves_nothing(self) -> None:
        made = self.folder / "s.pickle"
        made.write_bytes(pickle.dumps(snapshot(1)[0]))
        done = tilemeter("import", made, "/dev/full")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        done = tilemeter("import", made, made)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertEqual([each.name for each in self.folder.iterdir()], ["s.pickle"])


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
