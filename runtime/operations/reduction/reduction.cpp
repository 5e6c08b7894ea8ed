// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/reduction/internal/reduce_operations.hpp"
#include "runtime/operations/reduction/internal/reduction_dims.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

using Dims = std::span<const std::size_t>;

/// The parameters of one call, the same for all its steps.
struct Reduction {
    ReduceOpMath math;
    MemoryConfig memory_config;
    DataType dtype;                ///< of input and result
    bool in_fp32_between = false;  ///< several dimensions of bfloat16 are summed
    /// The layout of a sum that programs can write in both; none: the input's.
    std::optional<Layout> layout_of_sums = std::nullopt;
    OptionalCores sub_core_grids = std::nullopt;
};

bool adds(ReduceOpMath math) {
    return math == ReduceOpMath::SUM || math == ReduceOpMath::AVG;
}

// The value that padding must hold so that it does not change the result.
float neutral(ReduceOpMath math) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (math) {
        case ReduceOpMath::MAX:
            return -kInfinity;
        case ReduceOpMath::MIN:
            return kInfinity;
        case ReduceOpMath::SUM:
        case ReduceOpMath::AVG:
            break;
    }
    return 0.0F;
}

Tensor in_four_dimensions(const Tensor& input) {
    if (input.shape().rank() < 4) return unscoped::unsqueeze_to_4D(input);
    return view_in_four(input);
}

Tensor launch_on(const OptionalCores& cores, ReduceDeviceOperation operation, const Tensor& input) {
    operation.sub_core_grids = cores;
    return launch(operation, {input});
}

Tensor reduce_height_of_negatives(const Tensor& input, float scaler, const MemoryConfig& memory_config,
                                  DataType dtype, const OptionalCores& cores) {
    const UnaryWithParam negate{UnaryOpType::NEG, {}};
    const ScopedTensor negatives(unscoped::unary(negate, input));
    const ScopedTensor largest(
        launch_on(cores, {ReduceOpMath::MAX, ReduceOpDim::H, scaler, memory_config, dtype}, *negatives));
    return unscoped::unary(negate, *largest);
}

// H of a tall tensor with few columns: in slices, then over these.
Tensor reduce_height(const Tensor& input, ReduceOpMath math, float scaler, const MemoryConfig& memory_config,
                     DataType dtype, Layout layout, Layout layout_after_slices, const OptionalCores& chosen) {
    const std::uint64_t tall = input.layout() == Layout::TILE ? 20 : 16;  // tile rows
    if (math == ReduceOpMath::MIN && takes_negatives(input.dtype()) &&
        !keeps_negatives_apart(input.spec(), input.device().description()))
        return reduce_height_of_negatives(input, scaler, memory_config, dtype, chosen);
    using Stage = ReduceDeviceOperation::Stage;
    const Shape& shape = input.shape();
    const std::uint64_t rows = ceil_div(shape[2], kTileHeight);
    const std::uint64_t columns = shape[0] * std::uint64_t{shape[1]} * ceil_div(shape[3], kTileWidth);
    const std::uint64_t cores =
        chosen ? chosen->num_cores() : input.device().description().num_compute_cores();
    const bool keeps_dtype = !adds(math);  // maxima need no wider format in between
    if (input.memory_config().is_sharded() || !is_floating_point(input.dtype()) || rows < tall ||
        columns * 2 > cores || (keeps_dtype && is_block_float(input.dtype()))) {
        return launch_on(chosen, {math, ReduceOpDim::H, scaler, memory_config, dtype, layout}, input);
    }
    const ReduceOpMath step = keeps_dtype ? math : ReduceOpMath::SUM;
    const std::uint64_t slices = std::min(rows, cores / columns);
    const ScopedTensor partial(
        launch_on(chosen,
                  {step, ReduceOpDim::H, 1.0F, memory_config, keeps_dtype ? input.dtype() : DataType::FLOAT32,
                   Layout::ROW_MAJOR, Stage::kSlices, slices},
                  input));
    return launch_on(
        chosen, {step, ReduceOpDim::H, scaler, memory_config, dtype, layout_after_slices, Stage::kOfSlices},
        *partial);
}

Tensor reduce_height_and_width(const Tensor& input, ReduceOpMath math, float scaler,
                               const MemoryConfig& memory_config, DataType dtype,
                               const OptionalCores& cores) {
    const bool single_tile = input.padded_shape().volume() == std::uint64_t{kTileHeight} * kTileWidth;
    if (single_tile && input.dtype() != DataType::FLOAT32 && math != ReduceOpMath::MIN) {
        return launch_on(cores, {math, ReduceOpDim::HW, scaler, memory_config, dtype}, input);
    }
    const bool widened =
        math == ReduceOpMath::SUM && is_floating_point(input.dtype()) && !is_block_float(input.dtype());
    const ScopedTensor rows(launch_on(
        cores, {math, ReduceOpDim::W, 1.0F, memory_config, widened ? DataType::FLOAT32 : dtype}, input));
    return launch_on(cores, {math, ReduceOpDim::H, scaler, memory_config, dtype}, *rows);
}

// True if a sum reads rows as they are: over the last dimension or the last but one.
bool takes_rows(const Tensor& input, Dims dims, const Reduction& reduction) {
    return adds(reduction.math) && dims.size() == 1 && !input.is_sharded() &&
           !reduction.memory_config.is_sharded() &&
           (input.dtype() == DataType::BFLOAT16 || input.dtype() == DataType::FLOAT32);
}

bool are_inside_tiles(Dims dims, std::size_t rank) {
    if (dims.size() == 1) return dims[0] + 2 >= rank;
    return dims.size() == 2 && dims[0] + 2 == rank && dims[1] + 1 == rank;
}

// Dimensions inside the tiles, or inside what would be tiles: by the programs made for them. `shape_before`
// is what the caller began with; `dims_before` what has been reduced of it, these dimensions included.
Tensor reduce_tiles(const Tensor& input, Dims dims, bool keepdim, const Reduction& reduction, float scalar,
                    DataType output_dtype, const Shape& shape_before, Dims dims_before) {
    const std::size_t rank = input.shape().rank();
    std::uint64_t volume = 1;
    for (const std::size_t dim : dims)
        volume *= input.shape().dimensions()[dim];
    const float scaler = reduction.math == ReduceOpMath::AVG ? scalar / static_cast<float>(volume) : scalar;
    const auto reduced = [&] {
        const ScopedTensor source(in_four_dimensions(input));
        const bool by_rows = source->layout() == Layout::ROW_MAJOR && takes_rows(input, dims, reduction);
        const bool to_tiles = source->layout() == Layout::ROW_MAJOR && !by_rows;
        const ScopedTensor tiled(
            to_tiles ? unscoped::tilize_with_val_padding(*source, neutral(reduction.math), std::nullopt,
                                                         std::nullopt, {true, reduction.sub_core_grids})
                     : Tensor());
        const Tensor& read = to_tiles ? *tiled : *source;
        const Layout layout = by_rows ? reduction.layout_of_sums.value_or(Layout::ROW_MAJOR) : Layout::TILE;
        if (dims.size() == 2) {
            return reduce_height_and_width(read, reduction.math, scaler, reduction.memory_config,
                                           output_dtype, reduction.sub_core_grids);
        }
        if (dims[0] + 1 == rank) {
            return launch_on(
                reduction.sub_core_grids,
                {reduction.math, ReduceOpDim::W, scaler, reduction.memory_config, output_dtype, layout},
                read);
        }
        return reduce_height(read, reduction.math, scaler, reduction.memory_config, output_dtype, layout,
                             reduction.layout_of_sums.value_or(layout), reduction.sub_core_grids);
    };
    const ScopedTensor result(reduced());
    return in_remaining_shape(*result, remaining_shape(shape_before, dims_before, keepdim));
}

// One dimension after the other, from the last; one that is not inside the tiles takes the place of the rows.
Tensor reduce_one_by_one(const Tensor& input, Dims dims, const Reduction& reduction, float scalar) {
    const std::size_t rank = input.shape().rank();
    Reduction step = reduction;
    // Several means in a row are sums with one division.
    if (reduction.math == ReduceOpMath::AVG && dims.size() > 1) {
        std::uint64_t volume = 1;
        for (const std::size_t dim : dims)
            volume *= input.shape().dimensions()[dim];
        scalar /= static_cast<float>(volume);
        step.math = ReduceOpMath::SUM;
    }
    Tensor result = input;
    for (std::size_t i = dims.size(); i-- > 0;) {
        const bool is_last = i == 0;
        const bool scales = adds(step.math) ? i + 1 == dims.size() : is_last;
        const DataType dtype = reduction.in_fp32_between && !is_last ? DataType::FLOAT32 : reduction.dtype;
        const bool exchanged = dims[i] + 2 < rank;
        const std::size_t dim = exchanged ? rank - 2 : dims[i];
        const auto with_rows_exchanged = [&] {
            return unscoped::transpose(result, static_cast<std::int64_t>(dims[i]), -2,
                                       reduction.memory_config, neutral(step.math));
        };
        if (exchanged) result = with_rows_exchanged();
        const Dims only(&dim, 1);
        result = reduce_tiles(result, only, true, step, scales ? scalar : 1.0F, dtype, result.shape(), only);
        if (exchanged) result = with_rows_exchanged();
    }
    return result;
}

// Sums over dimensions that are not inside the tiles, from the last.
Tensor sum_outside_tiles(const Tensor& input, Dims dims, const Reduction& reduction, DataType output_dtype) {
    const auto step = [&](const Tensor& source, std::size_t i) {
        const DataType dtype = i == 0                      ? output_dtype
                               : reduction.in_fp32_between ? DataType::FLOAT32
                                                           : reduction.dtype;
        return launch(
            FastReduceNCDeviceOperation{dims[i], reduction.memory_config, dtype, reduction.sub_core_grids},
            {source});
    };
    std::size_t i = dims.size() - 1;
    if (i == 0) return step(input, 0);
    ScopedTensor partial(step(input, i));
    for (--i; i > 0; --i)
        partial = step(*partial, i);
    return step(*partial, 0);
}

// Sums over dimensions outside the tiles come in whole tiles: the part that `shape` has of them.
Tensor without_tile_padding(Tensor sums, const Shape& shape) {
    const MemoryConfig config = sums.memory_config();
    Shape part = sums.shape();
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(part.rank()); ++i)
        part.set(i, std::min(part[i], shape[i]));
    return part == sums.shape() ? sums : leading_part(std::move(sums), part, config);
}

Tensor run(const Tensor& input, ReduceOpMath math, const ReduceDims& dim, bool keepdim,
           const OptionalMemoryConfig& memory_config, float scalar, std::string_view name,
           const OptionalCores& sub_core_grids = std::nullopt) {
    require_on_device(input, name, "input_tensor");
    require(
        math != ReduceOpMath::AVG || (input.dtype() != DataType::INT32 && input.dtype() != DataType::UINT32),
        "ttnn.mean does not support integer inputs - got DataType::", name_of(input.dtype()), ".");
    const Shape shape = input.shape();
    const std::size_t rank = shape.rank();
    require(rank != 0, name, ": input_tensor: expected at least one dimension, got none");
    const ReducedDims dims = resolve_dims(dim, rank);
    Reduction reduction{math, memory_config.value_or(input.memory_config()), input.dtype()};
    reduction.sub_core_grids = sub_core_grids;
    reduction.in_fp32_between =
        adds(math) && dims.size() > 1 && dims.size() < rank && input.dtype() == DataType::BFLOAT16;
    const bool padded = input.layout() == Layout::TILE && has_padding(input);
    const bool copied = padded && is_block_float(input.dtype());
    const Tensor in_place = padded && !copied ? fill_padding(input, neutral(math)) : input;
    ScopedTensor own(copied ? fill_padding(input, neutral(math)) : Tensor());
    const Tensor& filled = copied ? *own : in_place;
    if (shape.volume() == 0) {
        const std::optional<float> value = math == ReduceOpMath::SUM   ? std::optional(0.0F)
                                           : math == ReduceOpMath::AVG ? std::optional(std::nanf(""))
                                                                       : std::nullopt;
        return reduced_from_nothing(input, dims, keepdim, value, input.dtype(), reduction.memory_config);
    }
    const auto in_tiles =
        std::find_if(dims.begin(), dims.end(), [rank](std::size_t each) { return each + 2 >= rank; });
    const Dims outside(dims.begin(), in_tiles), inside(in_tiles, dims.end());
    const bool by_own_program = math == ReduceOpMath::SUM && scalar == 1.0F && !outside.empty() &&
                                (input.dtype() == DataType::BFLOAT16 || is_block_float(input.dtype()));
    if (by_own_program) {
        const DataType dtype =
            reduction.in_fp32_between && !inside.empty() ? DataType::FLOAT32 : input.dtype();
        const auto summed = [&] {
            const bool to_tiles = filled.layout() == Layout::ROW_MAJOR;
            const ScopedTensor tiled(
                to_tiles ? unscoped::tilize_with_val_padding(filled, 0.0F, reduction.memory_config,
                                                             std::nullopt, {true, reduction.sub_core_grids})
                         : Tensor());
            return without_tile_padding(
                sum_outside_tiles(to_tiles ? *tiled : filled, outside, reduction, dtype), shape);
        };
        own = summed();
        if (inside.empty()) return in_remaining_shape(*own, remaining_shape(shape, dims, keepdim));
        return reduce_tiles(*own, inside, keepdim, reduction, scalar, input.dtype(), shape, dims);
    }
    if (are_inside_tiles(dims, rank)) {
        return reduce_tiles(filled, dims, keepdim, reduction, scalar, input.dtype(), shape, dims);
    }
    const ScopedTensor result(reduce_one_by_one(filled, dims, reduction, scalar));
    return in_remaining_shape(*result, remaining_shape(shape, dims, keepdim));
}

}  // namespace

Tensor unscoped::sum(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config) {
    return run(input_tensor, ReduceOpMath::SUM, std::nullopt, false, memory_config, 1.0F, "sum");
}
Tensor unscoped::mean(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config) {
    return run(input_tensor, ReduceOpMath::AVG, std::nullopt, false, memory_config, 1.0F, "mean");
}

Tensor unscoped::sum_over(const Tensor& input_tensor, const ReduceDims& dim,
                          const OptionalMemoryConfig& memory_config) {
    return run(input_tensor, ReduceOpMath::SUM, dim, false, memory_config, 1.0F, "sum", std::nullopt);
}

Tensor unscoped::reduce(const Tensor& input_tensor, ReduceOpMath math, const ReduceDims& dim,
                        const OptionalMemoryConfig& memory_config, float scalar) {
    const std::string_view name = kReductions[static_cast<std::size_t>(math)].name;
    return run(input_tensor, math, dim, true, memory_config, scalar, name);
}

Tensor unscoped::sum_of_rows(const Tensor& input_tensor, float scalar, const MemoryConfig& memory_config,
                             const std::optional<Layout>& layout) {
    const std::size_t dim = 2;
    const Dims rows(&dim, 1);
    const Reduction reduction{ReduceOpMath::SUM, memory_config, input_tensor.dtype(), false, layout};
    ScopedTensor sums(reduce_tiles(input_tensor, rows, true, reduction, scalar, input_tensor.dtype(),
                                   input_tensor.shape(), rows));
    if (!layout || sums->layout() == *layout) return sums.take();
    return unscoped::to_layout(*sums, *layout);
}

template <ReduceOpMath Math>
Tensor Reduce<Math>::call() const {
    require_none(output_layout, "reduction", "output_layout");
    return in_operation(*this, [&] {
        return run(input_tensor, Math, dim, keepdim, memory_config, scalar, kOperation.name, sub_core_grids);
    });
}
template struct Reduce<ReduceOpMath::SUM>;
template struct Reduce<ReduceOpMath::AVG>;
template struct Reduce<ReduceOpMath::MAX>;
template struct Reduce<ReduceOpMath::MIN>;

}  // namespace tilemeter
