// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls of operations by the names of their parameters: what the functions of TT-NN's headers are made of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/eltwise/complex.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/matmul/minimal_matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/conv3d_config.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/indexer_score.hpp"
#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

/// An argument that the model knows nothing of: refused where an operation's parameter does not pass it over.
struct Foreign {
    std::string type;
};

/// An argument in the model's types; monostate: not given.
using Argument = std::variant<
    std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
    std::vector<std::pair<std::uint32_t, std::uint32_t>>, Shape, Tensor, std::vector<Tensor>,
    std::vector<OptionalTensor>, std::pair<Tensor, Tensor>, ComplexTensor, std::shared_ptr<Device>, DataType,
    Layout, MemoryConfig, TensorMemoryLayout::Value, ShardOrientation, CoreCoord, CoreRangeSet, CoreGrid,
    Tile, UnaryWithParam, std::vector<UnaryWithParam>, GeluVariant, BcastOpMath, BcastOpDim,
    LossReductionMode, DeviceComputeKernelConfig, MatmulProgramConfig, MinimalMatmulConfig,
    SoftmaxShardedMultiCoreProgramConfig,
    std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>, SDPAProgramConfig,
    IndexerScoreProgramConfig, Conv2dConfig, Conv3dConfig, Conv2dSliceConfig, Foreign>;

/// What an operation gave: its tensors in order, and the numbers that some give with them.
struct Result {
    std::vector<OptionalTensor> tensors;
    bool is_list = false;  ///< one that has any number of tensors
    std::vector<std::uint32_t> sizes;
    bool has_sizes = false;
    bool has_weights = false;
};

/// An argument with the name of the operation's parameter.
struct Named {
    std::string_view name;
    Argument argument;
};

/// Calls `operation` ("relu", "experimental::rotary_embedding"). Throws std::runtime_error, in one line, where it takes no
/// such arguments, and what the operation throws, both in TT-NN's form (fatal.hpp).
Result call(const char* operation, std::initializer_list<Named> arguments,
            std::source_location place = std::source_location::current());

/// The same where no client's C++ calls: what is wrong stays the model's own exception, RuntimeError where no such arguments
/// are taken.
Result call_unwrapped(std::string_view operation, std::span<const Named> arguments);

/// Says what keeps a call with these names from every definition of the operation; empty: one takes it.
std::string find_misfit(const std::string& operation, const std::vector<std::string>& names);

}  // namespace tilemeter::compat
