# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A compiler's spill loop: results stay in L1 as long as all that follows fits beside them."""

import tilemeter as ttnn
from tilemeter.graph import extract_mock_allocator_state, query_op_constraints_with_initial_state

# Twelve branches of one input, added up in the end: each result with its call and what it reads.
STEPS = {f"branch {i}": (ttnn.exp if i % 2 else ttnn.silu, ["x"]) for i in range(12)}
STEPS |= {f"sum {i}": (ttnn.add, [f"sum {i - 1}" if i else "x", f"branch {i}"]) for i in range(12)}
STEPS["norm"] = (ttnn.layer_norm, ["sum 11"])
last_use = {read: number for number, (_, reads) in enumerate(STEPS.values()) for read in reads}
placed = {"x": ttnn.DRAM_MEMORY_CONFIG, **dict.fromkeys(STEPS, ttnn.L1_MEMORY_CONFIG)}

device = ttnn.open_device(device_id=0)
nothing = extract_mock_allocator_state(device)


def first_refusal():
    """Asks about one step after the other, on top of what is alive: the first that does not fit, or None."""
    alive = {}  # records of results, by name
    for number, (name, (call, reads)) in enumerate(STEPS.items()):
        state = nothing.with_allocations(list(alive.values()))
        inputs = [ttnn.TensorSpec([1, 1, 2048, 2048], ttnn.bfloat16, ttnn.TILE_LAYOUT, placed[each].buffer_type) for each in reads]
        answer = query_op_constraints_with_initial_state(call, device, state, *inputs, memory_config=placed[name])
        if answer.response.refusal:
            return name, answer.response.refusal, alive
        alive[name] = answer.output_allocations[0]
        alive = {each: record for each, record in alive.items() if last_use.get(each, len(STEPS)) > number}
    return None


while refused := first_refusal():
    name, refusal, alive = refused
    in_l1 = {each for each, record in alive.items() if record in refusal.in_the_way} | {name}
    victim = max(in_l1, key=lambda each: last_use.get(each, len(STEPS)))
    print(f"{name}: {refusal.kind}, {refusal.bytes_wanted:,} B wanted, {refusal.largest_free_block:,} B in one piece; {victim} to DRAM")
    placed[victim] = ttnn.DRAM_MEMORY_CONFIG

# The proof: the program runs where the queries have placed it.
values = {"x": ttnn.ones([1, 1, 2048, 2048], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)}
with ttnn.graph.capture() as taken:
    for number, (name, (call, reads)) in enumerate(STEPS.items()):
        values[name] = call(*[values[each] for each in reads], memory_config=placed[name])
        values = {each: value for each, value in values.items() if last_use.get(each, len(STEPS)) > number}
print(f"fits: {sum(each is ttnn.L1_MEMORY_CONFIG for each in placed.values())} of {len(STEPS)} results in L1")
