# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records what TT-NN's allocators do, as allocator_check replays it.

    usage: record.py BOARD OPTIONS OUT.jsonl

Runs in TT-NN's Python (0.81.1), on a board or on its mock device (TT_METAL_MOCK_CLUSTER_DESC_PATH). OPTIONS is JSON:
what open_device() reserves, {"l1_small_size": 4096}. n300.jsonl and p100.jsonl are from this, shortened.
"""

import json
import random
import sys

import ttnn

board, options, path = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
# On an n300 the operations run on the grid that dispatch on worker cores leaves.
dispatch = {"dispatch_core_config": ttnn.DispatchCoreConfig(ttnn.DispatchCoreType.WORKER)} if board == "n300" else {}
device = ttnn.open_device(device_id=0, **options, **dispatch)
grid = device.compute_with_storage_grid_size()
out = open(path, "w")

TYPES = {name: getattr(ttnn.BufferType, name) for name in ("DRAM", "L1", "L1_SMALL", "TRACE")}
LAYOUTS = {"TILE": ttnn.TILE_LAYOUT, "ROW_MAJOR": ttnn.ROW_MAJOR_LAYOUT}
DTYPES = ("bfloat16", "float32", "uint32", "bfloat8_b")
FACTS = ("address", "size", "page_size", "num_cores", "max_size_per_bank", "type", "layout")


def put(kind, **row):
    out.write(json.dumps({"kind": kind, "board": board, **row}, separators=(",", ":")) + "\n")


def interleaved(memory):
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, TYPES[memory])


def make(shape, dtype, layout, config):
    """A tensor and the facts of its buffer."""
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    try:
        tensor = ttnn.empty(shape, dtype=getattr(ttnn, dtype), layout=LAYOUTS[layout], device=device, memory_config=config)
    finally:
        nodes = ttnn.graph.end_graph_capture()
    params = next(n["params"] for n in nodes if n["node_type"] == "buffer_allocate")
    return tensor, {key: params[key] for key in FACTS}


def table(memory):
    blocks = ttnn.get_memory_view(device, TYPES[memory]).block_table
    return [[int(b["address"]), int(b["size"]), b["allocated"]] for b in blocks]


def view(memory):
    bank = ttnn.get_memory_view(device, TYPES[memory])
    return {
        "num_banks": bank.num_banks,
        "total_bytes_per_bank": bank.total_bytes_per_bank,
        "allocated": bank.total_bytes_allocated_per_bank,
        "free": bank.total_bytes_free_per_bank,
        "largest": bank.largest_contiguous_bytes_free_per_bank,
    }


def record_device():
    info = ttnn._ttnn.reports.get_device_info(device)
    dram = device.dram_grid_size()
    put(
        "device",
        opts=options,
        grid=[grid.x, grid.y],
        dram_grid=[dram.x, dram.y],
        info={key: getattr(info, key) for key in dir(info) if not key.startswith("_")},
        views={memory: view(memory) for memory in TYPES},
        l1_alignment=ttnn.get_l1_alignment(),
        dram_alignment=ttnn.get_dram_alignment(),
    )


def record_pages():
    for shape in ([1, 1, 1, 1], [2, 3, 33, 65], [1, 1, 512, 1000], [7, 100], [4, 3, 32, 32]):
        for dtype in DTYPES:
            for layout in LAYOUTS:
                if dtype == "bfloat8_b" and layout == "ROW_MAJOR":
                    continue
                for memory in ("DRAM", "L1"):
                    tensor, facts = make(shape, dtype, layout, interleaved(memory))
                    put("page", shape=shape, dtype=dtype, layout=layout, memory=memory,
                        padded=list(tensor.padded_shape), buffer=facts, block_table=table(memory))
                    ttnn.deallocate(tensor)


def random_memory(rng):
    """A memory config, how rows of the table write it, and the shape that goes with it."""
    memory = rng.choice(["DRAM", "L1", "L1", "SHARDED"] + (["SMALL"] if options.get("l1_small_size") else []))
    if memory in ("DRAM", "L1"):
        shape = [1, 1, 32 * rng.randint(1, 40), 32 * rng.randint(1, 40)]
        return interleaved(memory), {"memory_layout": "INTERLEAVED", "buffer_type": memory}, shape
    x, y = rng.randrange(grid.x), rng.randrange(grid.y)
    rows, columns = (32, 32) if memory == "SMALL" else (32 * rng.randint(1, 6), 32 * rng.randint(1, 4))
    buffer_type = "L1_SMALL" if memory == "SMALL" else "L1"
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x, y))])
    shard = ttnn.ShardSpec(cores, [rows, columns], ttnn.ShardOrientation.ROW_MAJOR)
    config = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, TYPES[buffer_type], shard)
    text = {"memory_layout": "HEIGHT_SHARDED", "buffer_type": buffer_type, "shard_shape": [rows, columns],
            "shard_grid": [[0, 0, x, y]], "orientation": "ROW_MAJOR"}
    return config, text, [1, 1, rows * (x + 1) * (y + 1), columns]


def record_sequence(number, steps):
    rng = random.Random(number)
    live = {}
    for step in range(steps):
        if live and (rng.random() < 0.4 or len(live) > 14):
            which = rng.choice(sorted(live))
            put("seq", seq=number, step=step, ev="free", id=which, address=live[which].buffer_address())
            ttnn.deallocate(live.pop(which))
        else:
            config, text, shape = random_memory(rng)
            dtype = rng.choice(DTYPES[:3])
            try:
                live[step], facts = make(shape, dtype, "TILE", config)
            except RuntimeError:
                continue  # a full bank; what its message says is the business of `oom`
            facts["buf_type"] = text["buffer_type"]
            del facts["type"]
            put("seq", seq=number, step=step, ev="alloc", id=step, mem=text, shape=shape, dtype=dtype, **facts)
        if step % 20 == 19:
            put("table", seq=number, step=step, table=table("L1" if step % 40 == 19 else "DRAM"))
    for tensor in live.values():
        ttnn.deallocate(tensor)


def record_whole_banks():
    for memory in ("L1", "DRAM"):
        bank = ttnn.get_memory_view(device, TYPES[memory])
        for pages in (bank.total_bytes_per_bank // 2048, bank.total_bytes_per_bank // 2048 + 1):
            try:
                tensor, facts = make([bank.num_banks * pages * 32, 32], "bfloat16", "TILE", interleaved(memory))
                put("oom", mem=memory, pages_per_bank=pages, ok=True, buffer=facts)
                ttnn.deallocate(tensor)
            except RuntimeError as error:
                put("oom", mem=memory, pages_per_bank=pages, ok=False, error=str(error))


record_device()
record_pages()
for number in range(2):
    record_sequence(number, 80)
record_whole_banks()
out.close()
ttnn.close_device(device)
