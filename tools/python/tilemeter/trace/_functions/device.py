# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors: their graphs, plans of their runs, and the programs that compiled functions replay."""

from __future__ import annotations

import functools
import itertools
import json
import operator
import os
import tempfile
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tilemeter._src.answers.capture import Capture
from tilemeter._tilemeter import Tensor
from tilemeter.trace._functions import trees as _trees
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._functions.traced import Traced

_is_on_device = _trace._is_on_device


def are_tensors(leaves: Sequence[Any]) -> bool:
    """True if a function of these is one of TT-NN tensors. Raises TraceError where they are mixed with anything
    else."""
    for leaf in leaves:
        if type(leaf) is Tensor and _is_on_device(leaf):
            break
    else:
        return False
    for i, leaf in enumerate(leaves):
        if type(leaf) is Tensor:
            if not _is_on_device(leaf):
                _trace._raise("bad_argument", f"argument {i}: found a tensor on the host beside tensors on a device",
                              hint="bring it to the device before, or close over it")
        elif isinstance(leaf, _trees.ARRAYS):
            _trace._raise("bad_argument", f"argument {i}: found an array or a number (of type {type(leaf).__name__}) beside "
                          "tensors on a device", hint="a function is one of arrays or one of tensors: make a tensor of it "
                          "(from_numpy), or a static argument, or close over it")
        else:
            _trace._raise("bad_argument", f"argument {i}: found an object of type {type(leaf).__name__} beside tensors on a "
                          "device", hint="make what is no tensor a static argument, or close over it")
    return True


def flat_results(result: Any) -> tuple[list[Any], Any]:
    leaves, spec = _trees.flatten(result)
    for i, leaf in enumerate(leaves):
        if type(leaf) is not Tensor:
            place = "result" if len(leaves) == 1 else f"result {i}"
            _trace._raise("bad_result", f"{place}: found an object of type {type(leaf).__name__}, expected a tensor")
    return leaves, spec


class Program(NamedTuple):
    """A function that was traced, and the structure of its results."""

    native: Any
    results: Any

    def replay(self, leaves: list[Any]) -> Any:
        return _trees.unflatten(self.results, self.native.replay(leaves))


def trace(name: str, call: Callable[[list[Any]], Any], leaves: list[Any], names: list[str],
          has_unlimited_memory: bool = False) -> Program:
    """call() calls the function with the tensors that it is given. With unlimited memory it need not fit as it is."""
    results: list[Any] = [None]
    # An argument of the function is told from what it uses of outside, though both be one tensor.
    arguments = _trace._as_arguments(leaves)

    def body() -> list[Any]:
        flat, results[0] = flat_results(call(arguments))
        return flat

    native = _trace._trace_on_device(name, body, arguments, names, has_unlimited_memory)
    return Program(native, results[0])


class _Described(NamedTuple):
    """The description of an argument in a signature, for people."""

    dtype: str
    layout: str
    shape: tuple[int, ...]
    memory_config: str
    device: int


def _described(tensor: Any) -> _Described:
    return _Described(tensor.dtype.name, tensor.layout.name, tuple(tensor.shape), str(tensor.memory_config()),
                      id(tensor.device()))


def _difference(found: tuple[_Described, ...], known: tuple[_Described, ...]) -> str:
    if len(found) != len(known):
        return f"{len(found)} tensor(s), were {len(known)}"
    for i, (one, other) in enumerate(zip(found, known)):
        if len(one.shape) != len(other.shape):
            return f"argument {i}: rank is {len(one.shape)}, was {len(other.shape)}: {one.shape}, not {other.shape}"
        for axis, (extent, before) in enumerate(zip(one.shape, other.shape)):
            if extent != before:
                return f"argument {i}: shape[{axis}] is {extent}, was {before}: {one.shape}, not {other.shape}"
        for what in ("dtype", "layout", "memory_config"):
            now, then = getattr(one, what), getattr(other, what)
            if now != then:
                return f"argument {i}: {what.replace('_', ' ')} is {now}, was {then}"
        if one.device != other.device:
            return f"argument {i}: another device"
    return "which of the tensors share memory, or how they are spread over a mesh"


def _alike(found: tuple[_Described, ...], known: tuple[_Described, ...]) -> int:
    """The likeness of two signatures."""
    return sum(map(operator.eq, itertools.chain.from_iterable(found), itertools.chain.from_iterable(known)))


class _Entry(NamedTuple):
    program: Program
    statics: str
    described: tuple[_Described, ...]
    held_bytes: int


# The bytes of a traced program on the host: measured with chains of elementwise operations, and rounded up.
_BYTES_OF_TRACE, _BYTES_OF_PROGRAM, _BYTES_OF_CALL = 16 << 10, 4 << 10, 2 << 10


class Cache:
    """Programs by function and signature; what was not called for longest goes when its bytes are spent.

    A program keeps alive what it uses besides its arguments, on the device as well; it goes with its function.
    """

    # Ends of functions come at any moment, also while this thread is in here: whoever has the lock drops what is in _ended.

    def __init__(self, most_bytes: int = 64 << 20) -> None:
        self.most_bytes = most_bytes
        self._entries: OrderedDict[tuple[int, str, bytes], _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._ended: deque[int] = deque()
        self.held_bytes = self.hits = self.misses = 0

    def find(self, key: tuple[int, str, bytes]) -> Program | None:
        gone = []
        with self._lock:
            if self._ended:
                gone = self._taken_out()
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry.program

    def explain(self, function: int, statics: str, described: tuple[_Described, ...]) -> str:
        """The first difference from the call nearest to this one; empty where none is known."""
        with self._lock:
            mine = (entry for (each, _, _), entry in reversed(self._entries.items()) if each == function)
            known = list(itertools.islice(mine, 64))
        if not known:
            return ""
        alike = [entry for entry in known if entry.statics == statics]
        if not alike:
            return f"static arguments: {statics or 'none'}, not {known[0].statics or 'none'}"
        return _difference(described, max(alike, key=lambda entry: _alike(described, entry.described)).described)

    def add(self, key: tuple[int, str, bytes], program: Program, described: tuple[_Described, ...]) -> None:
        native = program.native
        size = _BYTES_OF_TRACE + native.program_count * _BYTES_OF_PROGRAM + native.equation_count * _BYTES_OF_CALL
        gone = []  # freed when the lock is: it may run code of the user's
        with self._lock:
            self.misses += 1
            before = self._entries.pop(key, None)
            if before is not None:
                gone.append(before)
                self.held_bytes -= before.held_bytes
            self._entries[key] = _Entry(program, key[1], described, size)
            self.held_bytes += size
            while self.held_bytes > self.most_bytes and len(self._entries) > 1:
                _, oldest = self._entries.popitem(last=False)
                gone.append(oldest)
                self.held_bytes -= oldest.held_bytes

    def _taken_out(self) -> list[_Entry]:
        """The programs of functions that ended. REQUIRES: the lock is held"""
        ended = set()
        while self._ended:
            ended.add(self._ended.popleft())
        gone = [self._entries.pop(key) for key in list(self._entries) if key[0] in ended]
        self.held_bytes -= sum(entry.held_bytes for entry in gone)
        return gone

    def drop(self, function: int) -> None:
        """The programs of a function that ended."""
        self._ended.append(function)
        gone = []
        if self._lock.acquire(blocking=False):
            try:
                gone = self._taken_out()
            finally:
                self._lock.release()
        del gone

    def statistics(self) -> dict[str, int]:
        with self._lock:
            gone = self._taken_out()
            found = {"hits": self.hits, "misses": self.misses, "entries": len(self._entries), "held_bytes": self.held_bytes}
        del gone
        return found


cache = Cache()
_numbers = itertools.count(1)


class Calls:
    """The calls of one compiled function with tensors."""

    def __init__(self, name: str, strict: bool) -> None:
        self.name, self.strict = name, strict
        self.number = next(_numbers)
        self.explanation = ""
        self._forgotten = ""  # why, until the next trace

    def forget(self, why: str) -> None:
        """No call finds a program that is known now."""
        cache.drop(self.number)
        self._forgotten = why

    def __call__(self, leaves: list[Any], statics: str, call: Callable[[list[Any]], Any]) -> tuple[Any, bool]:
        """The results of a replay, and whether the function was traced for it."""
        key = (self.number, statics, _trace._signature(leaves))
        known = cache.find(key)
        if known is not None:
            try:
                return known.replay(leaves), False
            except _trace.TraceError as error:
                # Memory that the function uses besides its arguments is gone, or is an argument's now.
                if error.kind != "bad_argument":
                    raise
                self.explanation = str(error)
        described = tuple(_described(leaf) for leaf in leaves)
        if known is None:
            self.explanation = cache.explain(self.number, statics, described) or self._forgotten
        self._forgotten = ""
        program = trace(self.name, call, leaves, [])
        if self.strict and trace(self.name, call, leaves, []).native.graph != program.native.graph:
            _trace._raise("optional_check", f"'{self.name}': found another graph when it was traced again, expected the same",
                          self.name, hint="what changes from call to call has to be an argument")
        cache.add(key, program, described)
        return program.replay(leaves), True


class DeviceFunction(Traced):
    """A function of tensors that was traced. Called, it is replayed; its other attributes are those of the graph."""

    def __init__(self, program: Program, arguments: Any) -> None:
        self._arguments = arguments
        self.program = program

    @functools.cached_property
    def graph(self) -> Any:  # made when it is first asked for: tracing and replaying need none
        return self.program.native.graph

    def _leaves(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        leaves, spec = _trees.flatten((args, kwargs) if kwargs else args)
        self._require_structure(spec)
        if leaves and not are_tensors(leaves):
            _trace._raise("bad_argument", f"{self.graph.name}: found no tensor on a device among the arguments", self.graph.name)
        return leaves

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.program.replay(self._leaves(args, kwargs))

    def plan(self, *args: Any, **kwargs: Any) -> Plan:
        """The plan of a call with these tensors."""
        return Plan(self, self._leaves(args, kwargs))

    def fix(self, *args: Any, **kwargs: Any) -> FixedReplay:
        """Replays at the addresses that a call with these tensors has on the memory as it is now."""
        return FixedReplay(self, self.program.native.plan_addresses(self._leaves(args, kwargs)))


class Hazard(NamedTuple):
    """A live buffer that a replay overwrites, and what does it: a buffer or program memory of a call in the replay."""

    buffer: int
    memory: str
    address: int
    size_per_bank: int
    operation: str
    by: str  # "buffer", "program memory"; "itself": a result of the metal trace, which each execution writes anew; "reader":
    # nobody overwrites it, the metal trace reads it in the place of an input that was freed
    by_address: int
    by_size: int
    by_operation: str
    parts: tuple[tuple[int, int, int], ...]  # bank, begin and end of what is overwritten; none: only the block is shared
    text: str

    def __str__(self) -> str:
        return self.text


def _hazards(found: list[dict[str, Any]]) -> list[Hazard]:
    return [Hazard(**{**each, "parts": tuple(each["parts"])}) for each in found]


def metal_trace_hazards(device: Any, trace_id: Any, *, own_results: bool = False) -> list[Hazard]:
    """The live buffers that ttnn.execute_trace(device, trace_id) would overwrite if it came now, and what does it; nothing is run.

    Named is whoever lies where the trace's programs have results or program memory: tensors made after the capture, those of
    other traces, those made in the capture that no program of it writes; and whoever lies where an input was freed, which the
    trace reads instead. Its own results are in there with own_results: each execution writes them anew. Raises RuntimeError for a trace that does not exist, is still captured, or was captured where
    nothing runs.
    """
    return _hazards(_trace._metal_trace_hazards(device, int(trace_id), own_results))


class FixedReplay:
    """A function of tensors that is replayed at addresses planned once, as a metal trace is."""

    def __init__(self, function: DeviceFunction, addresses: list[int]) -> None:
        self._function = function
        self.addresses = addresses

    def hazards(self, *args: Any, **kwargs: Any) -> list[Hazard]:
        """The live buffers that a call with these tensors would overwrite now; nothing is run."""
        leaves = self._function._leaves(args, kwargs)
        return _hazards(self._function.program.native.hazards(self.addresses, leaves))

    def __call__(self, *args: Any, on_hazard: str = "refuse", **kwargs: Any) -> Any:
        """Runs it. Where live buffers would be overwritten: raises TraceError ("refuse"), plans other addresses ("move"), or goes
        on ("allow")."""
        program = self._function.program
        flat, self.addresses = program.native.replay_at(self.addresses, self._function._leaves(args, kwargs), on_hazard)
        return _trees.unflatten(program.results, flat)


class Plan:
    """The plan of a function of tensors that runs with these tensors: planned on the memory of the device as it was
    then.

    A capture in which nothing ran has the answers: peak(), fit(), check(), explain(), html(), nodes ... are its own.
    """

    def __init__(self, function: DeviceFunction, leaves: list[Any]) -> None:
        self._function = function
        self.capture = Capture()
        self.capture._graph, addresses = function.program.native.plan(leaves)
        self._places = _trace.PlacesOfInputs(leaves)
        self._memory: dict[str, Any] | None = None
        self.fixed = FixedReplay(function, addresses)

    @property
    def graph(self) -> Any:
        """The function's calls."""
        return self._function.graph

    def replay(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function with tensors like those that were planned."""
        return self._function(*args, **kwargs)

    def hazards(self, *args: Any, **kwargs: Any) -> list[Hazard]:
        """The live buffers that a replay at the plan's addresses (fixed) would overwrite. replay() allocates, and
        overwrites nothing."""
        return self.fixed.hazards(*args, **kwargs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an ordinary report of it. Raises CaptureError where none can be written."""
        _trace._write_report(self.capture.graph, path)

    def peak(self) -> Any:
        """The true peaks of L1 and DRAM, with what fills them."""
        return self.capture.peak()

    def memory(self) -> dict[str, Any]:
        """Every buffer's birth, death, place, pass and role, the memory of every program, the peaks with who is alive there."""
        if self._memory is None:
            self._memory = json.loads(self._function.program.native.memory(self._places, self.capture.graph))
        return self._memory

    def _document(self, sizes: Any, recompute: Any) -> str:
        document = dict(self.memory())
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "plan.json")
            self.save(report)
            with open(report, encoding="utf-8") as file:
                document["report"] = json.load(file)
        if sizes is not None:
            document["sizes"] = sizes.data
        if recompute is not None:
            document["recompute"] = recompute.data
        return json.dumps(document)

    def save_memory(self, path: str | os.PathLike[str], *, sizes: Any = None, recompute: Any = None) -> None:
        """Writes memory() and the plan's report as JSON: `tilemeter memory FILE` prints its tables, and makes the page of it with
        --html. sizes, recompute: what peak_at_sizes() and recompute_curve() gave, for the page."""
        text = self._document(sizes, recompute)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")

    def memory_html(self, path: str | os.PathLike[str] | None = None, *, sizes: Any = None, recompute: Any = None) -> str:
        """The page of the plan's report, with passes, roles and what the way back keeps; with sizes and recompute, as
        peak_at_sizes() and recompute_curve() gave them, also the peaks by size and the schedules that compute again. Written to
        `path`, if there is one."""
        page: str = _trace._memory_page(self._document(sizes, recompute))
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def saved(self) -> list[dict[str, Any]]:
        """The tensors that the way back keeps: bytes, equations held, who needs it and where that is called; dearest
        first.

        `made_again`: what runs instead if it is not kept: calls, the bytes that they make, and their cost (recompute_curve());
        None: its call can't run again.
        """
        kept = self.memory()["saved"]
        found = self._function.program.native.regenerated([each["made_by"]["equation"] for each in kept])
        return [{**each, "made_again": again and dict(zip(("calls", "bytes", "cost"), again))} for each, again in zip(kept, found)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "capture":
            raise AttributeError(name)
        return getattr(self.capture, name)

    def __len__(self) -> int:
        return len(self.capture)

    def __repr__(self) -> str:
        return f"<plan of {self.graph.name}: {self.capture!r}>"


def require_options(function: str, **options: bool) -> None:
    """Raises TraceError for those that are for functions of arrays."""
    for name, value in options.items():
        if value:
            _trace._raise("bad_argument", f"{function}: found tensors on a device, but {name} is for functions of arrays", function,
                          hint="values of tensors are not at hand while a function of them is traced")
