# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that the script describes itself: circular buffers of their own and in tensors, semaphores, kernels as text."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def cores(x, y):
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x, y))])


def buffer(index, size, page, where, dtype=ttnn.bfloat16):
    form = ttnn.CBFormatDescriptor(buffer_index=index, data_format=dtype, page_size=page)
    return ttnn.CBDescriptor(total_size=size, core_ranges=where, format_descriptors=[form])


def kernel(where, config, args=(), compile_time_args=()):
    arguments = ttnn.RuntimeArgs()
    for core in ttnn.corerange_to_cores(where, None, False):
        arguments[core.x][core.y] = list(args)
    return ttnn.KernelDescriptor(
        kernel_source="void kernel_main() {}", source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE, core_ranges=where,
        compile_time_args=list(compile_time_args), runtime_args=arguments, config=config,
    )


def program(source, target, where=cores(3, 1), sizes=(4096, 4096), semaphores=1):
    accessor = ttnn.TensorAccessorArgs(source).get_compile_time_args()
    return ttnn.ProgramDescriptor(
        kernels=[
            kernel(where, ttnn.ReaderConfigDescriptor(), [source.buffer_address(), 1, 2], accessor),
            kernel(where, ttnn.WriterConfigDescriptor(), [target.buffer_address()]),
            kernel(where, ttnn.ComputeConfigDescriptor(math_fidelity=ttnn.MathFidelity.HiFi2)),
        ],
        semaphores=[ttnn.SemaphoreDescriptor(id=i, core_ranges=where, initial_value=0) for i in range(semaphores)],
        cbs=[buffer(i, size, 2048, where) for i, size in enumerate(sizes)],
    )


def more(described, *buffers):
    described.cbs = [*described.cbs, *buffers]
    return described


def refused(function):
    try:
        function()
        print("not refused")
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


a = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
halves = ttnn.create_sharded_memory_config([1, 1, 64, 64], ttnn.CoreGrid(x=2, y=1), ttnn.ShardStrategy.HEIGHT)
s = ttnn.to_memory_config(a, halves)
begin()
b = ttnn.allocate_tensor_on_device(ttnn.Shape([1, 1, 64, 64]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, L1)
ttnn.generic_op([a, b], program(a, b))
ttnn.generic_op([a, b], program(a, b, cores(0, 0), (4096, 8192, 65536), 3))
both = ttnn.CBDescriptor(
    total_size=4096, core_ranges=cores(3, 1),
    format_descriptors=[ttnn.CBFormatDescriptor(5, ttnn.bfloat16, 2048), ttnn.CBFormatDescriptor(6, ttnn.float32, 4096)],
)
in_s = ttnn.cb_descriptor_from_sharded_tensor(9, s)
ttnn.generic_op([a, s, b], more(program(a, b), both, in_s, buffer(12, 4096, 2048, cores(0, 0))))
parts = [ttnn.cb_descriptor_from_sharded_tensor(i, s, offset, 2048) for i, offset in ((9, 2048), (10, 0))]
ttnn.generic_op([a, s, b], more(program(a, b), *parts))
c = ttnn.generic_op([a, b], program(a, b, sizes=(32768, 1024 * 256)))
merged = ttnn.merge_program_descriptors([program(a, b, cores(1, 0), semaphores=2), ttnn.ProgramDescriptor()])
ttnn.generic_op([b, a], merged)
d = ttnn.relu(c, memory_config=DRAM)
on_mesh = ttnn.MeshProgramDescriptor()
on_mesh[ttnn.MeshCoordinateRange(ttnn.MeshCoordinate(0, 0), ttnn.MeshCoordinate(0, 0))] = program(d, b, cores(7, 7))
ttnn.generic_op([d, b], on_mesh)
host = ttnn.ones([1, 1, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
for tensors in ([b], [], [host, b]):
    refused(lambda: ttnn.generic_op(tensors, program(a, b)))
for described in (
    program(a, b, sizes=(3000,)), program(a, b, semaphores=20), ttnn.ProgramDescriptor(),
    more(program(a, b), buffer(0, 2048, 2048, cores(0, 0))),
):
    refused(lambda: ttnn.generic_op([a, b], described))
e = ttnn.generic_op([a, b], program(a, b))
end()

ttnn.close_device(device)
