// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/oracle_row.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace tilemeter::oracle {

namespace {

using nlohmann::json;

TensorSpec tensor_spec(const json& text) {
    const std::vector<std::uint32_t> shape = text.at("shape");
    return {Shape(shape), data_type(text.at("dtype")),
            text.at("layout") == "TILE" ? Layout::TILE : Layout::ROW_MAJOR,
            memory_config(text.at("memory_config"))};
}

std::vector<MemoryPiece> pieces(const json& program, const char* key, const char* shared_key) {
    std::vector<MemoryPiece> result;
    if (!program.contains(key)) return result;
    for (const json& piece : program.at(key)) {
        MemoryPiece each{piece.at("size"), piece.at("cores"), false, std::nullopt};
        if (piece.contains(shared_key)) each.shared = piece.at(shared_key) == "1";
        const std::uint64_t address = piece.value("address", std::uint64_t{0});
        if (address != 0 && !each.shared) each.address = address;
        result.push_back(std::move(each));
    }
    return result;
}

RecordedProgram recorded_program(const json& program, bool all_pieces) {
    return {program.at("device_op"),
            program.at("factory"),
            pieces(program, "cbs", "ga"),
            pieces(program, "dfbs", "bm"),
            pieces(program, "scratchpads", ""),
            all_pieces};
}

// NORMAL knows the addresses of circular buffers, NO_DISPATCH knows all pieces. Of those that lie in tensors
// some recordings list the address, some don't.
void take_addresses(std::vector<RecordedProgram>& planned, const json& executed) {
    std::size_t number = 0;
    for (const json& program : executed) {
        if (number == planned.size()) return;
        if (program.at("device_op") != planned[number].device_operation) continue;  // a move
        std::vector<MemoryPiece> placed = pieces(program, "cbs", "ga");
        std::erase_if(placed, [](const MemoryPiece& piece) { return piece.shared; });
        std::size_t next = 0;
        for (MemoryPiece& piece : planned[number++].circular_buffers) {
            if (!piece.shared && next < placed.size()) piece.address = placed[next++].address;
        }
    }
}

Outcome outcome(const json& row) {
    Outcome result;
    if (row.contains("error")) {
        result.error =
            row.at("error").is_string() ? row.at("error").get<std::string>() : row.at("error").dump();
        return result;
    }
    const json& executed = row.at("normal");
    const bool all_pieces = !row.at("no_dispatch").is_null();
    const json& planned = all_pieces ? row.at("no_dispatch") : executed;
    // Tables that programs read are freed at once in NO_DISPATCH, and nothing moves there: all lies at 0.
    result.call_trace = executed.value("calltrace", planned.at("calltrace").get<std::vector<std::string>>());
    for (const json& program : planned.at("programs"))
        result.programs.push_back(recorded_program(program, all_pieces));
    take_addresses(result.programs, executed.at("programs"));
    for (const json& event : executed.at("buffers")) {
        result.buffers.push_back({event.at("ev") == "alloc", event.at("address"), event.at("size"),
                                  event.at("page_size"), event.at("num_cores"), event.at("max_size_per_bank"),
                                  event.at("type")});
    }
    const json& output = executed.at("output");
    result.output_shape = output.at("shape").get<std::vector<std::uint32_t>>();
    result.output_dtype = output.at("dtype");
    result.output_layout = output.at("layout");
    result.output_address = output.at("address");
    result.output_padded = output.value("padded", std::vector<std::uint32_t>());
    result.output_memory_layout = output.value("memory_layout", "");
    return result;
}

// Programs that NO_DISPATCH may have planned otherwise, for L1 that the call's own tensors fill.
std::vector<RecordedProgram> executed_beside_others(const json& row) {
    std::vector<RecordedProgram> programs;
    if (row.contains("error") || row.at("no_dispatch").is_null()) return programs;
    const json& executed = row.at("normal");
    const json& buffers = executed.at("buffers");
    const bool in_l1 = std::any_of(buffers.begin(), buffers.end(), [](const json& event) {
        return event.at("ev") == "alloc" && event.at("type") == "L1";
    });
    if (!in_l1) return programs;
    for (const json& program : executed.at("programs"))
        programs.push_back(recorded_program(program, false));
    return programs;
}

constexpr std::array kDataTypes = {DataType::BFLOAT16,  DataType::FLOAT32,   DataType::UINT32,
                                   DataType::BFLOAT8_B, DataType::BFLOAT4_B, DataType::UINT8,
                                   DataType::UINT16,    DataType::INT32};

}  // namespace

MemoryConfig memory_config(const json& text) {
    MemoryConfig config;
    const std::string layout = text.at("memory_layout");
    const std::string type = text.at("buffer_type");
    for (const auto candidate : {TensorMemoryLayout::INTERLEAVED, TensorMemoryLayout::HEIGHT_SHARDED,
                                 TensorMemoryLayout::WIDTH_SHARDED, TensorMemoryLayout::BLOCK_SHARDED}) {
        if (name_of(candidate) == layout) config.memory_layout = candidate;
    }
    for (const auto candidate : {BufferType::DRAM, BufferType::L1, BufferType::L1_SMALL}) {
        if (name_of(candidate) == type) config.buffer_type = candidate;
    }
    if (!text.contains("shard_shape")) return config;
    std::vector<CoreRange> ranges;
    for (const json& corners : text.at("shard_grid")) {
        ranges.push_back({{corners.at(0), corners.at(1)}, {corners.at(2), corners.at(3)}});
    }
    // record.py makes a set of them, which TT-NN orders.
    std::ranges::sort(ranges, {}, &CoreRange::start);
    const CoreRangeSet grid(std::move(ranges));
    const ShardOrientation orientation = text.value("orientation", "ROW_MAJOR") == "ROW_MAJOR"
                                             ? ShardOrientation::ROW_MAJOR
                                             : ShardOrientation::COL_MAJOR;
    const std::vector<std::uint32_t> shape = text.at("shard_shape");
    if (layout != "ND_SHARDED") {
        config.shard_spec = ShardSpec{grid, {shape.at(0), shape.at(1)}, orientation};
        return config;
    }
    const bool in_grid = text.value("strategy", "ROUND_ROBIN_1D") == "GRID_2D";
    config.memory_layout = TensorMemoryLayout::ND_SHARDED;
    config.nd_shard_spec = std::make_shared<const NdShardSpec>(NdShardSpec{
        Shape(shape), grid, orientation,
        in_grid ? ShardDistributionStrategy::GRID_2D : ShardDistributionStrategy::ROUND_ROBIN_1D});
    return config;
}

std::string BufferEvent::to_string() const {
    return std::string(allocate ? "alloc " : "free ") + type + " " + std::to_string(address) + " size " +
           std::to_string(size_bytes) + " page " + std::to_string(page_size_bytes) + " cores " +
           std::to_string(num_cores) + " per bank " + std::to_string(size_per_bank_bytes);
}

std::vector<RecordedProgram> without_unseen_moves(const std::vector<RecordedProgram>& ours,
                                                  const std::vector<RecordedProgram>& recorded) {
    const auto moves = [](const RecordedProgram& program) {
        return program.device_operation == "MoveDeviceOperation";
    };
    std::vector<RecordedProgram> programs = ours;
    if (std::none_of(recorded.begin(), recorded.end(), moves)) std::erase_if(programs, moves);
    return programs;
}

std::string lower_case_name(DataType dtype) {
    std::string name(name_of(dtype));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

DataType data_type(const std::string& lower_case) {
    for (const DataType dtype : kDataTypes) {
        if (lower_case_name(dtype) == lower_case) return dtype;
    }
    throw std::runtime_error("dtype: expected one of the eight, found '" + lower_case + "'");
}

Row parse_row(const std::string& line) {
    const json text = json::parse(line);
    Row row;
    row.board = text.at("board");
    row.operation = text.at("op");
    if (text.contains("l1_before")) {
        for (const json& tensor : text.at("l1_before"))
            row.l1_before.push_back({tensor.at("bytes"), tensor.value("freed", false)});
    }
    row.called_before = text.value("called_before", false);
    for (const json& input : text.at("inputs"))
        row.inputs.push_back(tensor_spec(input));
    if (!text.at("out_mem").is_null()) row.out_memory_config = memory_config(text.at("out_mem"));
    row.arguments = text.at("args");
    if (text.contains("input_buffers")) {
        for (const json& buffer : text.at("input_buffers"))
            row.input_addresses.push_back(buffer.at("address"));
    }
    row.l1_small_size = text.value("l1_small_size", std::uint64_t{0});
    row.recorded = outcome(text);
    row.executed = executed_beside_others(text);
    return row;
}

}  // namespace tilemeter::oracle
