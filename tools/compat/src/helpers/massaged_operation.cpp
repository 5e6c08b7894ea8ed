// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/massaged_operation.hpp"

#include <algorithm>

#include "tilemeter_ttnn/device_facts.hpp"
#include "tilemeter_ttnn/functions/data_movement_helpers.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/fatal.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/data_movement/clone/clone.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/data_movement/squeeze/squeeze.hpp"
#include "ttnn/operations/data_movement/tilize_with_val_padding/tilize_with_val_padding.hpp"
#include "ttnn/operations/data_movement/transpose/transpose.hpp"
#include "ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp"

namespace ttnn::operations::data_movement {

namespace {

using tilemeter::compat::refuse_as_fatal;
using Tensors = std::vector<Tensor>;
using Base = std::function<Tensor(const Tensor&)>;

constexpr std::size_t kMostDimensions = 4;

Tensor reshaped(const Tensor& tensor, const Shape& shape, const std::optional<CoreRangeSet>& cores) {
    return ttnn::reshape(tensor, shape, std::nullopt, std::nullopt, TileReshapeMapMode::CACHE, cores);
}

// Dimensions of 1 in front go one by one, then the outer ones become one.
Tensor in_four_dimensions(const Tensor& tensor, const std::optional<CoreRangeSet>& cores) {
    Tensor narrower = tensor;
    while (narrower.logical_shape().rank() > kMostDimensions && narrower.logical_shape()[0] == 1)
        narrower = ttnn::squeeze(narrower, 0);
    if (narrower.logical_shape().rank() <= kMostDimensions) return narrower;
    return reshaped(narrower, squeeze_output_shape(narrower.logical_shape()), cores);
}

// `shape_after`: of the result, given the input that had more than four dimensions.
template <typename ShapeAfter>
MassagedTensorOperation of_many_dimensions(Base base, const std::optional<CoreRangeSet>& cores,
                                           ShapeAfter shape_after) {
    const auto shape = std::make_shared<Shape>();
    MassagedTensorOperation::Params params;
    params.predicate = [](const Tensor& input) { return input.logical_shape().rank() > kMostDimensions; };
    params.pre_transform = [=](const Tensor& input) {
        *shape = shape_after(input);
        return std::tuple(in_four_dimensions(input, cores));
    };
    params.post_transform = [=](const Tensor& output) { return reshaped(output, *shape, cores); };
    params.operation = std::move(base);
    return params;
}

Shape own_shape(const Tensor& input) {
    return input.logical_shape();
}

// Each tensor changed.
template <typename Change>
Tensors changed(const Tensors& tensors, const Change& change) {
    Tensors result;
    std::ranges::transform(tensors, std::back_inserter(result), change);
    return result;
}

Tensor in_four(const Tensor& tensor) {
    return tilemeter::compat::returned<Tensor>(
        tilemeter::compat::call("unsqueeze_to_4D", {{"tensor", tensor.model()}}));
}

auto joined_in(const MemoryConfig& config) {
    return [config](const Tensors& tensors, int dim, unsigned int groups) {
        return concat_impl(tensors, dim, groups, config);
    };
}

std::int64_t place_of(const Shape& shape, std::int64_t dim) {
    return static_cast<std::int64_t>(shape.get_normalized_index(dim));
}

bool is_aligned_row(const Tensor& tensor, std::uint32_t elements) {
    const bool in_dram = tensor.memory_config().buffer_type() == BufferType::DRAM;
    const std::uint32_t alignment =
        in_dram ? tt::tt_metal::hal::get_dram_alignment() : tt::tt_metal::hal::get_l1_alignment();
    return elements * tensor.element_size() % alignment == 0;
}

bool has_padding_along(const Tensor& tensor, int dim) {
    return tensor.layout() == Layout::TILE &&
           (tensor.logical_shape().rank() == 1 || tensor.logical_shape()[dim] != tensor.padded_shape()[dim]);
}

}  // namespace

MassagedTensorOperation build_ndiml_tilize(Base base, const std::optional<CoreRangeSet>& sub_core_grids) {
    return of_many_dimensions(std::move(base), sub_core_grids, own_shape);
}

MassagedTensorOperation build_ndiml_tilize_val(Base base, const std::optional<CoreRangeSet>& sub_core_grids) {
    return of_many_dimensions(std::move(base), sub_core_grids, own_shape);
}

MassagedTensorOperation build_ndiml_untilize(Base base) {
    return of_many_dimensions(std::move(base), std::nullopt, own_shape);
}

MassagedTensorOperation build_ndiml_untilize_val(Base base, const Shape& output_tensor_end,
                                                 const std::optional<CoreRangeSet>& sub_core_grids) {
    std::vector<std::uint32_t> sizes(output_tensor_end.begin(), output_tensor_end.end());
    for (std::uint32_t& each : sizes)
        ++each;
    return of_many_dimensions(std::move(base), sub_core_grids,
                              [shape = Shape(sizes)](const Tensor& /*input*/) { return shape; });
}

MassagedConcat build_unsqueeze_concat(int input_rank, const MemoryConfig& output_memory_config) {
    constexpr int kFour = kMostDimensions;
    MassagedConcat::Params params;
    params.predicate = [input_rank](const Tensors& tensors, int /*dim*/, unsigned int /*groups*/) {
        return input_rank < kFour && std::ranges::all_of(tensors, is_device_tensor);
    };
    params.pre_transform = [input_rank](const Tensors& tensors, int dim, unsigned int groups) {
        return std::tuple(changed(tensors, in_four), dim + kFour - input_rank, groups);
    };
    params.post_transform = [input_rank](const Tensor& output) {
        Tensor result = output;
        while (result.logical_shape().rank() > static_cast<std::size_t>(input_rank)) {
            const auto without_first = [](const Shape& shape) { return Shape(shape.view().subspan(1)); };
            result = ttnn::reshape(result, without_first(result.logical_shape()),
                                   without_first(result.padded_shape()));
        }
        return result;
    };
    params.operation = joined_in(output_memory_config);
    return params;
}

MassagedConcat build_untilize_rm_retilize_concat(const MemoryConfig& output_memory_config,
                                                 Shape& /*logical_output_shape*/) {
    MassagedConcat::Params params;
    params.predicate = [](const Tensors& tensors, int dim, unsigned int /*groups*/) {
        return std::ranges::any_of(tensors,
                                   [dim](const Tensor& each) { return has_padding_along(each, dim); });
    };
    params.pre_transform = [](const Tensors& tensors, int dim, unsigned int groups) {
        return std::tuple(changed(tensors,
                                  [](const Tensor& each) {
                                      if (each.layout() != Layout::TILE)
                                          refuse_as_fatal("input_tensor.layout() == ttnn::TILE_LAYOUT",
                                                          "ttnn.concat: expected all input tensors to be in "
                                                          "tile layout");
                                      std::vector<std::uint32_t> last(each.logical_shape().begin(),
                                                                      each.logical_shape().end());
                                      for (std::uint32_t& size : last)
                                          --size;
                                      return ttnn::untilize_with_unpadding(each, Shape(last));
                                  }),
                          dim, groups);
    };
    params.post_transform = [](const Tensor& output) {
        if (output.layout() == Layout::TILE) return output;
        return ttnn::tilize_with_val_padding(output, compute_padded_shape(output.padded_shape()), 0.0F,
                                             output.memory_config());
    };
    params.operation = joined_in(output_memory_config);
    return params;
}

MassagedConcat build_prepost_transpose_concat(const MemoryConfig& output_memory_config, int dim1, int dim2) {
    MassagedConcat::Params params;
    params.predicate = [dim1, dim2](const Tensors& /*tensors*/, int /*dim*/, unsigned int /*groups*/) {
        return dim1 != dim2;
    };
    params.pre_transform = [dim1, dim2](const Tensors& tensors, int dim, unsigned int groups) {
        const Shape& shape = tensors.front().logical_shape();
        const std::int64_t first = place_of(shape, dim1), second = place_of(shape, dim2);
        const std::int64_t along = dim == first ? second : dim == second ? first : dim;
        return std::tuple(
            changed(tensors, [&](const Tensor& each) { return ttnn::transpose(each, dim1, dim2); }),
            static_cast<int>(along), groups);
    };
    params.post_transform = [dim1, dim2, output_memory_config](const Tensor& output) {
        return ttnn::transpose(output, dim1, dim2, output_memory_config);
    };
    params.operation = joined_in(output_memory_config);
    return params;
}

MassagedConcat build_non_aligned_last_dim_concat(const std::vector<Tensor>& /*tensors*/,
                                                 const MemoryConfig& output_memory_config) {
    MassagedConcat transposing = build_prepost_transpose_concat(output_memory_config, -2, -1);
    transposing.set_predicate([](const Tensors& tensors, int dim, unsigned int /*groups*/) {
        if (dim + 1 != static_cast<int>(tensors.front().logical_shape().rank())) return false;
        if (!std::ranges::all_of(tensors, is_device_tensor))
            tilemeter::compat::refuse_as_thrown("ttnn.concat: expected tensors on a device");
        return std::ranges::any_of(
            tensors, [](const Tensor& each) { return !is_aligned_row(each, each.padded_shape()[-1]); });
    });
    return transposing;
}

Tensor concat_impl(const std::vector<Tensor>& input_tensors, std::int64_t dim, unsigned int groups,
                   const MemoryConfig& output_mem_config, const std::optional<CoreRangeSet>& sub_core_grids) {
    if (input_tensors.empty()) refuse_as_fatal("!input_tensors.empty()", "need 1 or more tensors");
    if (!std::ranges::all_of(input_tensors, is_device_tensor))
        refuse_as_fatal("input_tensor.storage_type() == StorageType::DEVICE",
                        "Input tensor must be on device");
    const Tensor& first = input_tensors.front();
    if (input_tensors.size() == 1) {
        if (first.memory_config() == output_mem_config) return first;
        return ttnn::clone(first, std::nullopt, output_mem_config, std::nullopt);
    }
    const std::int64_t place = place_of(first.logical_shape(), dim);
    const bool is_last = place + 1 == static_cast<std::int64_t>(first.logical_shape().rank());
    for (const Tensor& each : input_tensors) {
        const bool lies_whole = each.layout() == Layout::TILE
                                    ? !has_padding_along(each, static_cast<int>(place))
                                    : !is_last || is_aligned_row(each, each.padded_shape()[-1]);
        if (!lies_whole)
            refuse_as_fatal("concat_impl", "concat_impl: expected tensors that are joined as they lie");
    }
    return ttnn::concat(input_tensors, static_cast<int>(place), output_mem_config, std::nullopt, groups,
                        sub_core_grids);
}

}  // namespace ttnn::operations::data_movement
