// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The types that the arguments and the results of operations have, for what treats arguments by their types: the
// Python bindings, graphs of calls. A definition with an argument of another type does not compile into the list of
// operations before its type stands here.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/all_definitions.hpp"

namespace tilemeter {

template <typename... Each>
struct Types : std::type_identity<Each>... {};

/// The result of `make` for the std::type_identity of a type, by that type.
template <typename Make, typename... Each>
auto made_by_type(Types<Each...> /*types*/, const Make& make) {
    using Made = std::common_type_t<decltype(make(std::type_identity<Each>()))...>;
    return std::unordered_map<std::type_index, Made>{{typeid(Each), make(std::type_identity<Each>())}...};
}

using ArgumentTypes = Types<
    // Numbers, texts and lists of them.
    bool, double, float, std::int32_t, std::int64_t, std::uint32_t, std::string, std::vector<bool>,
    std::vector<float>, std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<std::uint32_t>,
    std::array<std::uint32_t, 2>, std::array<std::uint32_t, 3>,
    std::vector<std::pair<std::uint32_t, std::uint32_t>>, Scalar, Shape,
    // Those that may be left out.
    std::optional<bool>, std::optional<float>, std::optional<Scalar>, std::optional<std::int32_t>,
    std::optional<std::int64_t>, std::optional<std::uint32_t>, std::optional<std::string>,
    std::optional<std::vector<std::int64_t>>, std::optional<std::array<float, 2>>, std::optional<Shape>,
    // One of several.
    std::variant<float, std::array<float, 2>>, std::variant<std::int64_t, std::vector<std::int64_t>>,
    std::variant<std::uint32_t, std::array<std::uint32_t, 2>>,
    std::variant<std::uint32_t, std::vector<std::uint32_t>>,
    std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>, std::array<std::uint32_t, 6>>,
    std::optional<std::variant<std::int32_t, std::vector<std::int32_t>>>,
    std::optional<std::variant<std::int64_t, std::vector<std::int64_t>>>,
    // Tensors.
    Tensor, OptionalTensor, std::vector<Tensor>, std::optional<std::vector<Tensor>>,
    std::optional<std::pair<Tensor, Tensor>>, std::variant<Tensor, float>, std::variant<Tensor, std::int32_t>,
    std::variant<std::uint32_t, Tensor>, std::optional<std::variant<std::uint32_t, Tensor>>, ComplexTensor,
    // The places and forms of tensors.
    std::shared_ptr<Device>, DataType, OptionalDataType, Layout, std::optional<Layout>, MemoryConfig,
    OptionalMemoryConfig, TensorMemoryLayout::Value, std::optional<TensorMemoryLayout::Value>,
    ShardOrientation, CoreCoord, std::variant<CoreCoord, CoreRangeSet>, OptionalCores,
    std::optional<CoreGrid>, OutputTile,
    // Parameters of operations.
    UnaryWithParam, std::optional<UnaryWithParam>, std::vector<UnaryWithParam>,
    std::optional<std::vector<UnaryWithParam>>, GeluVariant, BcastOpMath, BcastOpDim, LossReductionMode,
    WindowPadding, std::optional<DeviceComputeKernelConfig>, std::optional<MatmulProgramConfig>,
    std::optional<MinimalMatmulConfig>, OptionalSoftmaxProgramConfig, OptionalLayerNormProgramConfig,
    SDPAProgramConfig, std::optional<SDPAProgramConfig>, IndexerScoreProgramConfig, Conv2dConfigOrDefault,
    std::optional<Conv3dConfig>, std::optional<Conv2dSliceConfig>,
    // Those that change nothing or are refused.
    std::monostate, Ignored, NotModelled, OnlyDefault, GivenSemaphores>;

using ResultTypes =
    Types<Tensor, std::vector<Tensor>, std::vector<OptionalTensor>, std::pair<Tensor, Tensor>,
          std::tuple<Tensor, Tensor, Tensor>, ComplexTensor, ComplexTensors, MaxPool2dResult,
          ConvolutionResult<std::uint32_t>, ConvolutionResult<std::pair<std::uint32_t, std::uint32_t>>>;

template <typename T>
inline constexpr bool kIsArgumentType = std::is_base_of_v<std::type_identity<T>, ArgumentTypes>;
template <typename T>
inline constexpr bool kIsResultType = std::is_base_of_v<std::type_identity<T>, ResultTypes>;

}  // namespace tilemeter
