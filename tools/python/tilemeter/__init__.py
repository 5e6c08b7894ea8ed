# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tilemeter: what a tensor program does to a device's memory, with TT-NN's API.

`import tilemeter as ttnn` runs code that was written for TT-NN's operations and graph capture, without a device:
tile devices are modelled as the real ones allocate, values are computed on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilemeter import _json_texts, _sub_device, _tilemeter
from tilemeter import cluster, comparison, config_serialization, core, decorators, device, distributed, dot_access, experimental
from tilemeter import graph, graph_report
from tilemeter import kv_cache, profiler, reflection, transformer, types
from tilemeter import _tilemeter as _ttnn
from tilemeter._config import CONFIG as CONFIG
from tilemeter._config import CONFIG_OVERRIDES as CONFIG_OVERRIDES
from tilemeter._config import CONFIG_PATH as CONFIG_PATH
from tilemeter._config import Config as Config
from tilemeter._config import load_config_from_dictionary as load_config_from_dictionary
from tilemeter._config import load_config_from_json_file as load_config_from_json_file
from tilemeter._config import manage_config as manage_config
from tilemeter._config import save_config_to_json_file as save_config_to_json_file
from tilemeter._context import Rank as Rank
from tilemeter._context import Size as Size
from tilemeter._context import distributed_context_allgather_int as distributed_context_allgather_int
from tilemeter._context import distributed_context_barrier as distributed_context_barrier
from tilemeter._context import distributed_context_get_rank as distributed_context_get_rank
from tilemeter._context import distributed_context_get_size as distributed_context_get_size
from tilemeter._context import distributed_context_is_initialized as distributed_context_is_initialized
from tilemeter._context import distributed_context_local_to_world_rank as distributed_context_local_to_world_rank
from tilemeter._context import distributed_context_recv_bytes as distributed_context_recv_bytes
from tilemeter._context import distributed_context_send_bytes as distributed_context_send_bytes
from tilemeter._context import distributed_context_subcontext_count as distributed_context_subcontext_count
from tilemeter._context import distributed_context_subcontext_id as distributed_context_subcontext_id
from tilemeter._context import distributed_context_subcontext_size as distributed_context_subcontext_size
from tilemeter._context import distributed_context_subcontext_sizes as distributed_context_subcontext_sizes
from tilemeter._context import distributed_context_world_rank as distributed_context_world_rank
from tilemeter._context import distributed_context_world_size as distributed_context_world_size
from tilemeter._context import get_num_links as get_num_links
from tilemeter._context import get_usable_topology as get_usable_topology
from tilemeter._context import init_distributed_context as init_distributed_context
from tilemeter._context import using_distributed_env as using_distributed_env
from tilemeter._conversion import allocate_tensor_on_device as allocate_tensor_on_device
from tilemeter._conversion import allocate_tensor_on_host as allocate_tensor_on_host
from tilemeter._conversion import as_tensor as as_tensor
from tilemeter._conversion import copy_device_to_host_tensor as copy_device_to_host_tensor
from tilemeter._conversion import copy_host_to_device_tensor as copy_host_to_device_tensor
from tilemeter._conversion import copy_host_to_device_tensor_partial as copy_host_to_device_tensor_partial
from tilemeter._conversion import dump_tensor as dump_tensor
from tilemeter._conversion import from_buffer as from_buffer
from tilemeter._conversion import from_numpy as from_numpy
from tilemeter._conversion import from_torch as from_torch
from tilemeter._conversion import load_tensor as load_tensor
from tilemeter._conversion import to_dtype as to_dtype
from tilemeter._conversion import to_numpy as to_numpy
from tilemeter._conversion import to_torch as to_torch
from tilemeter._enums import BinaryOpType as BinaryOpType
from tilemeter._enums import CoreType as CoreType
from tilemeter._enums import DataMovementProcessor as DataMovementProcessor
from tilemeter._enums import DistributedLayerNormStage as DistributedLayerNormStage
from tilemeter._enums import DumpTensorMode as DumpTensorMode
from tilemeter._enums import EmbeddingsType as EmbeddingsType
from tilemeter._enums import FabricManagerMode as FabricManagerMode
from tilemeter._enums import FabricReliabilityMode as FabricReliabilityMode
from tilemeter._enums import FabricTensixConfig as FabricTensixConfig
from tilemeter._enums import FabricType as FabricType
from tilemeter._enums import FabricUDMMode as FabricUDMMode
from tilemeter._enums import LayerNormType as LayerNormType
from tilemeter._enums import NOC as NOC
from tilemeter._enums import NOC_MODE as NOC_MODE
from tilemeter._enums import PaddingMode as PaddingMode
from tilemeter._enums import ReduceType as ReduceType
from tilemeter._tilemeter import ShardDistributionStrategy as ShardDistributionStrategy
from tilemeter._enums import ShardShapeAlignment as ShardShapeAlignment
from tilemeter._enums import SigmoidMode as SigmoidMode
from tilemeter._enums import ThrottleLevel as ThrottleLevel
from tilemeter._enums import TileReshapeMapMode as TileReshapeMapMode
from tilemeter._generic_values import register_generic_op_values as register_generic_op_values
from tilemeter._group_norm import create_group_norm_input_mask as create_group_norm_input_mask
from tilemeter._group_norm import create_group_norm_input_negative_mask as create_group_norm_input_negative_mask
from tilemeter._group_norm import create_group_norm_weight_bias_rm as create_group_norm_weight_bias_rm
from tilemeter._group_norm import create_layer_norm_reciprocals as create_layer_norm_reciprocals
from tilemeter._group_norm import dram_group_norm_params_from_torch as dram_group_norm_params_from_torch
from tilemeter._group_norm import determine_expected_group_norm_dram_grid_size as determine_expected_group_norm_dram_grid_size
from tilemeter._group_norm import (
    determine_expected_group_norm_sharded_config_and_grid_size as determine_expected_group_norm_sharded_config_and_grid_size,
)
from tilemeter._group_norm import find_max_tile_span as find_max_tile_span
from tilemeter._group_norm import get_group_norm_cores_across_channel as get_group_norm_cores_across_channel
from tilemeter._mesh import ConcatMesh2dToTensor as ConcatMesh2dToTensor
from tilemeter._mesh import ConcatMeshToTensor as ConcatMeshToTensor
from tilemeter._mesh import MeshComposerConfig as MeshComposerConfig
from tilemeter._mesh import MeshMapperConfig as MeshMapperConfig
from tilemeter._mesh import PlacementReplicate as PlacementReplicate
from tilemeter._mesh import PlacementShard as PlacementShard
from tilemeter._mesh import ReplicateTensorToMesh as ReplicateTensorToMesh
from tilemeter._mesh import ShardTensor2dMesh as ShardTensor2dMesh
from tilemeter._mesh import ShardTensorToMesh as ShardTensorToMesh
from tilemeter._mesh import concat_mesh_to_tensor_composer as concat_mesh_to_tensor_composer
from tilemeter._mesh import CppMeshToTensor as CppMeshToTensor
from tilemeter._mesh import CppTensorToMesh as CppTensorToMesh
from tilemeter._mesh import MeshCoordinate as MeshCoordinate
from tilemeter._mesh import MeshCoordinateRange as MeshCoordinateRange
from tilemeter._mesh import MeshCoordinateRangeSet as MeshCoordinateRangeSet
from tilemeter._mesh import MeshToTensor as MeshToTensor
from tilemeter._mesh import ReplicateTensorToMeshWrapper as ReplicateTensorToMeshWrapper
from tilemeter._mesh import TensorToMesh as TensorToMesh
from tilemeter._mesh_drawing import visualize_mesh_device as visualize_mesh_device
from tilemeter._mesh_drawing import visualize_system_mesh as visualize_system_mesh
from tilemeter._mesh_drawing import visualize_tensor as visualize_tensor
from tilemeter._mesh_tensors import TensorTopology as TensorTopology
from tilemeter._mesh_tensors import aggregate_tensor as aggregate_tensor
from tilemeter._mesh_tensors import combine_device_tensors as combine_device_tensors
from tilemeter._mesh_tensors import compute_distribution_to_mesh_mapping as compute_distribution_to_mesh_mapping
from tilemeter._mesh import distribute as distribute
from tilemeter._mesh_tensors import distribute_tensor as distribute_tensor
from tilemeter._mesh_tensors import from_host_shards as from_host_shards
from tilemeter._mesh import create_mesh_composer as create_mesh_composer
from tilemeter._mesh import create_mesh_mapper as create_mesh_mapper
from tilemeter._mesh_tensors import get_device_tensors as get_device_tensors
from tilemeter._mesh import replicate_tensor_to_mesh_mapper as replicate_tensor_to_mesh_mapper
from tilemeter._mesh import shard_tensor_to_mesh_mapper as shard_tensor_to_mesh_mapper
from tilemeter._operation import register_post_operation_hook as register_post_operation_hook
from tilemeter._operation import register_pre_operation_hook as register_pre_operation_hook
from tilemeter._overlapped import OverlappedTensor as OverlappedTensor
from tilemeter._printing import set_printoptions as set_printoptions
from tilemeter._program_configs import LayerNormDefaultProgramConfig as LayerNormDefaultProgramConfig
from tilemeter._program_configs import LayerNormShardedMultiCoreProgramConfig as LayerNormShardedMultiCoreProgramConfig
from tilemeter._program_configs import SoftmaxDefaultProgramConfig as SoftmaxDefaultProgramConfig
from tilemeter._program_configs import SoftmaxProgramConfig as SoftmaxProgramConfig
from tilemeter._program_configs import SoftmaxShardedMultiCoreProgramConfig as SoftmaxShardedMultiCoreProgramConfig
from tilemeter._registration import attach_golden_function as attach_golden_function
from tilemeter._registration import create_module_if_not_exists as create_module_if_not_exists
from tilemeter._registration import dump_operations as dump_operations
from tilemeter._registration import get_fallback_function as get_fallback_function
from tilemeter._registration import get_golden_function as get_golden_function
from tilemeter._registration import query_registered_operations as query_registered_operations
from tilemeter._registration import register_python_operation as register_python_operation
from tilemeter._sub_device import SubDevice as SubDevice
from tilemeter._sub_device import SubDeviceId as SubDeviceId
from tilemeter._sub_device import SubDeviceManagerId as SubDeviceManagerId
from tilemeter._tilemeter import BcastOpDim as BcastOpDim
from tilemeter._tilemeter import BcastOpMath as BcastOpMath
from tilemeter._tilemeter import CaptureError as CaptureError
from tilemeter._tilemeter import Conv2dConfig as Conv2dConfig
from tilemeter._tilemeter import Conv3dConfig as Conv3dConfig
from tilemeter._tilemeter import Conv2dSliceConfig as Conv2dSliceConfig
from tilemeter._tilemeter import CoreGrid as CoreGrid
from tilemeter._tilemeter import GeluVariant as GeluVariant
from tilemeter._tilemeter import LossReductionMode as LossReductionMode
from tilemeter._tilemeter import MatmulMultiCoreProgramConfig as MatmulMultiCoreProgramConfig
from tilemeter._tilemeter import MatmulMultiCoreReuseMultiCast1DProgramConfig as MatmulMultiCoreReuseMultiCast1DProgramConfig
from tilemeter._tilemeter import MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig as MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig
from tilemeter._tilemeter import MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig as MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig
from tilemeter._tilemeter import MatmulMultiCoreReuseMultiCastProgramConfig as MatmulMultiCoreReuseMultiCastProgramConfig
from tilemeter._tilemeter import MatmulMultiCoreReuseProgramConfig as MatmulMultiCoreReuseProgramConfig
from tilemeter._tilemeter import MeshTraceId as MeshTraceId
from tilemeter._tilemeter import MinimalMatmulConfig as MinimalMatmulConfig
from tilemeter._tilemeter import OperationTimeoutError as OperationTimeoutError
from tilemeter._tilemeter import OutOfMemoryError as OutOfMemoryError
from tilemeter._tilemeter import ProgramMemoryClashError as ProgramMemoryClashError
from tilemeter._tilemeter import ProgramMemoryExhaustedError as ProgramMemoryExhaustedError
from tilemeter._tilemeter import ProgramMemoryTooLargeError as ProgramMemoryTooLargeError
from tilemeter._tilemeter import SDPAProgramConfig as SDPAProgramConfig
from tilemeter._tilemeter import UnaryOpType as UnaryOpType
from tilemeter._tilemeter import UnaryWithParam as UnaryWithParam
from tilemeter._tilemeter import begin_trace_capture as begin_trace_capture
from tilemeter._tilemeter import create_global_circular_buffer as create_global_circular_buffer
from tilemeter._tilemeter import create_global_semaphore as create_global_semaphore
from tilemeter._tilemeter import get_global_semaphore_address as get_global_semaphore_address
from tilemeter._tilemeter import reset_global_semaphore_value as reset_global_semaphore_value
from tilemeter._tilemeter import end_trace_capture as end_trace_capture
from tilemeter._tilemeter import execute_trace as execute_trace
from tilemeter._tilemeter import is_trace_capture_active as is_trace_capture_active
from tilemeter._tilemeter import release_trace as release_trace
from tilemeter._windows import Conv1dConfig as Conv1dConfig
from tilemeter._windows import Conv2dDRAMSliceHeight as Conv2dDRAMSliceHeight
from tilemeter._windows import Conv2dDRAMSliceWidth as Conv2dDRAMSliceWidth
from tilemeter._windows import Conv2dL1Full as Conv2dL1Full
from tilemeter._windows import Conv2dL1FullSliceConfig as Conv2dL1FullSliceConfig
from tilemeter._windows import Op2DDRAMSliceHeight as Op2DDRAMSliceHeight
from tilemeter._windows import Op2DDRAMSliceWidth as Op2DDRAMSliceWidth
from tilemeter._windows import Op2DL1Full as Op2DL1Full
from tilemeter._windows import Op2DL1FullSliceConfig as Op2DL1FullSliceConfig
from tilemeter._windows import Op2DSliceConfig as Op2DSliceConfig
from tilemeter._windows import SlidingWindowParallelConfig as SlidingWindowParallelConfig
from tilemeter._windows import get_conv_output_dim as get_conv_output_dim
from tilemeter._windows import global_avg_pool2d as global_avg_pool2d
from tilemeter.comparison import pearson_correlation_coefficient as pearson_correlation_coefficient
from tilemeter.core import corerange_to_cores as corerange_to_cores
from tilemeter.core import get_optimal_worker_cores_for_sharded_tensor as get_optimal_worker_cores_for_sharded_tensor
from tilemeter.core import create_sharded_memory_config as create_sharded_memory_config
from tilemeter.core import create_sharded_memory_config_ as create_sharded_memory_config_
from tilemeter.core import get_memory_config as get_memory_config
from tilemeter.core import grid_to_cores as grid_to_cores
from tilemeter.core import has_storage_type_of as has_storage_type_of
from tilemeter.core import has_tile_padding as has_tile_padding
from tilemeter.core import is_sharded as is_sharded
from tilemeter.core import is_tensor_storage_on_device as is_tensor_storage_on_device
from tilemeter.core import num_cores_to_corerangeset as num_cores_to_corerangeset
from tilemeter.core import divup as divup
from tilemeter.core import num_cores_to_corerangeset_in_subcoregrids as num_cores_to_corerangeset_in_subcoregrids
from tilemeter.core import split_work_to_cores as split_work_to_cores
from tilemeter.core import roundup as roundup
from tilemeter.core import ttnn_dtype_to_torch_dtype as ttnn_dtype_to_torch_dtype
from tilemeter.device import Arch as Arch
from tilemeter.device import CloseDevice as CloseDevice
from tilemeter.device import CreateDevice as CreateDevice
from tilemeter.device import Device as Device
from tilemeter.device import DispatchCoreAxis as DispatchCoreAxis
from tilemeter.device import DispatchCoreConfig as DispatchCoreConfig
from tilemeter.device import DispatchCoreType as DispatchCoreType
from tilemeter.device import GetNumAvailableDevices as GetNumAvailableDevices
from tilemeter.device import GetNumPCIeDevices as GetNumPCIeDevices
from tilemeter.device import MeshDevice as MeshDevice
from tilemeter.device import MeshShape as MeshShape
from tilemeter.device import CloseDevices as CloseDevices
from tilemeter.device import CreateDevices as CreateDevices
from tilemeter.device import GetDefaultDevice as GetDefaultDevice
from tilemeter.device import MeshEvent as MeshEvent
from tilemeter.device import SetDefaultDevice as SetDefaultDevice
from tilemeter.device import dump_device_memory_state as dump_device_memory_state
from tilemeter.device import event_synchronize as event_synchronize
from tilemeter.device import get_arch_name as get_arch_name
from tilemeter.device import get_device_ids as get_device_ids
from tilemeter.device import init_device_compute_kernel_config as init_device_compute_kernel_config
from tilemeter.device import layernorm_default_compute_config as layernorm_default_compute_config
from tilemeter.device import rmsnorm_default_compute_config as rmsnorm_default_compute_config
from tilemeter.device import record_event as record_event
from tilemeter.device import wait_for_event as wait_for_event
from tilemeter.device import FabricConfig as FabricConfig
from tilemeter.device import Topology as Topology
from tilemeter.device import command_queue as command_queue
from tilemeter.device import create_mesh_device as create_mesh_device
from tilemeter.device import get_fabric_config as get_fabric_config
from tilemeter.device import GetPCIeDeviceID as GetPCIeDeviceID
from tilemeter.device import get_current_command_queue_id_for_thread as get_current_command_queue_id_for_thread
from tilemeter.device import get_dram_alignment as get_dram_alignment
from tilemeter.device import get_l1_alignment as get_l1_alignment
from tilemeter.device import get_max_worker_l1_unreserved_size as get_max_worker_l1_unreserved_size
from tilemeter.device import get_num_devices as get_num_devices
from tilemeter.device import get_num_pcie_devices as get_num_pcie_devices
from tilemeter.device import (
    get_optimal_dram_bank_to_logical_worker_assignment as get_optimal_dram_bank_to_logical_worker_assignment,
)
from tilemeter.device import get_pcie_device_ids as get_pcie_device_ids
from tilemeter.device import set_fabric_config as set_fabric_config
from tilemeter.device import close_device as close_device
from tilemeter.device import close_mesh_device as close_mesh_device
from tilemeter.device import get_allocator_base_address as get_allocator_base_address
from tilemeter.device import get_memory_view as get_memory_view
from tilemeter.device import manage_device as manage_device
from tilemeter.device import open_device as open_device
from tilemeter.device import open_mesh_device as open_mesh_device
from tilemeter.device import synchronize_device as synchronize_device
from tilemeter.profiler import ReadDeviceProfiler as ReadDeviceProfiler
from tilemeter.profiler import get_all_programs_perf_data as get_all_programs_perf_data
from tilemeter.profiler import get_latest_programs_perf_data as get_latest_programs_perf_data
from tilemeter.profiler import start_tracy_zone as start_tracy_zone
from tilemeter.profiler import stop_tracy_zone as stop_tracy_zone
from tilemeter.profiler import tracy_frame as tracy_frame
from tilemeter.profiler import tracy_message as tracy_message
from tilemeter.program_descriptor import CBDescriptor as CBDescriptor
from tilemeter.program_descriptor import CBFormatDescriptor as CBFormatDescriptor
from tilemeter.program_descriptor import ComputeConfigDescriptor as ComputeConfigDescriptor
from tilemeter.program_descriptor import DataMovementConfigDescriptor as DataMovementConfigDescriptor
from tilemeter.program_descriptor import FaceGeometry as FaceGeometry
from tilemeter.program_descriptor import KernelDescriptor as KernelDescriptor
from tilemeter.program_descriptor import MeshProgramDescriptor as MeshProgramDescriptor
from tilemeter.program_descriptor import ProgramDescriptor as ProgramDescriptor
from tilemeter.program_descriptor import ReaderConfigDescriptor as ReaderConfigDescriptor
from tilemeter.program_descriptor import RuntimeArgs as RuntimeArgs
from tilemeter.program_descriptor import RuntimeArgsColProxy as RuntimeArgsColProxy
from tilemeter.program_descriptor import SemaphoreDescriptor as SemaphoreDescriptor
from tilemeter.program_descriptor import TensorAccessorArgs as TensorAccessorArgs
from tilemeter.program_descriptor import TileDescriptor as TileDescriptor
from tilemeter.program_descriptor import UnpackToDestMode as UnpackToDestMode
from tilemeter.program_descriptor import WriterConfigDescriptor as WriterConfigDescriptor
from tilemeter.program_descriptor import cb_descriptor_from_sharded_tensor as cb_descriptor_from_sharded_tensor
from tilemeter.program_descriptor import compute_program_descriptor_hash as compute_program_descriptor_hash
from tilemeter.program_descriptor import get_cb_address as get_cb_address
from tilemeter.program_descriptor import merge_program_descriptors as merge_program_descriptors
from tilemeter.types import *  # noqa: F403

# No __getattr__ here: with one Python looks each `ttnn.add` up anew, which costs more than the record of the call.
if TYPE_CHECKING:
    from tilemeter._tilemeter.operations import *  # noqa: F403
else:
    from tilemeter import _operation, _registration, _tensor, _views

    _operation.install(globals(), _tilemeter.operations)
    divide = div  # noqa: F821
    sub, mul = subtract, multiply  # noqa: F821
    sub_, mul_, div_ = subtract_, multiply_, divide_  # noqa: F821
    _tensor.complete(globals())
    _views.read_environment()
    _registration.attach_known_golden_functions()
    _tilemeter.device = device  # ttnn._ttnn.device
    from tilemeter import _late_modules, _names, _native_modules, operations

    _native_modules.add_to(_tilemeter, globals())
    tracer, torch_tracer = _late_modules.module("tracer"), _late_modules.module("torch_tracer")

    for _each in (cluster, comparison, config_serialization, core, decorators, device, distributed, dot_access, experimental,
                  graph, graph_report, kv_cache, operations, profiler, reflection, transformer, types):
        _names.tidy(_each)
    del _each

__version__ = _tilemeter.__version__

if not TYPE_CHECKING:
    import sys as _sys

    _names.tidy(_sys.modules[__name__])
