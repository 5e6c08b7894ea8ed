// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "visualizer_import/rows/schema.hpp"

namespace tilemeter::visualizer_import::schema {

// clang-format off
inline constexpr Column kRank{"rank", "int NOT NULL DEFAULT 0"};

inline constexpr std::array kDevicesColumns{
    Column{"device_id", "int"}, Column{"num_y_cores", "int"}, Column{"num_x_cores", "int"},
    Column{"num_y_compute_cores", "int"}, Column{"num_x_compute_cores", "int"},
    Column{"worker_l1_size", "int"}, Column{"l1_num_banks", "int"}, Column{"l1_bank_size", "int"},
    Column{"address_at_first_l1_bank", "int"}, Column{"address_at_first_l1_cb_buffer", "int"},
    Column{"num_banks_per_storage_core", "int"}, Column{"num_compute_cores", "int"},
    Column{"num_storage_cores", "int"}, Column{"total_l1_memory", "int"},
    Column{"total_l1_for_tensors", "int"}, Column{"total_l1_for_interleaved_buffers", "int"},
    Column{"total_l1_for_sharded_buffers", "int"}, Column{"cb_limit", "int"}, kRank,};
inline constexpr std::array kOperationsColumns{
    Column{"operation_id", "int"}, Column{"name", "text"}, Column{"duration", "float"}, kRank,};
inline constexpr std::array kOperationArgumentsColumns{
    Column{"operation_id", "int"}, Column{"name", "text"}, Column{"value", "text"}, kRank,};
inline constexpr std::array kSubDeviceManagersColumns{
    Column{"device_id", "int"}, Column{"sub_device_manager_id", "int"}, kRank,};
inline constexpr std::array kSubDevicesColumns{
    Column{"device_id", "int"}, Column{"sub_device_manager_id", "int"}, Column{"sub_device_id", "int"},
    Column{"worker_core_ranges", "text"}, kRank,};
inline constexpr std::array kOperationExecutionsColumns{
    Column{"execution_id", "int"}, Column{"operation_id", "int"}, Column{"device_id", "int"},
    Column{"physical_device_id", "int"}, Column{"runtime_id", "int"}, Column{"global_call_count", "int"},
    Column{"command_queue_id", "int"}, kRank,};
inline constexpr std::array kExecutionSubDevicesColumns{
    Column{"execution_id", "int"}, Column{"device_id", "int"}, Column{"sub_device_manager_id", "int"},
    Column{"sub_device_id", "int"}, kRank,};
inline constexpr std::array kTensorsColumns{
    Column{"tensor_id", "int"}, Column{"shape", "text"}, Column{"dtype", "text"}, Column{"layout", "text"},
    Column{"memory_config", "text"}, Column{"device_id", "int"}, Column{"address", "int"},
    Column{"buffer_type", "int"}, kRank, Column{"storage_type", "text"}, Column{"size", "int"},};
inline constexpr std::array kDeviceTensorsColumns{
    Column{"tensor_id", "int"}, Column{"device_id", "int"}, Column{"address", "int"}, kRank,};
inline constexpr std::array kCapturedGraphColumns{
    Column{"operation_id", "int"}, Column{"captured_graph", "text"}, kRank,};
inline constexpr std::array kNodesColumns{
    Column{"operation_id", "int"}, Column{"unique_id", "int"}, Column{"node_operation_id", "int"},
    Column{"name", "text"}, kRank,};
inline constexpr std::array kEdgesColumns{
    Column{"operation_id", "int"}, Column{"source_unique_id", "int"}, Column{"sink_unique_id", "int"},
    Column{"source_output_index", "int"}, Column{"sink_input_index", "int"}, Column{"key", "int"}, kRank,};
inline constexpr std::array kReportMetadataColumns{
    Column{"key", "text"}, Column{"value", "text"},};
inline constexpr std::array kErrorsColumns{
    Column{"operation_id", "int"}, Column{"operation_name", "text"}, Column{"error_type", "text"},
    Column{"error_message", "text"}, Column{"stack_trace", "text"}, Column{"timestamp", "text"}, kRank,};
inline constexpr std::array kSourceFilesColumns{
    Column{"id", "INTEGER PRIMARY KEY"}, Column{"path", "text NOT NULL"}, Column{"contents", "text"},};
inline constexpr std::array kStackTracesColumns{
    Column{"operation_id", "int"}, Column{"stack_trace", "text"},
    Column{"source_file_id", "int REFERENCES source_files(id)"}, kRank,};
inline constexpr std::array kInputTensorsColumns{
    Column{"operation_id", "int"}, Column{"input_index", "int"}, Column{"tensor_id", "int"}, kRank,};
inline constexpr std::array kOutputTensorsColumns{
    Column{"operation_id", "int"}, Column{"output_index", "int"}, Column{"tensor_id", "int"}, kRank,};
inline constexpr std::array kTensorLifetimeColumns{
    Column{"tensor_id", "int"}, Column{"producer_operation_id", "int"},
    Column{"last_use_operation_id", "int"}, Column{"deallocate_operation_id", "int"},
    Column{"producer_source_file", "text"}, Column{"producer_source_line", "int"},
    Column{"last_use_source_file", "text"}, Column{"last_use_source_line", "int"}, kRank,};
inline constexpr std::array kTensorConsumersColumns{
    Column{"tensor_id", "int"}, Column{"operation_id", "int"}, Column{"input_index", "int"}, kRank,};
inline constexpr std::array kTensorProducersColumns{
    Column{"tensor_id", "int"}, Column{"operation_id", "int"}, Column{"output_index", "int"}, kRank,};
inline constexpr std::array kLocalComparisonsColumns{
    Column{"tensor_id", "int"}, Column{"golden_tensor_id", "int"}, Column{"matches", "int"},
    Column{"desired_pcc", "float"}, Column{"actual_pcc", "float"}, kRank,};
inline constexpr std::array kGlobalComparisonsColumns{
    Column{"tensor_id", "int"}, Column{"golden_tensor_id", "int"}, Column{"matches", "int"},
    Column{"desired_pcc", "float"}, Column{"actual_pcc", "float"}, kRank,};
inline constexpr std::array kBufferChunksColumns{
    Column{"operation_id", "int"}, Column{"device_id", "int"}, Column{"address", "int"},
    Column{"bank_id", "int"}, Column{"core_x", "int"}, Column{"core_y", "int"},
    Column{"chunk_address", "int"}, Column{"chunk_size", "int"}, Column{"page_size", "int"},
    Column{"num_pages", "int"}, Column{"buffer_type", "int"}, kRank,};
inline constexpr std::array kBufferSpansColumns{
    Column{"first_operation_id", "int"}, Column{"last_operation_id", "int"}, Column{"device_id", "int"},
    Column{"address", "int"}, Column{"max_size_per_bank", "int"}, Column{"buffer_type", "int"},
    Column{"buffer_layout", "int"}, kRank,};
inline constexpr std::array kProgramMemoryColumns{
    Column{"operation_id", "int"}, Column{"unique_id", "int"}, Column{"function_unique_id", "int"},
    Column{"kind", "text"}, Column{"device_id", "int"}, Column{"address", "int"}, Column{"size", "int"},
    Column{"core_range_set", "text"}, Column{"borrowed", "int"}, kRank,};
inline constexpr std::array kNestedOperationsColumns{
    Column{"operation_id", "int"}, Column{"unique_id", "int"}, Column{"parent_unique_id", "int"},
    Column{"depth", "int"}, Column{"name", "text"}, Column{"duration", "float"}, Column{"aborted", "int"},
    kRank,};
inline constexpr std::array kImportSummaryColumns{
    Column{"key", "text"}, Column{"value", "text"}, kRank,};
inline constexpr std::array kBuffersColumns{
    Column{"operation_id", "int"}, Column{"device_id", "int"}, Column{"address", "int"},
    Column{"max_size_per_bank", "int"}, Column{"buffer_type", "int"}, Column{"buffer_layout", "int"}, kRank,
};

inline constexpr std::array<TableSpec, static_cast<std::size_t>(Table::kCount)> kTables{{  // in the order of Table
    {"devices", kDevicesColumns, "", OnConflict::kFail},
    {"operations", kOperationsColumns, "operation_id, rank", OnConflict::kReplace},
    {"operation_arguments", kOperationArgumentsColumns, "", OnConflict::kFail},
    {"sub_device_managers", kSubDeviceManagersColumns, "device_id, sub_device_manager_id, rank", OnConflict::kIgnore},
    {"sub_devices", kSubDevicesColumns, "device_id, sub_device_manager_id, sub_device_id, rank", OnConflict::kIgnore},
    {"operation_executions", kOperationExecutionsColumns, "execution_id, rank", OnConflict::kReplace},
    {"execution_sub_devices", kExecutionSubDevicesColumns, "execution_id, device_id, sub_device_manager_id, sub_device_id, rank", OnConflict::kIgnore},
    {"tensors", kTensorsColumns, "tensor_id, rank", OnConflict::kIgnore},
    {"device_tensors", kDeviceTensorsColumns, "", OnConflict::kFail},
    {"captured_graph", kCapturedGraphColumns, "", OnConflict::kFail},
    {"nodes", kNodesColumns, "", OnConflict::kFail},
    {"edges", kEdgesColumns, "", OnConflict::kFail},
    {"report_metadata", kReportMetadataColumns, "key", OnConflict::kReplace},
    {"errors", kErrorsColumns, "", OnConflict::kFail},
    {"source_files", kSourceFilesColumns, "path", OnConflict::kIgnore},
    {"stack_traces", kStackTracesColumns, "", OnConflict::kFail},
    {"input_tensors", kInputTensorsColumns, "", OnConflict::kFail},
    {"output_tensors", kOutputTensorsColumns, "", OnConflict::kFail},
    {"tensor_lifetime", kTensorLifetimeColumns, "tensor_id, rank", OnConflict::kReplace},
    {"tensor_consumers", kTensorConsumersColumns, "tensor_id, operation_id, input_index, rank", OnConflict::kIgnore},
    {"tensor_producers", kTensorProducersColumns, "tensor_id, operation_id, output_index, rank", OnConflict::kIgnore},
    {"local_tensor_comparison_records", kLocalComparisonsColumns, "tensor_id, rank", OnConflict::kIgnore},
    {"global_tensor_comparison_records", kGlobalComparisonsColumns, "tensor_id, rank", OnConflict::kIgnore},
    {"buffer_chunks", kBufferChunksColumns, "", OnConflict::kFail},
    {"buffer_spans", kBufferSpansColumns, "", OnConflict::kFail},
    {"program_memory", kProgramMemoryColumns, "", OnConflict::kFail},
    {"nested_operations", kNestedOperationsColumns, "", OnConflict::kFail},
    {"import_summary", kImportSummaryColumns, "key, rank", OnConflict::kReplace},
    {"buffers", kBuffersColumns, "", OnConflict::kFail},
}};
// clang-format on

}  // namespace tilemeter::visualizer_import::schema
