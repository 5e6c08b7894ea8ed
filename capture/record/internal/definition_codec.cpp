// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record::internal {

namespace {

// Each definition's fields are listed once; reading and writing both go along that list. `Stream` has
// number(), text() and list(), `Info` is const when writing.

template <typename Stream, typename Info>
void tensor_fields(Stream& stream, Info& info) {
    stream.number(info.dtype).number(info.layout).number(info.on_device).number(info.size_bytes);
    stream.number(info.buffer_size_bytes).number(info.memory).number(info.buffer_layout);
    stream.number(info.memory_config).number(info.argument_text);
}

template <typename Stream, typename Info>
void device_fields(Stream& stream, Info& info) {
    stream.text(info.arch).text(info.cluster_descriptor);
    for (auto* number :
         {&info.num_y_cores, &info.num_x_cores, &info.num_y_compute_cores, &info.num_x_compute_cores,
          &info.worker_l1_size, &info.l1_num_banks, &info.l1_bank_size, &info.address_at_first_l1_bank,
          &info.address_at_first_l1_cb_buffer, &info.num_banks_per_storage_core, &info.num_compute_cores,
          &info.num_storage_cores, &info.total_l1_memory, &info.total_l1_for_tensors,
          &info.total_l1_for_interleaved_buffers, &info.total_l1_for_sharded_buffers, &info.cb_limit,
          &info.num_dram_channels, &info.dram_size_per_channel})
        stream.number(*number);
}

template <typename Stream, typename Info>
void placement_fields(Stream& stream, Info& info) {
    stream.number(info.page_rows).number(info.page_columns).number(info.shard_page_rows);
    stream.number(info.shard_page_columns).number(info.shards_per_row);
}

template <typename Stream, typename Info>
void module_fields(Stream& stream, Info& info) {
    stream.text(info.path).text(info.build_id);
    stream.number(info.begin).number(info.end).number(info.bias);
}

}  // namespace

std::vector<char> encode(const TensorInfo& info) {
    DefinitionWriter writer;
    tensor_fields(writer, info);
    return writer.list(std::span(info.shape)).take();
}

std::vector<char> encode(const DeviceInfo& info) {
    DefinitionWriter writer;
    device_fields(writer, info);
    return writer.list(std::span(info.chips)).take();
}

std::vector<char> encode(const ShardPlacement& placement) {
    DefinitionWriter writer;
    placement_fields(writer, placement);
    return writer.list(std::span(placement.cores)).take();
}

std::vector<char> encode(const Module& module) {
    DefinitionWriter writer;
    module_fields(writer, module);
    return writer.take();
}

std::vector<char> encode(const EmitterInfo& info) {
    DefinitionWriter writer;
    writer.text(info.name).text(info.version).text(info.git_sha);
    for (const ProgramMemoryKept* kept : {&info.normal, &info.no_dispatch})
        writer.number(kept->circular_buffers).number(kept->dataflow_buffers).number(kept->scratchpads);
    writer.number(static_cast<std::uint32_t>(info.missing.size()));
    for (const std::string& each : info.missing)
        writer.text(each);
    return writer.take();
}

bool decode(std::span<const char> bytes, TensorInfo& info) {
    DefinitionReader reader(bytes);
    // A bool or an enum may only hold what it can mean, and these bytes come from a file.
    std::uint8_t on_device = 0;
    std::uint8_t memory = 0;
    std::uint8_t buffer_layout = 0;
    reader.number(info.dtype).number(info.layout).number(on_device).number(info.size_bytes);
    reader.number(info.buffer_size_bytes).number(memory).number(buffer_layout);
    reader.number(info.memory_config).number(info.argument_text).list(info.shape);
    info.on_device = on_device != 0;
    info.memory = static_cast<MemoryType>(memory);
    info.buffer_layout = static_cast<BufferLayout>(buffer_layout);
    return reader.good();
}

bool decode(std::span<const char> bytes, DeviceInfo& info) {
    DefinitionReader reader(bytes);
    device_fields(reader, info);
    return reader.list(info.chips).good();
}

bool decode(std::span<const char> bytes, ShardPlacement& placement) {
    DefinitionReader reader(bytes);
    placement_fields(reader, placement);
    return reader.list(placement.cores).good();
}

bool decode(std::span<const char> bytes, Module& module) {
    DefinitionReader reader(bytes);
    module_fields(reader, module);
    return reader.good();
}

bool decode(std::span<const char> bytes, EmitterInfo& info) {
    DefinitionReader reader(bytes);
    reader.text(info.name).text(info.version).text(info.git_sha);
    for (ProgramMemoryKept* kept : {&info.normal, &info.no_dispatch}) {
        for (Completeness* each : {&kept->circular_buffers, &kept->dataflow_buffers, &kept->scratchpads}) {
            std::uint8_t number = 0;
            reader.number(number);
            if (number > static_cast<std::uint8_t>(Completeness::kComplete)) return false;
            *each = static_cast<Completeness>(number);
        }
    }
    std::uint32_t count = 0;
    reader.number(count);
    for (std::uint32_t i = 0; i < count && reader.good(); ++i)
        reader.text(info.missing.emplace_back());
    return reader.good();
}

}  // namespace tilemeter::record::internal
