# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""ttnn.generic_op: values of what kernels write, descriptors' attributes. What is recorded: scripts/generic_programs.py."""

from __future__ import annotations

from typing import Any, Iterator

import numpy
import pytest

import tilemeter as ttnn

SHAPE = [1, 1, 32, 64]


@pytest.fixture
def device() -> Iterator[ttnn.MeshDevice]:
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)


def filled(device: ttnn.MeshDevice, value: float) -> ttnn.Tensor:
    return ttnn.full(SHAPE, value, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)


def room(device: ttnn.MeshDevice) -> ttnn.Tensor:
    return ttnn.allocate_tensor_on_device(ttnn.Shape(SHAPE), ttnn.float32, ttnn.TILE_LAYOUT, device)


def program(source: str, size: int = 8192, page: int = 4096) -> ttnn.ProgramDescriptor:
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))])
    kernel = ttnn.KernelDescriptor(kernel_source=source, core_ranges=cores, config=ttnn.ComputeConfigDescriptor())
    form = ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.float32, page_size=page)
    return ttnn.ProgramDescriptor(
        kernels=[kernel], cbs=[ttnn.CBDescriptor(total_size=size, core_ranges=cores, format_descriptors=[form])]
    )


def test_values_of_a_kernel_are_refused_by_name_also_those_made_of_them(device: ttnn.MeshDevice) -> None:
    a, second, last = filled(device, 1.0), room(device), room(device)
    result = ttnn.generic_op([a, second, last], program("kernels/unknown.cpp"))
    assert result.shape == last.shape and result.buffer_address() == last.buffer_address()
    assert float(ttnn.to_numpy(a).sum()) == 32 * 64, "inputs keep their values"
    for tensor in (result, second, ttnn.relu(result), ttnn.from_device(result)):
        with pytest.raises(RuntimeError, match=r"not computed, for generic_op has them from kernels.*kernels/unknown\.cpp"):
            ttnn.to_numpy(tensor)


def test_a_registered_function_computes_the_values(device: ttnn.MeshDevice) -> None:
    seen: list[Any] = []

    @ttnn.register_generic_op_values("doubling.cpp")
    def doubled(tensors: list[Any], descriptor: ttnn.ProgramDescriptor) -> Any:
        seen.append((len(tensors), descriptor.kernels[0].kernel_source))
        return tensors[0] * 2

    a, b = filled(device, 1.5), room(device)
    ttnn.generic_op([a, b], program("somewhere/doubling.cpp"))
    assert seen == [(2, "somewhere/doubling.cpp")]
    assert numpy.array_equal(ttnn.to_numpy(b), numpy.full(SHAPE, 3.0, numpy.float32))
    ttnn.generic_op([filled(device, 4.0), b], program("somewhere/doubling.cpp"))  # from the program cache
    assert numpy.array_equal(ttnn.to_numpy(ttnn.neg(b)), numpy.full(SHAPE, -8.0, numpy.float32))


def test_a_registered_function_may_compute_several_tensors(device: ttnn.MeshDevice) -> None:
    ttnn.register_generic_op_values("split.cpp", lambda tensors, _: (tensors[0] + 1, tensors[0] - 1), outputs=2)
    a, b, c = filled(device, 5.0), room(device), room(device)
    ttnn.generic_op([a, b, c], program("split.cpp"))
    assert (ttnn.to_numpy(b).max(), ttnn.to_numpy(c).min()) == (6.0, 4.0)
    with pytest.raises(RuntimeError, match="values of 2 tensors|expected 2 arrays"):
        ttnn.register_generic_op_values("split.cpp", lambda tensors, _: [tensors[0]], outputs=2)
        ttnn.generic_op([a, b, c], program("split.cpp"))
    with pytest.raises(ValueError, match="outputs: expected 1 or more, got 0"):
        ttnn.register_generic_op_values("split.cpp", lambda tensors, _: [], outputs=0)


def test_a_plan_computes_nothing(device: ttnn.MeshDevice) -> None:
    called: list[int] = []
    ttnn.register_generic_op_values("planned.cpp", lambda tensors, _: called.append(1))
    a = filled(device, 1.0)
    with ttnn.graph.capture(run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
        ttnn.generic_op([a, room(device)], program("planned.cpp"))
    assert not called
    assert [node["params"]["size"] for node in taken.nodes if node["node_type"] == "circular_buffer_allocate"] == [8192]


def test_circular_buffers_that_find_no_room_are_refused(device: ttnn.MeshDevice) -> None:
    with pytest.raises(ttnn.ProgramMemoryTooLargeError):
        ttnn.generic_op([filled(device, 1.0), room(device)], program("big.cpp", size=4096 * 400))
    with pytest.raises(RuntimeError, match="Total circular buffer size 5000 B must be divisible by page size 4096 B"):
        ttnn.generic_op([filled(device, 1.0), room(device)], program("big.cpp", size=5000))


def test_descriptors_have_ttnns_attributes_and_no_others() -> None:
    described = program("a.cpp")
    kernel = described.kernels[0]
    described.cbs.append(described.cbs[0])
    assert len(described.cbs) == 1, "a list that a descriptor gives is a copy"
    kernel.compile_time_args.append(7)
    assert list(kernel.compile_time_args) == [7], "a kernel's arguments are its own"
    arguments = ttnn.RuntimeArgs()
    arguments[1][2] = [1, 2]
    arguments[1].append(2, 3)
    kernel.runtime_args = arguments
    assert list(kernel.runtime_args[1][2]) == [1, 2, 3] and len(kernel.runtime_args) == 1
    with pytest.raises(IndexError, match=r"No runtime args found for CoreCoord\(5, 5\)"):
        kernel.runtime_args[5][5]
    with pytest.raises(AttributeError, match="no attribute 'total'"):
        described.cbs[0].total = 1
    with pytest.raises(RuntimeError, match="global circular buffers are not modelled"):
        described.cbs[0].set_global_circular_buffer(object())
    assert described.cbs[0].format_descriptors[0].data_format_as_uint8 == 0
    with pytest.raises(RuntimeError, match="overlapping kernel core ranges between descriptor 0 and 1"):
        ttnn.merge_program_descriptors([described, program("b.cpp")])
    assert ttnn.compute_program_descriptor_hash(program("a.cpp")) != ttnn.compute_program_descriptor_hash(program("b.cpp"))
