# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations, and how each is called. record.py records what TT-NN makes of them.

A module for each folder of runtime/operations that has recorded rows. Its CONFIGURATIONS: by operation, or operation and kind
("sum:sharded"), a generator of configurations, the call, and for operations with tensors on the host a function that makes them.

    generate(rng, grid)              a configuration (tensor_specs.row) from a random.Random and the worker grid (x, y)
    call(ttnn, inputs, args, out)    calls the operation on tensors, as the row's args and out_mem say
    prepare(ttnn, args)              tensors on the host; `inputs` is then a pair, the tensors on the device and these
"""

from . import creation, data_movement, eltwise, matmul, moreh, normalization, reduction, sliding_window, transformer

FAMILIES = {
    "creation": creation.CONFIGURATIONS,
    "data_movement": data_movement.CONFIGURATIONS,
    "eltwise": eltwise.CONFIGURATIONS,
    "matmul": matmul.CONFIGURATIONS,
    "moreh": moreh.CONFIGURATIONS,
    "normalization": normalization.CONFIGURATIONS,
    "reduction": reduction.CONFIGURATIONS,
    "sliding_window": sliding_window.CONFIGURATIONS,
    "transformer": transformer.CONFIGURATIONS,
}
