# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records which calls TT-NN finds in its program cache, as tests/python/test_program_cache.py replays it.

    usage: record_program_cache.py BOARD OUT.jsonl SEQUENCES SEED [FAMILY | OPERATION]...
           record_program_cache.py BOARD OUT.jsonl FIRST-LAST SEED mixed [FAMILY | OPERATION]...

Runs in TT-NN's Python (0.81.1), on a board or on its mock device. SEQUENCES of each operation of configurations/, each from an
empty cache: a random call, then calls that differ from it, or from the last, in one thing: a shape, a rank, an element type, a
memory config, an argument, the cores of shards, given outputs; among them the same call and quite another one. A row is a call:
its configuration; the device operations and which were found; the cache's entries afterwards; the program memory that a
NO_DISPATCH capture of the same call says next, when all are found. Poolings and convolutions need L1_SMALL_SIZE=32768.

"mixed": each sequence has 5 to 20 calls of several operations in turn, of all or of those named, and rows without that memory.
FIRST-LAST numbers the sequences, each of which has a seed of its own: where TT-NN dies in one, the next run begins behind it.
"""

import copy
import gc
import json
import os
import random
import sys

MORE = "program_cache"
CALLS = 8
PIECES = ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate")
KINDS = ("given", "given", "rank", "same", "other", "shape", "shape", "shape", "dtype", "memory", "out", "args", "args", "cores",
         "one_dtype", "layout", "carried")
FLOATS = ("bfloat16", "float32", "bfloat8_b")
# Sizes of images: TT-NN dies where they and the tensors do not agree.
SIZES = {"batch_size", "input_h", "input_w", "input_height", "input_width", "channels", "in_channels", "out_channels", "groups"}


class GivesOutput:
    """TT-NN's module, of which every function gets this tensor for its result."""

    def __init__(self, module, tensor):
        self._module, self._tensor = module, tensor

    def __getattr__(self, name):
        value = getattr(self._module, name)
        if type(value).__name__ == "module":
            return GivesOutput(value, self._tensor)
        if not callable(value) or isinstance(value, type):
            return value
        return lambda *args, **named: value(*args, output_tensor=self._tensor, **named)


def call(ttnn, function, config, inputs, host, out):
    inputs = inputs if host is None else (inputs, host)
    result = function(ttnn, inputs, config["args"], out)
    if not config.get("given"):
        return result
    first = result[0] if isinstance(result, (list, tuple)) else result
    return function(GivesOutput(ttnn, first), inputs, config["args"], out)


def other_number(rng, value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, max(0, value - 1), value * 2))
    if isinstance(value, float):
        return value + rng.choice((0.5, 1.0, -0.25))
    if isinstance(value, (list, tuple)) and value:
        at = rng.randrange(len(value))
        return [*value[:at], other_number(rng, value[at]), *value[at + 1:]]
    return value


def swapped(config):
    return config | {"buffer_type": "L1" if config["buffer_type"] == "DRAM" else "DRAM"}


def other_shape(rng, config):
    shape = config["inputs"][0]["shape"]
    at = -rng.randrange(1, len(shape) + 1)
    size = shape[at]
    new = rng.choice((size * 2, size + 32, max(1, size // 2), size + 1, max(1, size - 1)))
    for each in config["inputs"]:
        if -at <= len(each["shape"]) and each["shape"][at] == size:
            each["shape"][at] = new


def other_cores(rng, config, grid):
    for each in [*(spec["memory_config"] for spec in config["inputs"]), config["out_mem"] or {}]:  # "carried" has no shards
        if len(each.get("shard_grid", ())) == 1:
            x0, y0, x1, y1 = each["shard_grid"][0]
            if rng.random() < 0.5 and x1 + 1 < grid[0]:
                each["shard_grid"] = [[x0 + 1, y0, x1 + 1, y1]]
            elif y1 + 1 < grid[1]:
                each["shard_grid"] = [[x0, y0 + 1, x1, y1 + 1]]


def changed(rng, config, generate, grid):
    """A configuration that differs from the given one in one thing."""
    kind, config = rng.choice(KINDS), copy.deepcopy(config)
    inputs, names = config["inputs"], sorted(config["args"])
    if SIZES & set(names):
        names = [name for name in names if name not in SIZES]
        kind = "other" if kind in ("shape", "rank") else kind
    if kind == "other":
        return copy.deepcopy(generate(rng, grid))
    if kind == "given":
        config["given"] = not config.get("given")
    elif kind == "rank":
        for each in inputs:
            if len(each["shape"]) > 2 and each["shape"][0] == 1:
                each["shape"] = each["shape"][1:]
    elif kind == "shape":
        other_shape(rng, config)
    elif kind == "dtype":
        old, new = inputs[0]["dtype"], rng.choice(FLOATS)
        for each in inputs:
            each["dtype"] = new if each["dtype"] == old else each["dtype"]
    elif kind == "one_dtype":
        each = rng.choice(inputs)
        each["dtype"] = rng.choice(FLOATS) if each["dtype"] in FLOATS else each["dtype"]
    elif kind == "memory":
        each = rng.choice(inputs)
        sharded = "shard_shape" in each["memory_config"]
        each["memory_config"] = {"memory_layout": "INTERLEAVED", "buffer_type": "L1"} if sharded else swapped(each["memory_config"])
    elif kind == "out":
        out = config["out_mem"]
        config["out_mem"] = swapped(out) if out and "buffer_type" in out and "shard_shape" not in out else \
            {"memory_layout": "INTERLEAVED", "buffer_type": rng.choice(("L1", "DRAM"))}
    elif kind == "args" and names:
        name = rng.choice(names)
        config["args"][name] = other_number(rng, config["args"][name])
    elif kind == "cores":
        other_cores(rng, config, grid)
    elif kind == "layout":
        for each in rng.choice((inputs, [rng.choice(inputs)])):
            each["layout"] = "TILE" if each["layout"] == "ROW_MAJOR" or "bfloat" in each["dtype"][:6] and each["dtype"] != "bfloat16" \
                else "ROW_MAJOR"
    elif kind == "carried":  # the memory config that a tensor has, which is not the one that it was made with
        config["out_mem"] = {"of_input": rng.randrange(len(inputs))}
    return config


def sequence(rng, generate, grid):
    configs = [copy.deepcopy(generate(rng, grid))]
    while len(configs) < CALLS:
        configs.append(changed(rng, configs[0] if rng.random() < 0.6 else configs[-1], generate, grid))
    return configs


def mixed_sequence(rng, entries, grid):
    """Calls of one to four operations as pairs of name and configuration: each a new one, or one before with a change."""
    names, calls = [rng.choice(sorted(entries[rng.choice(sorted(entries))])) for _ in range(rng.randrange(1, 5))], []
    functions = {name: entry for family in entries.values() for name, entry in family.items()}
    for _ in range(rng.randrange(5, 21)):
        if not calls or rng.random() < 0.25:
            name = rng.choice(names)
            config = functions[name][0](rng, grid)
        else:
            name, config = rng.choice((rng.choice(calls), calls[-1]))
            config = changed(rng, config, functions[name][0], grid)
        calls.append((name, json.loads(json.dumps(config))))
    return calls


def capture(ttnn, mode, function):
    ttnn.graph.begin_graph_capture(mode)
    error = False
    try:
        result = function()
    except Exception:  # refused: that is recorded, too
        result, error = None, True
    del result
    return ttnn.graph.end_graph_capture(), error


def operations(nodes):
    """Name of each device operation that has ended, and whether its program was found."""
    found = [node["params"] for node in nodes if node["node_type"] == "function_start"]
    return [[each["name"], str(each["program_cache_hit"]).lower() == "true"] for each in found if "program_cache_hit" in each]


def memory(nodes):
    """The memory of each program: kind, size and cores of each piece."""
    programs = []
    for node in nodes:
        if node["node_type"] == "circular_buffer_deallocate_all":
            programs.append([])
        elif node["node_type"] in PIECES:
            programs[-1].append([node["node_type"][0], int(node["params"]["size"]), node["params"]["core_range_set"]])
    return [sorted(each) for each in programs]


def answer(ttnn, device, make, memory_config, entry, config, with_memory=True):
    """The fields of a row beside the configuration; None where there can be no such tensors."""
    _, function, *prepare = entry
    host = prepare[0](ttnn, config["args"]) if prepare else None
    try:
        inputs = [make(device, spec) for spec in config["inputs"]]
    except Exception:
        return None
    asked = config.get("out_mem")
    if asked and "of_input" in asked:
        out = inputs[asked["of_input"]].memory_config()
    else:
        out = memory_config(asked) if asked else None
    run = lambda: call(ttnn, function, config, inputs, host, out)  # noqa: E731
    nodes, error = capture(ttnn, ttnn.graph.RunMode.NORMAL, run)
    said = {"error": True} if error else {"operations": operations(nodes)}
    said["entries"] = device.num_program_cache_entries()
    if with_memory and not error and all(tensor.is_allocated() for tensor in inputs):
        nodes, error = capture(ttnn, ttnn.graph.RunMode.NO_DISPATCH, run)
        if not error:
            said["memory"] = memory(nodes)
    return said


def entries_of(names):
    """Configurations and calls: of record.py's operations and of these that it does not have."""
    import record
    from configurations import FAMILIES
    from configurations.program_cache import CONFIGURATIONS
    names = names or [MORE, *FAMILIES]
    found = record.chosen([name for name in names if name != MORE and name not in CONFIGURATIONS]) if set(names) - {MORE} - \
        set(CONFIGURATIONS) else {}
    found.update((name, entry) for name, entry in CONFIGURATIONS.items() if MORE in names or name in names)
    return found


def record_alike(ttnn, device, board, count, seed, names, grid):
    """Rows of sequences of one operation each."""
    import record
    for name, entry in entries_of(names).items():
        rng = random.Random(f"{name} {seed}")
        for number in range(count):
            device.clear_program_cache()
            for config in sequence(rng, entry[0], grid):
                gc.collect()
                said = answer(ttnn, device, record.make, record.memory_config, entry, config)
                if said is not None:
                    yield {"board": board, "op": name, "sequence": number, **config, **said}


def record_mixed(ttnn, device, board, numbers, seed, names, grid):
    """Rows of sequences of several operations each."""
    import record
    from configurations import FAMILIES
    from configurations.program_cache import CONFIGURATIONS
    chosen = entries_of(names)
    families = {family: {name: chosen[name] for name in entries if name in chosen}
                for family, entries in {**FAMILIES, MORE: CONFIGURATIONS}.items()}
    families = {family: entries for family, entries in families.items() if entries}
    for number in numbers:
        device.clear_program_cache()
        for name, config in mixed_sequence(random.Random(f"{seed} {number}"), families, grid):
            gc.collect()
            said = answer(ttnn, device, record.make, record.memory_config, chosen[name], config, with_memory=False)
            if said is not None:
                yield {"board": board, "op": name, "sequence": number, "mixed": True, **config, **said}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    import ttnn
    board, path, count, seed, *names = sys.argv[1:]
    l1_small_size = int(os.environ.get("L1_SMALL_SIZE", "0"))
    gc.freeze()  # collections look at nothing older
    device = ttnn.open_device(device_id=0, l1_small_size=l1_small_size)
    size = device.compute_with_storage_grid_size()
    if names[:1] == ["mixed"]:
        first, last = map(int, count.split("-"))
        rows = record_mixed(ttnn, device, board, range(first, last + 1), seed, names[1:], (size.x, size.y))
    else:
        rows = record_alike(ttnn, device, board, int(count), seed, names, (size.x, size.y))
    with open(path, "w") as out:
        for row in rows:
            if l1_small_size:
                row["l1_small_size"] = l1_small_size
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
            out.flush()
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
