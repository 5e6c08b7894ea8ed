// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Arguments of TT-NN's C++ functions in the model's types, and what operations gave in the types of these functions.

#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/results.hpp"
#include "tilemeter_ttnn/semaphore.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tools/compat/src/call.hpp"
#include "tt_stl/optional_reference.hpp"

namespace tilemeter::compat {

UnaryWithParam to_model(const ::ttnn::operations::unary::EltwiseUnaryWithParam& function);
::ttnn::operations::unary::EltwiseUnaryWithParam from_model(const UnaryWithParam& function);
DeviceComputeKernelConfig to_model(const ::ttnn::ComputeKernelConfig& config);
MatmulProgramConfig to_model(const ::ttnn::operations::matmul::MatmulProgramConfig& config);
::ttnn::operations::matmul::MatmulProgramConfig from_model(const MatmulProgramConfig& config);
SDPAProgramConfig to_model(const ::ttnn::operations::transformer::SDPAProgramConfig& config);
Conv2dConfig to_model(const ::ttnn::Conv2dConfig& config);
Conv3dConfig to_model(const ::ttnn::experimental::prim::Conv3dConfig& config);
MinimalMatmulConfig to_model(const ::ttnn::experimental::prim::MinimalMatmulConfig& config);

/// The overloads are members, so that those of containers find those of what they hold, wherever they stand.
struct Arguments {
    static Argument of(bool value) { return value; }
    template <std::integral T>
    requires(!std::same_as<T, bool>) static Argument of(T value) { return static_cast<std::int64_t>(value); }
    template <std::floating_point T>
    static Argument of(T value) {
        return static_cast<double>(value);
    }
    static Argument of(const std::string& value) { return value; }
    static Argument of(std::nullopt_t /*none*/) { return std::monostate(); }
    static Argument of(const ::ttnn::Tensor& tensor) { return to_model(tensor); }
    static Argument of(metal::distributed::MeshDevice* device) {
        return device == nullptr ? Argument() : Argument(device->model());
    }
    static Argument of(const metal::distributed::MeshDevice& device) { return device.model(); }
    static Argument of(std::reference_wrapper<metal::distributed::MeshDevice> device) {
        return device.get().model();
    }
    static Argument of(metal::DataType dtype) { return to_model(dtype); }
    static Argument of(metal::Layout layout) { return to_model(layout); }
    static Argument of(metal::TensorMemoryLayout layout) { return to_model(layout); }
    static Argument of(metal::ShardOrientation orientation) { return to_model(orientation); }
    static Argument of(const metal::MemoryConfig& config) { return to_model(config); }
    static Argument of(const metal::CoreCoord& core) { return to_model(core); }
    static Argument of(const metal::distributed::MeshCoordinate& place) {
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < place.dims(); ++i)
            numbers.push_back(place[static_cast<std::int32_t>(i)]);
        return numbers;
    }
    static Argument of(const std::vector<metal::CoreCoord>& cores) {
        std::vector<metal::CoreRange> ranges;
        for (const metal::CoreCoord& core : cores)
            ranges.emplace_back(core, core);
        return to_model(metal::CoreRangeSet(ranges));
    }
    static Argument of(const metal::CoreRange& cores) { return to_model(metal::CoreRangeSet(cores)); }
    static Argument of(const metal::CoreRangeSet& cores) { return to_model(cores); }
    static Argument of(const ::ttnn::types::CoreGrid& grid) {
        return CoreGrid{static_cast<std::uint32_t>(grid.x), static_cast<std::uint32_t>(grid.y)};
    }
    static Argument of(const metal::Shape& shape) { return to_model(shape); }
    /// A parameter that is always given: the tile of all tensors is as good as none.
    static Argument of(const metal::Tile& tile) {
        return tile == metal::Tile() ? Argument() : Argument(to_model(tile));
    }
    static Argument of(const std::optional<metal::Tile>& tile) {
        return tile ? Argument(to_model(*tile)) : Argument();
    }
    static Argument of(const ::ttnn::operations::unary::EltwiseUnaryWithParam& function) {
        return to_model(function);
    }
    static Argument of(const ::ttnn::operations::unary::BasicUnaryWithParam<float>& function) {
        ::ttnn::operations::unary::EltwiseUnaryWithParam same(function.type());
        for (const auto& each : function.params())
            same.base_params.emplace_back(std::get<float>(each));
        return to_model(same);
    }
    static Argument of(const ::ttnn::ComputeKernelConfig& config) { return to_model(config); }
    static Argument of(const ::ttnn::operations::matmul::MatmulProgramConfig& config) {
        return to_model(config);
    }
    static Argument of(const ::ttnn::SoftmaxProgramConfig& config);
    static Argument of(const ::ttnn::LayerNormProgramConfig& config);
    static Argument of(const ::ttnn::operations::transformer::SDPAProgramConfig& config) {
        return to_model(config);
    }
    static Argument of(
        const ::ttnn::operations::experimental::indexer_score::IndexerScoreProgramConfig& config) {
        return IndexerScoreProgramConfig{config.q_chunk_size, config.k_chunk_size, config.head_group_size};
    }
    static Argument of(const ::ttnn::Conv2dConfig& config) { return to_model(config); }
    static Argument of(const ::ttnn::experimental::prim::Conv3dConfig& config) { return to_model(config); }
    static Argument of(const ::ttnn::experimental::prim::MinimalMatmulConfig& config) {
        return to_model(config);
    }
    static Argument of(const ::ttnn::Conv2dSliceConfig& config) {
        return Conv2dSliceConfig{static_cast<Conv2dSliceConfig::SliceType>(config.slice_type),
                                 config.num_slices};
    }
    static Argument of(::ttnn::operations::unary::GeluVariant variant) {
        return static_cast<GeluVariant>(variant);
    }
    static Argument of(::ttnn::operations::loss::LossReductionMode mode) {
        return static_cast<LossReductionMode>(mode);
    }
    static Argument of(::ttnn::BcastOpMath math) { return static_cast<BcastOpMath>(math); }
    static Argument of(::ttnn::BcastOpDim dim) { return static_cast<BcastOpDim>(dim); }

    template <typename T>
    static Argument of(const std::optional<T>& value) {
        return value ? of(*value) : Argument();
    }
    template <typename T>
    static Argument of(const ttsl::optional_reference<T>& value) {
        return value ? of(*value) : Argument();
    }
    template <typename First, typename Second>
    static Argument of(const std::variant<First, Second>& value) {
        return std::visit([](const auto& each) { return of(each); }, value);
    }
    template <typename First, typename Second, typename Third>
    static Argument of(const std::variant<First, Second, Third>& value) {
        return std::visit([](const auto& each) { return of(each); }, value);
    }
    template <typename First, typename Second, typename Third, typename Fourth>
    static Argument of(const std::variant<First, Second, Third, Fourth>& value) {
        return std::visit([](const auto& each) { return of(each); }, value);
    }
    template <typename T>
    static Argument of(std::span<const T> values) {
        if constexpr (std::is_integral_v<T>) {
            return std::vector<std::int64_t>(values.begin(), values.end());
        } else if constexpr (std::is_floating_point_v<T>) {
            return std::vector<double>(values.begin(), values.end());
        } else if constexpr (std::is_same_v<T, std::array<std::uint32_t, 2>>) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
            for (const T& each : values)
                pairs.emplace_back(each[0], each[1]);
            return pairs;
        } else if constexpr (std::is_same_v<T, ::ttnn::operations::data_movement::PadSpecDim>) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
            for (const T& each : values)
                pairs.emplace_back(each.before_elements, each.after_elements);
            return pairs;
        } else if constexpr (std::is_same_v<T, std::optional<::ttnn::Tensor>>) {
            std::vector<OptionalTensor> tensors;
            for (const T& each : values)
                tensors.push_back(each ? OptionalTensor(to_model(*each)) : std::nullopt);
            return tensors;
        } else {
            std::vector<std::remove_cvref_t<decltype(to_model(values[0]))>> model;
            for (const T& each : values)
                model.push_back(to_model(each));
            return model;
        }
    }
    static Argument of(const std::vector<bool>& values) {
        return std::vector<std::int64_t>(values.begin(), values.end());
    }
    template <typename T>
    static Argument of(const std::vector<T>& values) {
        return of(std::span<const T>(values));
    }
    template <typename T, std::size_t Size>
    static Argument of(const std::array<T, Size>& values) {
        return of(std::span<const T>(values));
    }
    template <typename First, typename Second>
    static Argument of(const std::tuple<First, Second>& tensors) {
        return std::pair<Tensor, Tensor>(to_model(std::get<0>(tensors)), to_model(std::get<1>(tensors)));
    }
    /// Both parts.
    static Argument of(const ::ttnn::operations::complex::ComplexTensor& tensor) {
        return ComplexTensor{to_model(tensor.real()), to_model(tensor.imag())};
    }

    // What the model knows nothing of: an operation that does not pass it over refuses it.
    static Argument of(const metal::GlobalSemaphore& /*semaphore*/) { return Foreign{"a semaphore"}; }
    static Argument of(const std::vector<metal::GlobalSemaphore>& semaphores) {
        return semaphores.empty() ? Argument() : Argument(Foreign{"semaphores"});
    }
    static Argument of(const std::vector<std::shared_ptr<metal::experimental::PrefetcherPipe>>& pipes) {
        return pipes.empty() ? Argument() : Argument(Foreign{"pipes of a prefetcher"});
    }
    static Argument of(const metal::experimental::GlobalCircularBuffer& /*buffer*/) {
        return Foreign{"a global circular buffer"};
    }
    static Argument of(const ::ttnn::operations::transformer::PagedCacheGeometryOverride& /*geometry*/) {
        return Foreign{"a geometry of a paged cache"};
    }
    static Argument of(::reduction_common::ReduceType /*type*/) { return Foreign{"a kind of reduction"}; }
    static Argument of(::ttnn::operations::experimental::ccl::WorkerMode /*mode*/) {
        return Foreign{"a mode of workers"};
    }
    static Argument of(::ttnn::operations::experimental::ccl::DispatchAlgorithm /*algorithm*/) {
        return Foreign{"an algorithm"};
    }
    static Argument of(::ttnn::experimental::prim::detail::MoEActivationFunction /*function*/) {
        return Foreign{"a function of experts"};
    }
    static Argument of(::tt::tt_fabric::Topology /*topology*/) { return Foreign{"a topology"}; }
    static Argument of(metal::MathFidelity /*fidelity*/) { return Foreign{"a fidelity"}; }
    static Argument of(::ttnn::operations::unary::SigmoidMode /*mode*/) {
        return Foreign{"a mode of sigmoid"};
    }
    static Argument of(::ttnn::TileReshapeMapMode /*mode*/) { return std::monostate(); }
    static Argument of(const std::set<metal::distributed::MeshCoordinate>& /*places*/) {
        return Foreign{"places in a mesh"};
    }
    static Argument of(const metal::TensorSpec& /*spec*/) { return Foreign{"a spec"}; }
};

template <typename T>
Argument to_argument(T&& value) {
    return Arguments::of(value);
}

template <typename T>
struct Returned;

/// The result as a function of TT-NN's returns it.
template <typename T>
T returned(Result result) {
    return Returned<T>::of(std::move(result));
}

inline ::ttnn::Tensor tensor_at(const Result& result, std::size_t place) {
    if (place >= result.tensors.size() || !result.tensors[place])
        throw std::runtime_error("the operation gave " + std::to_string(result.tensors.size()) +
                                 " tensors, found no number " + std::to_string(place));
    return from_model(*result.tensors[place]);
}

template <>
struct Returned<void> {
    static void of(const Result& /*result*/) {}
};
template <>
struct Returned<::ttnn::Tensor> {
    static ::ttnn::Tensor of(const Result& result) { return tensor_at(result, 0); }
};
template <>
struct Returned<std::vector<::ttnn::Tensor>> {
    static std::vector<::ttnn::Tensor> of(const Result& result) {
        std::vector<::ttnn::Tensor> tensors;
        for (std::size_t i = 0; i < result.tensors.size(); ++i)
            tensors.push_back(tensor_at(result, i));
        return tensors;
    }
};
template <>
struct Returned<std::optional<::ttnn::Tensor>> {
    static std::optional<::ttnn::Tensor> of(const Result& result) {
        if (result.tensors.empty() || !result.tensors[0]) return std::nullopt;
        return tensor_at(result, 0);
    }
};
template <>
struct Returned<std::vector<std::optional<::ttnn::Tensor>>> {
    static std::vector<std::optional<::ttnn::Tensor>> of(const Result& result) {
        std::vector<std::optional<::ttnn::Tensor>> tensors;
        for (const OptionalTensor& each : result.tensors)
            tensors.push_back(each ? std::optional(from_model(*each)) : std::nullopt);
        return tensors;
    }
};
template <std::size_t Size>
struct Returned<std::array<::ttnn::Tensor, Size>> {
    static std::array<::ttnn::Tensor, Size> of(const Result& result) {
        std::array<::ttnn::Tensor, Size> tensors;
        for (std::size_t i = 0; i < Size; ++i)
            tensors[i] = tensor_at(result, i);
        return tensors;
    }
};
template <>
struct Returned<::ttnn::operations::complex::ComplexTensor> {
    static ::ttnn::operations::complex::ComplexTensor of(const Result& result) {
        return ::ttnn::operations::complex::ComplexTensor({tensor_at(result, 0), tensor_at(result, 1)});
    }
};
template <>
struct Returned<std::vector<::ttnn::operations::complex::ComplexTensor>> {
    static std::vector<::ttnn::operations::complex::ComplexTensor> of(const Result& result) {
        std::vector<::ttnn::operations::complex::ComplexTensor> tensors;
        for (std::size_t i = 0; i < result.tensors.size(); i += 2)
            tensors.emplace_back(std::array{tensor_at(result, i), tensor_at(result, i + 1)});
        return tensors;
    }
};

/// A convolution's: the output alone, with its sizes, with its weights, or with both.
inline std::tuple<std::uint32_t, std::uint32_t> size_of(
    const Result& result, std::type_identity<std::tuple<std::uint32_t, std::uint32_t>> /*two*/) {
    return {result.sizes.at(0), result.sizes.at(1)};
}
inline std::uint32_t size_of(const Result& result, std::type_identity<std::uint32_t> /*one*/) {
    return result.sizes.at(0);
}
template <typename Variant, typename Size>
Variant convolved(const Result& result) {
    const std::type_identity<Size> size;
    const auto weights = [&] {
        using Optional = std::optional<::ttnn::Tensor>;
        return std::tuple<::ttnn::Tensor, Optional>(
            tensor_at(result, 1),
            result.tensors.size() > 2 && result.tensors[2] ? Optional(tensor_at(result, 2)) : std::nullopt);
    };
    if (result.has_sizes && result.has_weights)
        return std::tuple(tensor_at(result, 0), size_of(result, size), weights());
    if (result.has_sizes) return std::tuple(tensor_at(result, 0), size_of(result, size));
    if (result.has_weights) return std::tuple(tensor_at(result, 0), weights());
    return tensor_at(result, 0);
}
template <>
struct Returned<::ttnn::Conv2dResultWithOptions> {
    static ::ttnn::Conv2dResultWithOptions of(const Result& result) {
        return convolved<::ttnn::Conv2dResultWithOptions, std::tuple<std::uint32_t, std::uint32_t>>(result);
    }
};
template <>
struct Returned<::ttnn::Conv1dResult> {
    static ::ttnn::Conv1dResult of(const Result& result) {
        return convolved<::ttnn::Conv1dResult, std::uint32_t>(result);
    }
};
template <>
struct Returned<std::variant<::ttnn::Tensor, ::ttnn::MaxPoolWithIndicesResult>> {
    static std::variant<::ttnn::Tensor, ::ttnn::MaxPoolWithIndicesResult> of(const Result& result) {
        if (result.tensors.size() < 2) return tensor_at(result, 0);
        return ::ttnn::MaxPoolWithIndicesResult{tensor_at(result, 0), tensor_at(result, 1)};
    }
};
template <typename... Each>
struct Returned<std::tuple<Each...>> {
    static std::tuple<Each...> of(const Result& result) {
        std::size_t place = 0;
        // Braces: in order.
        return {next<Each>(result, place)...};
    }

private:
    template <typename One>
    static One next(const Result& result, std::size_t& place) {
        if constexpr (std::is_same_v<One, std::optional<::ttnn::Tensor>>) {
            const std::size_t at = place++;
            if (at >= result.tensors.size() || !result.tensors[at]) return std::nullopt;
            return tensor_at(result, at);
        } else {
            return tensor_at(result, place++);
        }
    }
};

}  // namespace tilemeter::compat
