# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random configurations of operations, and how each is called. record.py records what TT-NN makes of them.

A module for each folder of runtime/operations that has recorded rows. Its CONFIGURATIONS: by operation, or operation and kind
("sum:sharded"), a generator of configurations, the call, and for operations with tensors on the host a function that makes them.

    generate(rng, grid)              a configuration (tensor_specs.row) from a random.Random and the worker grid (x, y)
    call(ttnn, inputs, args, out)    calls the operation on tensors, as the row's args and out_mem say
    prepare(ttnn, args)              tensors on the host; `inputs` is then a pair, the tensors on the device and these
"""

from . import (creation, data_movement, eltwise, eltwise_quantization, matmul, moreh, moreh_training, normalization, reduction,
               sliding_window, transformer, wide_rows)

FAMILIES = {
    "creation": {**creation.CONFIGURATIONS, **wide_rows.CREATION},
    "data_movement": {**data_movement.CONFIGURATIONS, **wide_rows.DATA_MOVEMENT},
    "eltwise": {**eltwise.CONFIGURATIONS, **eltwise_quantization.CONFIGURATIONS, **wide_rows.ELTWISE},
    "matmul": {**matmul.CONFIGURATIONS, **wide_rows.MATMUL},
    "moreh": {**moreh.CONFIGURATIONS, **moreh_training.CONFIGURATIONS, **wide_rows.MOREH},
    "normalization": {**normalization.CONFIGURATIONS, **wide_rows.NORMALIZATION},
    "reduction": {**reduction.CONFIGURATIONS, **wide_rows.REDUCTION},
    "sliding_window": sliding_window.CONFIGURATIONS,
    "transformer": {**transformer.CONFIGURATIONS, **wide_rows.TRANSFORMER},
}
