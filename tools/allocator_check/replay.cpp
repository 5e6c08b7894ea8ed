// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/allocator_check/replay.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "capture/record/device_info.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::allocator_check {

namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kTileSide = 32;

record::MemoryType memory_type(const std::string& name) {
    for (const auto type : {BufferType::DRAM, BufferType::L1, BufferType::L1_SMALL, BufferType::TRACE}) {
        if (name_of(type) == name) return type;
    }
    throw std::runtime_error("memory: expected DRAM, L1, L1_SMALL or TRACE, found '" + name + "'");
}

MemoryConfig interleaved_in(const std::string& memory) {
    return {TensorMemoryLayout::INTERLEAVED, memory_type(memory), std::nullopt};
}

std::vector<std::uint32_t> numbers(std::span<const std::uint32_t> values) {
    return {values.begin(), values.end()};
}

// [address, size, "yes"/"no"] in order of address: the reference lists blocks and holes in another order.
Json sorted(Json table) {
    std::sort(table.begin(), table.end(), [](const Json& a, const Json& b) { return a.at(0) < b.at(0); });
    return table;
}

// The statement of the reference's error, without the source line before it and the line end behind.
std::string statement_of(std::string text) {
    const std::string before = "info:\n";
    const auto begin = text.find(before);
    if (begin != std::string::npos) text.erase(0, begin + before.size());
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

// `ours` has the keys that are modelled; what else was recorded is an input of the row or not modelled.
std::string first_difference(const Json& recorded, const Json& ours, const std::string& place = "") {
    for (const auto& [key, value] : ours.items()) {
        const Json expected = recorded.value(key, Json());
        if (value.is_object() && expected.is_object()) {
            const std::string inner = first_difference(expected, value, place + key + ".");
            if (!inner.empty()) return inner;
        } else if (value != expected) {
            return place + key + ": recorded " + expected.dump() + ", ours " + value.dump();
        }
    }
    return "";
}

Json view_of(const DeviceMemory& memory, record::MemoryType type) {
    const BankStatistics bank = memory.allocator(type).statistics();
    return {{"num_banks", memory.num_banks(type)},
            {"total_bytes_per_bank", bank.bank_size},
            {"allocated", bank.allocated},
            {"free", bank.free},
            {"largest", bank.largest_free_block}};
}

Json info_of(const record::DeviceInfo& info) {
    return {{"address_at_first_l1_bank", info.address_at_first_l1_bank},
            {"address_at_first_l1_cb_buffer", info.address_at_first_l1_cb_buffer},
            {"cb_limit", info.cb_limit},
            {"l1_bank_size", info.l1_bank_size},
            {"l1_num_banks", info.l1_num_banks},
            {"num_banks_per_storage_core", info.num_banks_per_storage_core},
            {"num_compute_cores", info.num_compute_cores},
            {"num_storage_cores", info.num_storage_cores},
            {"num_x_compute_cores", info.num_x_compute_cores},
            {"num_x_cores", info.num_x_cores},
            {"num_y_compute_cores", info.num_y_compute_cores},
            {"num_y_cores", info.num_y_cores},
            {"total_l1_for_interleaved_buffers", info.total_l1_for_interleaved_buffers},
            {"total_l1_for_sharded_buffers", info.total_l1_for_sharded_buffers},
            {"total_l1_for_tensors", info.total_l1_for_tensors},
            {"total_l1_memory", info.total_l1_memory},
            {"worker_l1_size", info.worker_l1_size}};
}

// Rows of a sequence do not say the layout; the pages do.
TensorSpec spec_of_step(const Json& row) {
    TensorSpec spec;
    spec.shape = Shape(row.at("shape").get<std::vector<std::uint32_t>>());
    spec.dtype = oracle::data_type(row.at("dtype"));
    spec.layout = row.at("page_size") == tile_size(spec.dtype) ? Layout::TILE : Layout::ROW_MAJOR;
    spec.memory_config = oracle::memory_config(row.at("mem"));
    return spec;
}

}  // namespace

Replay::~Replay() {
    close();
}

void Replay::close() {
    live_.clear();
    sequence_ = -1;
    if (device_) close_device(*device_);
    device_.reset();
}

std::string Replay::row(const Json& row) {
    Json recorded = row;
    if (recorded.contains("error")) recorded["error"] = statement_of(recorded.at("error"));
    for (const char* key : {"table", "block_table"}) {
        if (recorded.contains(key)) recorded[key] = sorted(recorded.at(key));
    }
    return first_difference(recorded, answer(row));
}

Json Replay::answer(const Json& row) {
    const std::string kind = row.at("kind");
    if (kind == "device") return open(row);
    if (kind == "seq") return step(row);
    if (kind == "table") return table(row);
    live_.clear();  // the other kinds begin on an empty device
    if (kind == "page") return page(row);
    if (kind == "fit") return fit(row);
    if (kind == "oom") return request_of_a_bank(row);
    throw std::runtime_error("kind: expected device, page, seq, table, fit or oom, found '" + kind + "'");
}

Json Replay::open(const Json& row) {
    close();
    DeviceOptions options;
    options.description = row.at("board");
    options.l1_small_size = row.at("opts").value("l1_small_size", std::uint64_t{0});
    options.trace_region_size = row.at("opts").value("trace_region_size", std::uint64_t{0});
    device_ = open_device(0, options);
    const DeviceDescription& description = device_->description();
    const DeviceMemory memory = device_->memory();
    Json views;
    for (const auto type : {BufferType::DRAM, BufferType::L1, BufferType::L1_SMALL, BufferType::TRACE})
        views[std::string(name_of(type))] = view_of(memory, type);
    return {{"grid", {description.compute_grid.x, description.compute_grid.y}},
            {"dram_grid", {description.dram_banks, 1}},
            {"info", info_of(record::device_info_of(device_->id()).value())},
            {"views", views},
            {"l1_alignment", description.l1_alignment},
            {"dram_alignment", description.dram_alignment}};
}

Json Replay::page(const Json& row) {
    TensorSpec spec;
    spec.shape = Shape(row.at("shape").get<std::vector<std::uint32_t>>());
    spec.dtype = oracle::data_type(row.at("dtype"));
    spec.layout = row.at("layout") == name_of(Layout::TILE) ? Layout::TILE : Layout::ROW_MAJOR;
    spec.memory_config = interleaved_in(row.at("memory"));
    const std::shared_ptr<Buffer> buffer = allocate(spec);
    Json info = facts_of(*buffer, spec);
    info["type"] = name_of(buffer->memory());
    return {{"padded", numbers(spec.padded_shape().dimensions())},
            {"buffer", info},
            {"block_table", blocks_of(buffer->memory())}};
}

Json Replay::step(const Json& row) {
    if (row.at("seq") != sequence_) live_.clear();
    sequence_ = row.at("seq");
    const std::int64_t id = row.at("id");
    if (row.at("ev") == "free") {
        const auto buffer = live_.find(id);
        if (buffer == live_.end()) {
            throw std::runtime_error("id: expected one that is live, found " + std::to_string(id));
        }
        const Json freed = {{"address", buffer->second->address()}};
        live_.erase(buffer);
        return freed;
    }
    const TensorSpec spec = spec_of_step(row);
    const std::shared_ptr<Buffer> buffer = allocate(spec);
    live_[id] = buffer;
    Json info = facts_of(*buffer, spec);
    info["buf_type"] = name_of(buffer->memory());
    return info;
}

// The memory of a table is not given: its blocks and holes together are as large as the bank.
Json Replay::table(const Json& row) {
    std::uint64_t size = 0;
    for (const Json& block : row.at("table"))
        size += block.at(1).get<std::uint64_t>();
    const DeviceMemory memory = device().memory();
    const bool dram = size == memory.allocator(BufferType::DRAM).statistics().bank_size;
    return {{"table", blocks_of(dram ? BufferType::DRAM : BufferType::L1)}};
}

Json Replay::fit(const Json& row) {
    const std::string memory = row.at("mem");
    std::vector<std::shared_ptr<Buffer>> holes;
    std::vector<std::shared_ptr<Buffer>> between;
    for (const Json& pages : row.at("holes_in_alloc_order")) {
        holes.push_back(allocate_pages(memory, pages));
        between.push_back(allocate_pages(memory, 1));
    }
    Json answer = {{"hole_addresses", Json::array()}, {"picked", "tail"}, {"offset_in_hole", nullptr}};
    for (const std::shared_ptr<Buffer>& hole : holes) {
        answer["hole_addresses"].push_back(hole->address());
        hole->deallocate();
    }
    const std::shared_ptr<Buffer> picked = allocate_pages(memory, row.at("request_pages_per_bank"));
    answer["address"] = picked->address();
    for (std::size_t i = 0; i < holes.size(); ++i) {
        const std::uint64_t begin = holes[i]->address();
        if (picked->address() < begin || picked->address() >= begin + holes[i]->size_per_bank_bytes())
            continue;
        answer["picked"] = i;
        answer["offset_in_hole"] = picked->address() - begin;
    }
    return answer;
}

Json Replay::request_of_a_bank(const Json& row) {
    try {
        const std::shared_ptr<Buffer> buffer = allocate_pages(row.at("mem"), row.at("pages_per_bank"));
        return {{"ok", true},
                {"buffer",
                 {{"address", buffer->address()},
                  {"size", buffer->size_bytes()},
                  {"page_size", buffer->page_size_bytes()},
                  {"max_size_per_bank", buffer->size_per_bank_bytes()}}}};
    } catch (const OutOfMemoryError& error) {
        return {{"ok", false}, {"error", error.what()}};
    }
}

Device& Replay::device() const {
    if (!device_) throw std::runtime_error("kind: expected a device row before all others");
    return *device_;
}

std::shared_ptr<Buffer> Replay::allocate(const TensorSpec& spec) {
    device();
    return Buffer::allocate(device_, spec);
}

std::shared_ptr<Buffer> Replay::allocate_pages(const std::string& memory, std::uint64_t pages_per_bank) {
    const std::uint64_t pages = pages_per_bank * device().memory().num_banks(memory_type(memory));
    TensorSpec spec;
    spec.shape = Shape({static_cast<std::uint32_t>(pages) * kTileSide, kTileSide});
    spec.dtype = DataType::BFLOAT16;
    spec.layout = Layout::TILE;
    spec.memory_config = interleaved_in(memory);
    return allocate(spec);
}

Json Replay::facts_of(const Buffer& buffer, const TensorSpec& spec) const {
    return {{"address", buffer.address()},
            {"size", buffer.size_bytes()},
            {"page_size", buffer.page_size_bytes()},
            {"num_cores", buffer_geometry(spec, device().description()).num_cores},
            {"max_size_per_bank", buffer.size_per_bank_bytes()},
            {"layout", name_of(spec.memory_config.memory_layout)}};
}

Json Replay::blocks_of(record::MemoryType memory) const {
    const DeviceMemory state = device().memory();
    const BankAllocator& bank = state.allocator(memory);
    Json table = Json::array();
    for (const BankBlock& block : bank.blocks())
        table.push_back({block.address - bank.begin(), block.size, block.allocated ? "yes" : "no"});
    return table;
}

}  // namespace tilemeter::allocator_check
