// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Words of captures and reports in TT-NN 0.81.1's dialect.

#pragma once

namespace ttnn::graph {

// Keys of nodes.
inline constexpr auto kNodeType = "node_type";
inline constexpr auto kCounter = "counter";
inline constexpr auto kConnections = "connections";
inline constexpr auto kParams = "params";
inline constexpr auto kArguments = "arguments";
inline constexpr auto kInputTensors = "input_tensors";
inline constexpr auto kStackingLevel = "stacking_level";
inline constexpr auto kDurationNs = "duration_ns";
inline constexpr auto kStackTrace = "stack_trace";

// Keys of params.
inline constexpr auto kName = "name";
inline constexpr auto kInputs = "inputs";
inline constexpr auto kTensorId = "tensor_id";
inline constexpr auto kType = "type";
inline constexpr auto kAddress = "address";
inline constexpr auto kSize = "size";
inline constexpr auto kLayout = "layout";
inline constexpr auto kShape = "shape";
inline constexpr auto kDtype = "dtype";
inline constexpr auto kMemoryConfig = "memory_config";
inline constexpr auto kStorageType = "storage_type";
inline constexpr auto kBufferType = "buffer_type";
inline constexpr auto kDeviceTensors = "device_tensors";
inline constexpr auto kMeshDeviceId = "mesh_device_id";
inline constexpr auto kNumCores = "num_cores";
inline constexpr auto kPageSize = "page_size";
inline constexpr auto kMaxSizePerBank = "max_size_per_bank";
inline constexpr auto kCoreRangeSet = "core_range_set";
inline constexpr auto kGloballyAllocated = "globally_allocated";
inline constexpr auto kBorrowsMemory = "borrows_memory";
inline constexpr auto kDeviceId = "device_id";
inline constexpr auto kPhysicalDeviceId = "physical_device_id";
inline constexpr auto kSubDeviceManagerId = "sub_device_manager_id";
inline constexpr auto kSubDeviceId = "sub_device_id";
inline constexpr auto kSubDevices = "sub_devices";
inline constexpr auto kWorkerCoreRanges = "worker_core_ranges";
inline constexpr auto kRuntimeId = "runtime_id";
inline constexpr auto kGlobalCallCount = "global_call_count";
inline constexpr auto kCommandQueueId = "command_queue_id";
inline constexpr auto kProgramFactoryType = "program_factory_type";
inline constexpr auto kProgramFactoryIndex = "program_factory_index";
inline constexpr auto kProgramCacheHit = "program_cache_hit";
inline constexpr auto kAborted = "aborted";
inline constexpr auto kAbortReason = "abort_reason";
inline constexpr auto kErrorType = "error_type";
inline constexpr auto kErrorMessage = "error_message";
inline constexpr auto kErrorOperation = "error_operation";

// Kinds of nodes.
inline constexpr auto kNodeBuffer = "buffer";
inline constexpr auto kNodeBufferAllocate = "buffer_allocate";
inline constexpr auto kNodeBufferDeallocate = "buffer_deallocate";
inline constexpr auto kNodeTensor = "tensor";
inline constexpr auto kNodeCBAllocate = "circular_buffer_allocate";
inline constexpr auto kNodeCBDeallocateAll = "circular_buffer_deallocate_all";
inline constexpr auto kNodeDataflowBufferAllocate = "dataflow_buffer_allocate";
inline constexpr auto kNodeScratchpadAllocate = "scratchpad_allocate";
inline constexpr auto kNodeFunctionStart = "function_start";
inline constexpr auto kNodeFunctionEnd = "function_end";
inline constexpr auto kNodeCaptureStart = "capture_start";
inline constexpr auto kNodeCaptureEnd = "capture_end";
inline constexpr auto kNodeSubDeviceManager = "sub_device_manager";
inline constexpr auto kNodeProgramExecution = "program_execution";
inline constexpr auto kNodeError = "error";

// Keys of levelized graphs.
inline constexpr auto kInEdges = "in_edges";
inline constexpr auto kOutEdges = "out_edges";
inline constexpr auto kInternals = "internals";
inline constexpr auto kOutputInfo = "output_info";
inline constexpr auto kOutputShape = "output_shape";

// Keys of reports.
inline constexpr auto kReportVersion = "version";
inline constexpr auto kReportGraph = "graph";
inline constexpr auto kReportDevices = "devices";
inline constexpr auto kReportMetadata = "metadata";
inline constexpr auto kReportTimestampNs = "capture_timestamp_ns";
inline constexpr auto kReportTotalDurationNs = "total_duration_ns";
inline constexpr auto kReportRank = "rank";
inline constexpr auto kReportWorldSize = "world_size";
inline constexpr auto kReportGitSha = "git_sha";
inline constexpr auto kReportGitShaShort = "git_sha_short";
inline constexpr auto kReportGitVersion = "git_version";
inline constexpr auto kReportBuildType = "build_type";
inline constexpr auto kReportGitDirty = "git_dirty";

// Keys of devices.
inline constexpr auto kDeviceNumYCores = "num_y_cores";
inline constexpr auto kDeviceNumXCores = "num_x_cores";
inline constexpr auto kDeviceNumYComputeCores = "num_y_compute_cores";
inline constexpr auto kDeviceNumXComputeCores = "num_x_compute_cores";
inline constexpr auto kDeviceWorkerL1Size = "worker_l1_size";
inline constexpr auto kDeviceL1NumBanks = "l1_num_banks";
inline constexpr auto kDeviceL1BankSize = "l1_bank_size";
inline constexpr auto kDeviceAddressAtFirstL1Bank = "address_at_first_l1_bank";
inline constexpr auto kDeviceAddressAtFirstL1CbBuffer = "address_at_first_l1_cb_buffer";
inline constexpr auto kDeviceNumBanksPerStorageCore = "num_banks_per_storage_core";
inline constexpr auto kDeviceNumComputeCores = "num_compute_cores";
inline constexpr auto kDeviceNumStorageCores = "num_storage_cores";
inline constexpr auto kDeviceTotalL1Memory = "total_l1_memory";
inline constexpr auto kDeviceTotalL1ForTensors = "total_l1_for_tensors";
inline constexpr auto kDeviceTotalL1ForInterleavedBuffers = "total_l1_for_interleaved_buffers";
inline constexpr auto kDeviceTotalL1ForShardedBuffers = "total_l1_for_sharded_buffers";
inline constexpr auto kDeviceCbLimit = "cb_limit";

inline constexpr int kCurrentReportVersion = 1;

}  // namespace ttnn::graph
