# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records how TT-NN plans randomly configured operations, as oracle_check replays it.

    usage: record.py BOARD OUT.jsonl COUNT SEED [FAMILY | OPERATION | FAMILY/OPERATION]...

Runs in TT-NN's Python (0.81.1), on a board or on its mock device (TT_METAL_MOCK_CLUSTER_DESC_PATH). Each row is one call:
its inputs, what a NO_DISPATCH capture says of its programs, and what a NORMAL capture says of its buffers. COUNT rows of
each operation that configurations/ has, or of those named; an operation may have several kinds of configurations, named
OPERATION:KIND ("sum:sharded"). A name that a family and an operation share is the family's: matmul/matmul is the
operation. The same SEED makes the same configurations of an operation, whatever else is named. Convolutions and poolings
need L1_SMALL_SIZE=32768 in the environment, convolutions torch, too.

With FILL_L1=1 in the environment each call finds other tensors in L1, from none to as many as leave no room (l1_before in
configurations/tensor_specs.py says how a row lists them); before some rows ("called_before") the same call was made once in empty
L1, so that its programs are in the cache. A NO_DISPATCH capture places no results, so that its programs are
planned beside fewer tensors than they run with: here the results of the NORMAL capture are kept meanwhile, and where there
were temporaries in L1, too, the row's "no_dispatch" is null and the programs are those of NORMAL, without dataflow buffers.
"""

import gc
import json
import os
import random
import sys

import ttnn

from configurations import FAMILIES
from configurations.tensor_specs import l1_before

L1_BYTES = {"n150": 1393312, "p150": 1461120}  # of each core, for tensors and programs
FILL_L1 = os.environ.get("FILL_L1") == "1"
L1_SMALL_SIZE = int(os.environ.get("L1_SMALL_SIZE", "0"))  # the memory for tables of convolutions and poolings
DTYPES = {name: getattr(ttnn, name) for name in
          ("bfloat16", "float32", "uint32", "int32", "uint16", "uint8", "bfloat8_b", "bfloat4_b")}
LAYOUTS = {"TILE": ttnn.TILE_LAYOUT, "ROW_MAJOR": ttnn.ROW_MAJOR_LAYOUT}
PIECES = {"circular_buffer_allocate": "cbs", "dataflow_buffer_allocate": "dfbs", "scratchpad_allocate": "scratchpads"}


def memory_config(text):
    layout = getattr(ttnn.TensorMemoryLayout, text["memory_layout"])
    kind = getattr(ttnn.BufferType, text["buffer_type"])
    if "shard_shape" not in text:
        return ttnn.MemoryConfig(layout, kind)
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(x0, y0), ttnn.CoreCoord(x1, y1))
                               for x0, y0, x1, y1 in text["shard_grid"]})
    orientation = getattr(ttnn.ShardOrientation, text.get("orientation", "ROW_MAJOR"))
    if text["memory_layout"] == "ND_SHARDED":  # whatever TT-NN calls them then
        strategy = getattr(ttnn.ShardDistributionStrategy, text.get("strategy", "ROUND_ROBIN_1D"))
        return ttnn.MemoryConfig(kind, ttnn.NdShardSpec(ttnn.Shape(text["shard_shape"]), cores, orientation, strategy))
    return ttnn.MemoryConfig(layout, kind, ttnn.ShardSpec(cores, text["shard_shape"], orientation))


def make(device, spec):
    return ttnn.allocate_tensor_on_device(ttnn.Shape(spec["shape"]), DTYPES[spec["dtype"]], LAYOUTS[spec["layout"]], device,
                                          memory_config(spec["memory_config"]))


def occupy(device, before):
    """The tensors that lie in L1 before the inputs: a page of each on every core, made in order; then some are freed."""
    grid = device.compute_with_storage_grid_size()
    in_l1 = {"memory_layout": "INTERLEAVED", "buffer_type": "L1"}
    made = [make(device, {"shape": [grid.x * grid.y, each["bytes"] // 2], "dtype": "bfloat16", "layout": "ROW_MAJOR",
                          "memory_config": in_l1}) for each in before]
    for tensor, each in zip(made, before):
        if each.get("freed"):
            ttnn.deallocate(tensor)
    return made


def buffer_facts(params):
    return {"address": int(params["address"]), "size": int(params["size"]), "page_size": int(params["page_size"]),
            "num_cores": int(params["num_cores"]), "max_size_per_bank": int(params["max_size_per_bank"]),
            "type": params["type"], "layout": params["layout"]}


def capture(mode, call):
    ttnn.graph.begin_graph_capture(mode)
    error = output = None
    try:
        output = call()
    except Exception as problem:  # TT-NN refuses: that is recorded, too
        error = str(problem).partition("backtrace:")[0]  # the backtrace differs with each installation
    nodes = ttnn.graph.end_graph_capture()
    return nodes, output, error


def digest(nodes):
    """Call trace, programs and buffer events of a capture, frees after the last operation left out."""
    trace, programs, buffers, open_scopes = [], [], [], []
    for node in nodes:
        kind, params = node["node_type"], node["params"]
        if kind == "function_start":
            open_scopes.append((params["name"], params.get("program_factory_type", "")))
            trace.append(params["name"])
        elif kind == "function_end":
            if open_scopes:
                open_scopes.pop()
        elif kind == "circular_buffer_deallocate_all":
            name, factory = open_scopes[-1]
            programs.append({"device_op": name, "factory": factory, "cbs": [], "dfbs": [], "scratchpads": []})
        elif kind in PIECES:
            piece = {"size": int(params["size"]), "cores": params["core_range_set"], "address": int(params.get("address", 0))}
            if "globally_allocated" in params:
                piece["ga"] = params["globally_allocated"]
            if "borrows_memory" in params:
                piece["bm"] = params["borrows_memory"]
            programs[-1][PIECES[kind]].append(piece)
        elif kind in ("buffer_allocate", "buffer_deallocate") and open_scopes:
            buffers.append({"ev": "alloc" if kind == "buffer_allocate" else "free", **buffer_facts(params)})
    return {"calltrace": trace, "programs": programs, "buffers": buffers}


def tensors_in(output):
    if isinstance(output, ttnn.Tensor):
        return [output]
    return [each for each in output if isinstance(each, ttnn.Tensor)] if isinstance(output, (list, tuple)) else []


def output_facts(tensor):
    config = tensor.memory_config()
    return {"shape": list(tensor.shape), "padded": list(tensor.padded_shape), "dtype": tensor.dtype.name.lower(),
            "layout": tensor.layout.name, "buffer_type": config.buffer_type.name,
            "memory_layout": config.memory_layout.name, "address": tensor.buffer_address()}


def has_temporaries(buffers, outputs):
    """True if an operation made more in L1 than its results."""
    results = {each["address"] for each in outputs if each["buffer_type"] == "L1"}
    return any(each["ev"] == "alloc" and each["type"] == "L1" and each["address"] not in results for each in buffers)


def record(device, board, operation, config, function, prepare=None):
    row = {"board": board, "op": operation, **config}
    device.clear_program_cache()
    host = prepare(ttnn, config["args"]) if prepare else None
    call = (lambda: function(ttnn, (inputs, host), config["args"], out)) if prepare else \
        (lambda: function(ttnn, inputs, config["args"], out))
    try:
        if config.get("called_before"):
            inputs = [make(device, spec) for spec in config["inputs"]]
            out = memory_config(config["out_mem"]) if config.get("out_mem") else None
            call()
            inputs = None
        others = occupy(device, config.get("l1_before", []))  # until the call has ended
        inputs = [make(device, spec) for spec in config["inputs"]]
    except Exception as problem:  # no tensor can be so: not an operation's matter
        return None
    if any(not tensor.is_allocated() for tensor in inputs):
        return None
    row["input_buffers"] = [{"address": tensor.buffer_address()} for tensor in inputs]
    out = memory_config(config["out_mem"]) if config.get("out_mem") else None
    executed, output, error_executed = capture(ttnn.graph.RunMode.NORMAL, call)
    outputs = None if error_executed else [output_facts(each) for each in tensors_in(output)]
    beside_results = "l1_before" in config
    if not beside_results:
        output = None
    if not config.get("called_before"):
        device.clear_program_cache()
    if error_executed:
        row["error"] = error_executed
        return row
    if any(not tensor.is_allocated() for tensor in inputs):  # the operation frees what it has read
        inputs = None
        inputs = [make(device, spec) for spec in config["inputs"]]
    planned, _, error = capture(ttnn.graph.RunMode.NO_DISPATCH, call)
    _ = output = others = None
    device.clear_program_cache()
    row["normal"] = digest(executed)
    # NO_DISPATCH alone refuses poolings beside tensors in L1: what NORMAL says of programs must do then
    alone = error or beside_results and has_temporaries(row["normal"]["buffers"], outputs)
    row["no_dispatch"] = None if alone else digest(planned)
    row["normal"]["output"] = outputs[0]
    if len(outputs) > 1:
        row["normal"]["more_outputs"] = outputs[1:]
    return row


def probe(device):
    """The addresses that the next tensors would get."""
    gc.collect()
    return [make(device, {"shape": [1, 1, 32, 32], "dtype": "bfloat16", "layout": "TILE", "memory_config":
                          {"memory_layout": "INTERLEAVED", "buffer_type": kind}}).buffer_address() for kind in ("L1", "DRAM")]


def chosen(names):
    """Operations and kinds with their configurations: of the families and operations named, or all."""
    every = {name: entry for family in FAMILIES.values() for name, entry in family.items()}
    found = {}
    for name in names or FAMILIES:
        family, _, operation = name.rpartition("/")
        if name in FAMILIES:
            found.update(sorted(FAMILIES[name].items()))
        elif operation in FAMILIES.get(family, every):
            found[operation] = every[operation]
        else:
            sys.exit(f"record.py: expected a family ({', '.join(FAMILIES)}) or one of its operations, found '{name}'")
    return found


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    board, path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    operations = chosen(sys.argv[5:])
    device = ttnn.open_device(device_id=0, l1_small_size=L1_SMALL_SIZE)
    grid = device.compute_with_storage_grid_size()
    empty = probe(device)
    with open(path, "w") as out:
        for operation, (generate, function, *prepare) in operations.items():
            rng, states = random.Random(f"{operation} {seed}"), random.Random(f"{operation} {seed} L1")
            written = tries = 0
            while written < count and tries < 4 * count:
                tries += 1
                if probe(device) != empty:  # an operation that failed has left something behind
                    ttnn.close_device(device)
                    device = ttnn.open_device(device_id=0, l1_small_size=L1_SMALL_SIZE)
                config = generate(rng, (grid.x, grid.y))
                if FILL_L1:
                    config["l1_before"] = l1_before(states, L1_BYTES[board] - L1_SMALL_SIZE)
                    if states.random() < 0.3:
                        config["called_before"] = True
                row = record(device, board, operation.split(":")[0], config, function, *prepare)
                if row is None:
                    continue
                if L1_SMALL_SIZE:
                    row["l1_small_size"] = L1_SMALL_SIZE
                out.write(json.dumps(row, separators=(",", ":")) + "\n")
                out.flush()
                written += 1
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
