// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiled program: what a compiler for tile devices hands to its runtime, every operation, layout and free of it. Two forms
// of files hold one, texts of the TTNN dialect (mlir_program.hpp) and flatbuffers; whoever plans does not see which it was.
//
// Thread safety: values are values.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/foreign/mlir/location.hpp"
#include "report/foreign/mlir/value.hpp"

namespace tilemeter::foreign {

/// Inclusive, in logical cores.
struct Cores {
    std::int64_t first_x = 0, first_y = 0, last_x = 0, last_y = 0;
};

/// The way a tensor lies in memory.
struct TensorLayout {
    bool is_tiled = false;
    std::int64_t tile_height = 32, tile_width = 32;  ///< of tiled ones, elements
    std::string element;                             ///< of memory; empty: that of the values
    std::string memory;  ///< "dram", "l1", "l1_small", "trace", "system_memory" (the host)
    std::string
        arrangement;  ///< "interleaved", "height_sharded", "width_sharded", "block_sharded"; empty on the host
    std::vector<std::int64_t> grid;   ///< shards by dimension
    std::vector<std::int64_t> shard;  ///< of one shard, in tiles or elements
    std::vector<Cores> cores;         ///< of sharded ones
    bool is_column_major = false;     ///< the order of shards on cores
};

struct TensorType {
    std::vector<std::int64_t> shape;
    std::string
        element;  ///< "bf16", "f32", "bfp_bf8", "si32", "u32", ...; of memory, which may differ from the values'
    std::optional<TensorLayout> layout;  ///< none: the program does not say
    bool is_tensor = true;               ///< false: a device, a token, a number
};

using mlir::UserPlace;

/// A value of a function: its place in Function::values.
using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = ~ValueId{0};

struct FunctionValue {
    std::uint32_t type = 0;  ///< place in Program::types
    std::string name;        ///< of arguments: what the user calls it, where that is known
};

struct ProgramOperation {
    std::string_view name;    ///< "ttnn.matmul", "ttcore.load_cached", "func.call"
    std::string_view callee;  ///< of calls: the function's name
    std::vector<ValueId> operands, results;
    /// Which operands belong together, by the dialect's segments; empty: each stands for itself.
    std::vector<std::uint32_t> segments;
    std::string_view attributes;  ///< as the file has them
    std::uint32_t place = 0;      ///< in Program::places
    std::uint32_t line = 0;       ///< of the file; 0 where it has no lines
    bool is_understood = true;    ///< false: a form that this reader does not know

    /// By the dialect's names; made anew at each call.
    mlir::Value read_attributes() const;
};

struct ProgramFunction {
    std::string name;
    std::string kind;  ///< "forward_device", "const_eval", "forward_cpu", "trace_main", ..., or nothing
    bool is_private = false;
    std::vector<ValueId> arguments;
    std::vector<std::string> argument_kinds;  ///< "input", "parameter", "constant", or nothing, by argument
    std::vector<FunctionValue> values;
    std::vector<ProgramOperation> operations;
    std::vector<ValueId> results;
};

/// The device that the program was compiled for.
struct TargetSystem {
    std::string architecture;  ///< "wormhole_b0", "blackhole"; empty: not said
    std::int64_t grid_rows = 0, grid_columns = 0;
    std::int64_t l1_size = 0, l1_base = 0, dram_channels = 0, dram_channel_size = 0;  ///< bytes; 0: not said
    std::size_t chip_count = 1;
    std::vector<std::int64_t> mesh_shape;  ///< rows, columns; empty: not said
};

struct CompiledProgram {
    std::shared_ptr<const std::string> text;  ///< what views point into
    std::shared_ptr<std::deque<std::string>>
        written_out{};  ///< likewise: attributes that name others, with these
    std::string name;
    TargetSystem system;
    std::vector<TensorType> types;
    std::vector<UserPlace> places;  ///< the first one is that of what has none
    std::vector<ProgramFunction> functions;
    std::size_t stage_count = 1;  ///< modules in the file, of which the last with such operations is this

    const ProgramFunction* find(std::string_view name) const;
    /// The type of a value; `value` is one of the function's.
    const TensorType& type_of(const ProgramFunction& function, ValueId value) const {
        return types[function.values[value].type];
    }
    /// Those of the values that are tensors, in order: no devices, no tokens, none that is not given.
    std::vector<ValueId> tensors_among(const ProgramFunction& function,
                                       const std::vector<ValueId>& values) const;
};

}  // namespace tilemeter::foreign
