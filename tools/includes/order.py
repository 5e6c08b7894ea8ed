# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The order of the rooms, written once: which folder may take from which, and how long a folder may get."""

from __future__ import annotations

from typing import Iterator, NamedTuple


class Room(NamedTuple):
    """A folder with its `internal`, the rooms below it, and its third parties by the start of their paths.

    A name that ends with a slash stands for the folder and for all folders in it.
    """

    folder: str
    below: tuple[str, ...]
    third_parties: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.folder.rstrip("/")


def stairs(
    folder: str, *floors: str, below: tuple[str, ...] = (), third_parties: tuple[str, ...] = ()
) -> Iterator[Room]:
    """Rooms of a folder, floor by floor from the ground: each may take from all floors below its own."""
    for floor in floors:
        rooms = tuple(f"{folder}/{name}" for name in floor.split())
        yield from (Room(room, below, third_parties) for room in rooms)
        below = (*below, *(room.rstrip("/") for room in rooms))


ANYTHING = ("",)
EVERYTHING = ("capture/", "runtime/", "report/", "visualizer_import/", "tools/", "tests/")

RECORD = ("capture/record", "capture/events")
LOG = ("capture/log",)
IR = ("capture/ir/",)


def capture() -> Iterator[Room]:
    yield Room("capture/log", (), ("spdlog/",))
    # No log: what records goes into the measured program and links nothing.
    yield Room("capture/events", ())
    yield Room("capture/record", ("capture/events",))
    yield Room("capture/recordings", (*RECORD, *LOG))
    yield Room("capture/graph", (*RECORD, *LOG), ("nlohmann/", "elfutils/", "dwarf.h"))
    # Graphs as data: no operation, no device, no capture. Whoever knows operations hands in a table of them.
    yield Room("capture/ir", (), ("isl/",))
    yield Room("capture/ir/passes", ("capture/ir",))


# runtime/operations, upwards: each family with the families that it may take from.
CORE = ("work", "core")
MOVEMENT = (*CORE, "data_movement")
ELTWISE = (*MOVEMENT, "creation", "eltwise")
FAMILIES = {
    "core": (),
    "work": ("core",),
    "data_movement": CORE,
    "generic": CORE,
    "creation": MOVEMENT,
    "eltwise": (*MOVEMENT, "creation"),
    "matmul": ELTWISE,
    "reduction": ELTWISE,
    "transformer": (*ELTWISE, "matmul", "reduction"),
    "normalization": (*ELTWISE, "matmul", "reduction"),
    "sliding_window": (*ELTWISE, "matmul", "reduction"),
    "moreh": (*ELTWISE, "matmul", "reduction"),
    "ccl": (*ELTWISE, "reduction", "moreh"),
}
TYPES = ("runtime/types", *RECORD)
DEVICE = ("runtime/device", *TYPES, *LOG)
TENSOR = ("runtime/tensor", "runtime/compute", *DEVICE)
OPERATIONS = ("runtime/operations/", *TENSOR, *IR)


def runtime() -> Iterator[Room]:
    """Value types, devices and arithmetic beside each other, tensors, operations, graphs, graphs on devices."""
    yield Room("runtime/types", RECORD)
    yield Room("runtime/compute", TYPES, ("dnnl", "oneapi/dnnl/", "boost/asio/"))
    yield Room("runtime/device", (*TYPES, *LOG), ("nlohmann/",))
    yield Room("runtime/tensor", ("runtime/compute", *DEVICE))
    yield Room("runtime/query", TENSOR)
    for family, below in FAMILIES.items():
        yield Room(f"runtime/operations/{family}", (*(f"runtime/operations/{each}" for each in below), *TENSOR, *IR))
    yield Room("runtime/operations", OPERATIONS)
    yield Room("runtime", OPERATIONS)
    # Graphs that are evaluated, lowered and exported: no device, no operation of TT-NN.
    yield from stairs(
        "runtime/trace",
        "primitives", "calls", "arrays export", "derivatives",
        below=IR, third_parties=("xtensor/", "boost/math/", "Random123/"),
    )  # fmt: skip
    # Graphs on devices: functions of TT-NN tensors, their replay and its report; flat graphs placed as TT-NN's calls.
    graphs = tuple(f"runtime/trace/{room}" for room in ("primitives", "calls", "arrays", "derivatives"))
    yield from stairs(
        "runtime/trace/device",
        "record place", "replay rules", "recompute gradients",
        below=("runtime", *OPERATIONS, *graphs, "capture/graph", "report"),
    )  # fmt: skip
    # Captures of a system that is observed: no operation, no model of a device.
    yield Room("runtime/attach/ttnn", ("capture/", "report/"), ("nlohmann/",))
    yield Room("runtime/attach/torch", RECORD, ("ATen/", "c10/", "driver_types.h"))


def report() -> Iterator[Room]:
    files = ("capture/events", "capture/record", "capture/recordings", "capture/graph", "capture/log")
    yield Room("report", files, ("simdjson.h", "nlohmann/", "zlib.h", "zstd.h"))
    yield from stairs(
        "report/analysis",
        "nodes", "memory", "ttnn answers", "gate",
        below=("report", *files), third_parties=("nlohmann/",),
    )  # fmt: skip
    # The drawing of graphs, whatever they tell.
    yield Room("report/drawing", ("report",))
    # What other programs write: the forms of their files, then what these say.
    yield Room("report/foreign/mlir", ())
    yield Room("report/foreign/base", ("report",))
    yield Room("report/foreign/pickle", ("report", "report/foreign/base"))
    captures = ("report", "report/analysis/", "report/foreign/base", *files)
    yield Room("report/foreign/torch", (*captures, "report/foreign/pickle"))
    yield Room("report/foreign/xla", captures)
    yield Room("report/foreign", ("report", "report/foreign/base", "report/foreign/mlir"))
    yield Room("report/render", ("report/", *files, *IR), ("nlohmann/",))


def visualizer_import() -> Iterator[Room]:
    below = ("report/", *LOG)
    yield from stairs(
        "visualizer_import", "rows", "pages", "database graph", "tables", below=below, third_parties=("sqlite3.h",)
    )
    yield Room("visualizer_import", ("visualizer_import/", *below), ("sqlite3.h",))


def python() -> Iterator[Room]:
    """The extension module, and on it the package: its rooms, then TT-NN's module names, which hand names on."""
    bindings, package = "tools/python/bindings", "tools/python/tilemeter"
    native = ("capture/", "runtime/", "report/", "visualizer_import/", "tools/tilemeter", "tools/command")
    headers = ("nanobind/", "nlohmann/")
    floors = ("base", "types device", "tensors", "operations captures answers trace")
    yield from stairs(bindings, *floors, below=native, third_parties=headers)
    yield Room(bindings, (f"{bindings}/", *native), headers)
    yield Room(f"{package}/_src", ())
    floors = "base types device captures operations tensors golden answers fleet live models fallbacks package".split()
    yield from stairs(f"{package}/_src", *floors, below=(bindings, "tools/python/tilemeter_attach"))
    yield from stairs(f"{package}/trace", "_functions", "_library", below=(f"{package}/_src/", bindings))
    yield Room(f"{package}/trace", (f"{package}/trace/", f"{package}/_src/", bindings))
    # Modules that Python or pytest loads by itself, without the package.
    yield Room("tools/python/tilemeter_attach", ())
    yield Room("tools/python/tilemeter_pytest", (f"{package}/_src/",))
    yield Room(f"{package}/", (f"{package}/", bindings, "tools/python/tilemeter_attach", "tools/python/tilemeter_pytest"))


def tools() -> Iterator[Room]:
    yield Room("tools/command", (), ("CLI/",))
    libraries = ("capture/", "runtime/", "report/", "visualizer_import/")
    yield Room("tools/page_server", (), ("boost/",))
    yield Room("tools/tilemeter", (*libraries, "tools/command"), ("nlohmann/",))
    # Verbs of the program alone, which go on as long as something else runs.
    yield Room("tools/tilemeter/live", (*libraries, "tools/command", "tools/page_server", "tools/tilemeter"), ("nlohmann/",))
    yield from python()
    yield Room("tools/compiled", EVERYTHING, ("forms.inc",))  # which CMake makes beside TT-NN's headers
    yield Room("tools/examples", EVERYTHING, ("gtest/", "nlohmann/"))
    yield Room("tools/", EVERYTHING, ("flatbuffers/", "nanobind/", "nlohmann/"))
    yield Room("tests/", EVERYTHING, ANYTHING)


ROOMS = {room.name: room for room in (*capture(), *runtime(), *report(), *visualizer_import(), *tools())}

# Parts made of rooms: what is internal to a room is open to the rooms of its part. Elsewhere it is to its folder alone.
PARTS = ("capture", "report/analysis", "runtime/trace", "visualizer_import")

# TT-NN's module names list what they offer and hold no code. Of the files beside them these do, for a reason:
NAMES = "tools/python/tilemeter"
NO_NAMES = {
    f"{NAMES}/as_ttnn.py": "a program, which runs code that imports ttnn",
    f"{NAMES}/commands.py": "the programs of the package",
    f"{NAMES}/conformance/": "a program, which compares folders of scripts",
    f"{NAMES}/fleet.py": "a program, which adds captures to datasets and asks them",
    f"{NAMES}/torch.py": "a program, which captures others that use PyTorch",
    f"{NAMES}/demo.py": "a program, which runs as a user's would",
    f"{NAMES}/pytest_plugin.py": "a plugin, which pytest loads",
    f"{NAMES}/tracy/": "does nothing: zones of a tracer that is not there",
}

# The picture of each part lies in the folder whose README shows it.
PICTURES = {"capture": "capture", "runtime": "runtime", "report": "report", "python": "tools/python"}

# A unit is a name with its header and its source, or a Python module.
MOST_UNITS = 25
# Lists, in which each file is one thing of a kind.
MOST_LISTED = 36
LISTS = {
    "runtime/operations/data_movement": "operations of one family, a file each",
    "tools/python/tilemeter": "TT-NN's modules and the package's programs, a list of names or a program each",
    "tools/tilemeter": "verbs of the program, a file each",
}
# Modules that nothing imports, or that are found by their names alone.
UNBOUNDED = {
    "tests/python": "tests of one subject each, collected by pytest",
    "tests/python/scripts": "recorded scripts, one a file, run by a test",
}


def room_of(folder: str) -> Room | None:
    """The room that holds the files of this folder."""
    folder = folder[: -len("/internal")] if folder.endswith("/internal") else folder
    if folder in ROOMS:
        return ROOMS[folder]
    parents = folder.split("/")
    for length in range(len(parents) - 1, 0, -1):
        room = ROOMS.get("/".join(parents[:length]))
        if room and room.folder.endswith("/"):
            return room
    return None


def may_take(room: Room, other: Room) -> bool:
    return any(other.name == name or name.endswith("/") and f"{other.name}/".startswith(name) for name in room.below)
