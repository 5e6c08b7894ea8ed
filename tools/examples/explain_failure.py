# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A block whose activations fill L1: what was refused, what lies there, and the same block with its product in DRAM.

    python explain_failure.py [l1|dram] [REPORT]
"""

import sys

import tilemeter as ttnn


def block(device: ttnn.MeshDevice, product_in: ttnn.MemoryConfig) -> ttnn.Tensor:
    x = ttnn.ones([1, 1, 2560, 4096], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    weight = ttnn.ones([1, 1, 4096, 1024], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    skips = []  # a later part of the model adds them
    for _ in range(4):
        x = ttnn.relu(x, memory_config=ttnn.L1_MEMORY_CONFIG)
        skips.append(x)
    return ttnn.matmul(x, weight, memory_config=product_in)


def main() -> int:
    product_in = ttnn.DRAM_MEMORY_CONFIG if sys.argv[1:2] == ["dram"] else ttnn.L1_MEMORY_CONFIG
    report = sys.argv[2] if len(sys.argv) > 2 else "report.json"
    device = ttnn.open_device(device_id=0)
    ttnn.graph.enable_python_stack_traces()  # the answers then name lines of this file
    try:
        with ttnn.graph.capture(report) as taken:
            block(device, product_in)
    except ttnn.ProgramMemoryClashError:
        print(taken.explain())
        return 1
    finally:
        ttnn.close_device(device)
    peak = taken.peak()
    print(f"{peak.verdict}: {peak.l1.bytes:,} of {peak.l1.limit_bytes:,} B per core, in {peak.l1.operation}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
