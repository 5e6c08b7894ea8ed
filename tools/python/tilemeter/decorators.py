# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations as objects: making them, golden functions, hooks; and what they need of command queues."""

from __future__ import annotations

from tilemeter._src.device.device import (
    command_queue as command_queue, get_current_command_queue_id_for_thread as get_current_command_queue_id_for_thread,
)
from tilemeter._src.golden.comparison import comp_pcc as comp_pcc
from tilemeter._src.golden.registration import (
    OUTPUTS as DEFAULT_OUTPUT_TENSOR_KWARG_NAMES, FastOperation as FastOperation,
    REGISTERED_OPERATIONS as REGISTERED_OPERATIONS, RegisteredOperations as RegisteredOperations,
    attach_golden_function as attach_golden_function, create_module_if_not_exists as create_module_if_not_exists,
    default_postprocess_golden_function_outputs as default_postprocess_golden_function_outputs,
    default_preprocess_golden_function_inputs as default_preprocess_golden_function_inputs, dump_operations as dump_operations,
    get_all_tensors as get_all_tensors, get_devices as get_devices, get_fallback_function as get_fallback_function,
    get_golden_function as get_golden_function, get_tensors as get_tensors, get_ttnn_tensors as get_ttnn_tensors,
    query_registered_operations as query_registered_operations, register_python_operation as register_python_operation,
)
from tilemeter._src.operations.operation import (
    register_post_operation_hook as register_post_operation_hook, register_pre_operation_hook as register_pre_operation_hook,
)
from tilemeter._tilemeter import MeshDevice as MeshDevice, Operation as Operation, Tensor as Tensor
