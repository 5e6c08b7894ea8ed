// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/fact_codec.hpp"

namespace tilemeter::record::internal {

namespace {

// Each fact's fields are listed once; reading and writing both go along that list. `Stream` has number(),
// text() and list(), `Facts` is const when writing.

template <typename Stream, typename Facts>
void tensor_fields(Stream& stream, Facts& facts) {
    stream.number(facts.dtype).number(facts.layout).number(facts.on_device).number(facts.size_bytes);
    stream.number(facts.buffer_size_bytes).number(facts.memory).number(facts.buffer_layout);
    stream.number(facts.memory_config).number(facts.argument_text);
}

template <typename Stream, typename Facts>
void device_fields(Stream& stream, Facts& facts) {
    stream.text(facts.arch).text(facts.cluster_descriptor);
    for (auto* number :
         {&facts.num_y_cores, &facts.num_x_cores, &facts.num_y_compute_cores, &facts.num_x_compute_cores,
          &facts.worker_l1_size, &facts.l1_num_banks, &facts.l1_bank_size, &facts.address_at_first_l1_bank,
          &facts.address_at_first_l1_cb_buffer, &facts.num_banks_per_storage_core, &facts.num_compute_cores,
          &facts.num_storage_cores, &facts.total_l1_memory, &facts.total_l1_for_tensors,
          &facts.total_l1_for_interleaved_buffers, &facts.total_l1_for_sharded_buffers, &facts.cb_limit,
          &facts.num_dram_channels, &facts.dram_size_per_channel})
        stream.number(*number);
}

template <typename Stream, typename Facts>
void placement_fields(Stream& stream, Facts& facts) {
    stream.number(facts.page_rows).number(facts.page_columns).number(facts.shard_page_rows);
    stream.number(facts.shard_page_columns).number(facts.shards_per_row);
}

template <typename Stream, typename Facts>
void module_fields(Stream& stream, Facts& facts) {
    stream.text(facts.path).text(facts.build_id);
    stream.number(facts.begin).number(facts.end).number(facts.bias);
}

std::vector<char> bytes_of(const FactWriter& writer) {
    return {writer.bytes().begin(), writer.bytes().end()};
}

}  // namespace

std::vector<char> encode(const TensorFacts& facts) {
    FactWriter writer;
    tensor_fields(writer, facts);
    return bytes_of(writer.list(std::span(facts.shape)));
}

std::vector<char> encode(const DeviceFacts& facts) {
    FactWriter writer;
    device_fields(writer, facts);
    return bytes_of(writer.list(std::span(facts.chips)));
}

std::vector<char> encode(const ShardPlacement& placement) {
    FactWriter writer;
    placement_fields(writer, placement);
    return bytes_of(writer.list(std::span(placement.cores)));
}

std::vector<char> encode(const Module& module) {
    FactWriter writer;
    module_fields(writer, module);
    return bytes_of(writer);
}

bool decode(std::span<const char> bytes, TensorFacts& facts) {
    FactReader reader(bytes);
    // A bool or an enum may only hold what it can mean, and these bytes come from a file.
    std::uint8_t on_device = 0;
    std::uint8_t memory = 0;
    std::uint8_t buffer_layout = 0;
    reader.number(facts.dtype).number(facts.layout).number(on_device).number(facts.size_bytes);
    reader.number(facts.buffer_size_bytes).number(memory).number(buffer_layout);
    reader.number(facts.memory_config).number(facts.argument_text).list(facts.shape);
    facts.on_device = on_device != 0;
    facts.memory = static_cast<MemoryType>(memory);
    facts.buffer_layout = static_cast<BufferLayout>(buffer_layout);
    return reader.good();
}

bool decode(std::span<const char> bytes, DeviceFacts& facts) {
    FactReader reader(bytes);
    device_fields(reader, facts);
    return reader.list(facts.chips).good();
}

bool decode(std::span<const char> bytes, ShardPlacement& placement) {
    FactReader reader(bytes);
    placement_fields(reader, placement);
    return reader.list(placement.cores).good();
}

bool decode(std::span<const char> bytes, Module& module) {
    FactReader reader(bytes);
    module_fields(reader, module);
    return reader.good();
}

}  // namespace tilemeter::record::internal
