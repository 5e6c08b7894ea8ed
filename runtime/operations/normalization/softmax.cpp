// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/softmax.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/compute/normalization.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/normalization/internal/chosen_config.hpp"
#include "runtime/operations/normalization/internal/softmax_program.hpp"

namespace tilemeter {

namespace {

/// The parameters, besides the input and the mask.
struct SoftmaxParameters {
    std::size_t dimension = 0;
    bool in_place = false;
    MemoryConfig memory_config;
    bool numeric_stable = true;
    bool scale_mask = false;  ///< called as one of the forms with scale and mask
    std::optional<float> scale;
    bool causal_mask = false;
    OptionalSoftmaxProgramConfig in_shards;
    bool mask_for_all = false;  ///< one causal mask for all batches and heads
    OptionalComputeKernelConfig kernels = std::nullopt;
};

// A mask of one row for each batch in ROW_MAJOR, cut into pieces as wide as a tile: [batch, 1, width / 32, 32].
bool is_row_in_pieces(const TensorSpec& mask, const Shape& input) {
    return mask.layout == Layout::ROW_MAJOR && !mask.memory_config.is_sharded() && input.rank() == 4 &&
           input[3] % kTileWidth == 0 &&
           mask.shape == Shape{mask.shape[0], 1, input[3] / kTileWidth, kTileWidth};
}

// Inputs: the tensor and, with scale_mask, possibly a mask.
struct SoftmaxDeviceOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "SoftmaxDeviceOperation";
    static constexpr std::string_view kAttributesName = "SoftmaxParams";
    static constexpr bool kMakesOutputsFirst = true;

    SoftmaxParameters parameters;

    auto attributes() const {
        return std::make_tuple(type_name(), parameters.dimension, parameters.scale, parameters.in_place,
                               parameters.memory_config, program_text(), parameters.causal_mask,
                               attribute_text(parameters.kernels.value_or(
                                   DeviceComputeKernelConfig{MathFidelity::HiFi3, true, true, false, false})),
                               parameters.mask_for_all, parameters.numeric_stable, false);
    }
    auto key_attributes() const {
        return std::make_tuple(parameters.dimension, parameters.in_place, parameters.memory_config,
                               parameters.numeric_stable, parameters.scale_mask, parameters.scale,
                               parameters.causal_mask, program_text(), parameters.mask_for_all,
                               parameters.kernels);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "Inputs to softmax must be tilized");
        require(
            input.dtype == DataType::FLOAT32 || input.dtype == DataType::BFLOAT16 ||
                input.dtype == DataType::BFLOAT8_B,
            "Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: DataType::", name_of(input.dtype));
        const TensorSpec* mask = inputs.size() > 1 ? &inputs[1] : nullptr;
        if (parameters.scale_mask) validate_mask(input, mask);
        if (parameters.in_shards) validate_shards(input, mask);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, parameters.memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (parameters.in_shards) {
            const ShardMask kind = parameters.mask_for_all  ? ShardMask::kCausalForAll
                                   : parameters.causal_mask ? ShardMask::kCausal
                                                            : ShardMask::kOneRow;
            return plan_softmax_in_shards(inputs[0], inputs.size() > 1 ? &inputs[1] : nullptr, kind,
                                          parameters.in_shards->compute_with_storage_grid_size,
                                          parameters.in_shards->block_w, parameters.numeric_stable,
                                          softmax_tiles(inputs[0], parameters.kernels), device);
        }
        return plan_softmax(inputs[0], inputs.size() > 1 ? &inputs[1] : nullptr, outputs[0],
                            parameters.dimension, parameters.numeric_stable,
                            softmax_tiles(inputs[0], parameters.kernels), device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const HostArray mask = inputs.size() > 1 ? rows_of_mask(*inputs[1], shape) : HostArray();
        std::optional<compute::BroadcastOperand> added;
        if (inputs.size() > 1) added.emplace(mask, shape);
        const bool of_rows = parameters.dimension + 1 == shape.rank();
        const auto read = [&](std::uint64_t first, std::span<float> values) {
            inputs[0]->read_floats(first, values);
            if (parameters.scale) {
                for (float& value : values)
                    value *= *parameters.scale;
            }
            if (!added) return;
            const float* const more = added->read(first, compute::block_room(0, values.size()));
            compute::binary_each(compute::BinaryKind::kAdd, values.data(), more, values);
        };
        if (!of_rows) {
            std::vector<float> values(shape.volume());
            read(0, values);
            return {HostArray::from_floats(compute::softmax(values, shape, parameters.dimension),
                                           outputs[0].dtype, outputs[0].shape)};
        }
        constexpr std::uint64_t kSteps = 4;
        const std::uint64_t width = shape[-1];
        return {compute::by_blocks(outputs[0].dtype, outputs[0].shape, width, kSteps,
                                   [&](std::uint64_t first, std::span<float> block) {
                                       read(first, block);
                                       compute::softmax_rows(block, width);
                                   })};
    }

private:
    std::string program_text() const {
        if (!parameters.in_shards) return "SoftmaxDefaultProgramConfig()";
        const SoftmaxShardedMultiCoreProgramConfig& config = *parameters.in_shards;
        const CoreCoord grid = config.compute_with_storage_grid_size;
        return "SoftmaxShardedMultiCoreProgramConfig(compute_with_storage_grid_size=" +
               std::to_string(grid.x) + "-" + std::to_string(grid.y) +
               ", subblock_w=" + std::to_string(config.subblock_w) +
               ", block_h=" + std::to_string(config.block_h) + ", block_w=" + std::to_string(config.block_w) +
               ")";
    }

    std::string_view type_name() const {
        if (parameters.mask_for_all) return "SoftmaxOperationType::ScaleCausalMaskHWSoftmaxInPlace";
        if (parameters.scale_mask) {
            return parameters.in_place ? "SoftmaxOperationType::ScaleMaskSoftmaxInPlace"
                                       : "SoftmaxOperationType::ScaleMaskSoftmax";
        }
        return parameters.in_place ? "SoftmaxOperationType::SoftmaxInPlace" : "SoftmaxOperationType::Softmax";
    }

    void validate_mask(const TensorSpec& input, const TensorSpec* mask) const {
        constexpr const char* kOperation = "scale_mask_softmax";
        if (input.shape.rank() != 4)
            refuse(kOperation, "input_tensor", "4 dimensions", input.shape.to_string());
        if (mask == nullptr) {
            require(!parameters.scale, "Scale value must not be set when mask is not present");
            require(!parameters.causal_mask,
                    "Causal-mask softmax requires an attention mask (is_causal_mask=true with no mask is "
                    "unsupported).");
            return;
        }
        const Shape& shape = mask->shape;
        require(mask->layout == Layout::TILE || !parameters.mask_for_all,
                "Mask must have TILE layout for scale causal mask HW dims softmax");
        const auto require_batches = [&] {
            require(shape[0] == input.shape[0] || (parameters.mask_for_all && parameters.in_shards),
                    "Input and mask batch sizes must match, got");
        };
        if (parameters.in_shards && is_floating_point(mask->dtype) && is_row_in_pieces(*mask, input.shape))
            return require_batches();
        if (mask->layout != Layout::TILE || !is_floating_point(mask->dtype) || shape.rank() != 4 ||
            shape[3] != input.shape[3] || (shape[1] != 1 && shape[1] != input.shape[1])) {
            refuse(kOperation, "mask",
                   "floating point tiles [" + std::to_string(input.shape[0]) + ", 1, rows, " +
                       std::to_string(input.shape[3]) + "]",
                   shape.to_string());
        }
        require_batches();
        require(mask->memory_config.is_sharded() || shape[1] == 1 || !parameters.in_place,
                "Non-sharded mask intermediate dimensions must be 1, got ", shape[1], " at dimension 1.");
        require(parameters.in_place || mask->padded_shape()[2] == kTileHeight,
                "Mask height must be 1 or input tensor tile height (32), got: ", mask->padded_shape()[2]);
        // One for all batches and heads begins again where it ends, tile by tile through all of them.
        const bool repeats =
            parameters.mask_for_all && shape[2] % kTileHeight == 0 && input.shape[2] % kTileHeight == 0;
        if (shape[2] != 1 && shape[2] != input.shape[2] && shape[2] != kTileHeight && !repeats) {
            refuse(kOperation, "mask", "1, 32 or " + std::to_string(input.shape[2]) + " rows",
                   shape.to_string());
        }
    }

    void validate_shards(const TensorSpec& input, const TensorSpec* mask) const {
        const SoftmaxShardedMultiCoreProgramConfig& config = *parameters.in_shards;
        require(input.memory_config.is_sharded(), "softmax: program_config: expected an input in shards");
        if (parameters.mask_for_all) {
            require(parameters.scale.has_value(),
                    "Scale value is required for scale causal mask HW dims softmax");
            if (mask->shape[0] != 1 || mask->shape[1] != 1)
                refuse("softmax", "mask", "one for all batches and heads", mask->shape.to_string());
        }
        const CoreCoord grid = config.compute_with_storage_grid_size;
        const ShardSpec& shard = *input.memory_config.shard_spec;
        require(grid.x > 0 && grid.y > 0 && config.block_w > 0 && config.subblock_w > 0 &&
                    config.block_w % config.subblock_w == 0,
                "block_w must be divisible by subblock_w.");
        require(shard.shape[0] == config.block_h * kTileHeight, "block_h (", config.block_h,
                ") must match the shard height in tiles (", shard.shape[0] / kTileHeight, ").");
        const std::uint64_t rows = input.tile_rows();
        const std::uint64_t columns = input.tile_columns();
        const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        // Only beside an interleaved mask of each batch TT-NN insists on a shard for each core.
        const bool all_cores =
            mask != nullptr && !parameters.mask_for_all && !mask->memory_config.is_sharded();
        require(columns == config.block_w &&
                    (all_cores ? rows == cores * config.block_h : rows <= cores * config.block_h),
                "number of shards must equal to number of cores. M = ", rows * kTileHeight,
                ", K = ", columns * kTileWidth, ", block_w = ", config.block_w,
                ", block_h = ", config.block_h, ", num_cores = ", cores);
        require(mask == nullptr || !mask->memory_config.is_sharded() ||
                    (mask->shape == input.shape && mask->memory_config == input.memory_config),
                "softmax: mask: expected the shape and the shards of the input");
    }

    HostArray rows_of_mask(const HostArray& mask, const Shape& input) const {
        static constexpr std::array<std::uint32_t, 4> kFirst = {0, 0, 0, 0};
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        const Shape& shape = mask.shape();
        if (shape[3] != input[3]) return mask.reshaped({shape[0], 1, 1, input[3]});
        const std::uint32_t rows = input[2];
        if (shape[2] == 1 || shape[2] == rows) return mask;
        if (!parameters.causal_mask)
            return compute::sliced(mask, kFirst, kEach, {shape[0], shape[1], 1, shape[3]});
        const bool through_all = parameters.mask_for_all && rows % kTileHeight == 0;
        const std::uint32_t needed = through_all ? input[0] * input[1] * rows : rows;
        const std::array<std::uint32_t, 4> times = {1, 1, (needed + shape[2] - 1) / shape[2], 1};
        const HostArray repeated = compute::sliced(compute::repeated(mask, times), kFirst, kEach,
                                                   {shape[0], shape[1], needed, shape[3]});
        return through_all ? repeated.reshaped({input[0], input[1], rows, shape[3]}) : repeated;
    }
};

std::size_t position_of(int dim, std::size_t rank) {
    const int count = static_cast<int>(std::max<std::size_t>(rank, 1));
    require(dim >= -count && dim < count, "Dimension out of range (expected to be in range of [", -count,
            ", ", count - 1, "], but got ", dim, ")");
    return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

// Fewer than four dimensions are filled up for the program; the result gets its own again. `own`: whether the
// input was made for this, and goes before that.
Tensor over_four_dimensions(const Tensor& input, int dim, bool in_place, const MemoryConfig& memory_config,
                            bool numeric_stable, const OptionalComputeKernelConfig& kernels, bool own = false,
                            const OptionalSoftmaxProgramConfig& program_config = std::nullopt) {
    const Shape shape = input.shape();
    const std::size_t rank = shape.rank();
    const std::size_t missing = rank < 4 ? 4 - rank : 0;
    const std::size_t dimension = position_of(dim, rank) + missing - (rank == 0 ? 1 : 0);
    const bool in_nd_shards = input.memory_config().memory_layout == TensorMemoryLayout::ND_SHARDED;
    Tensor source = missing == 0   ? input
                    : in_nd_shards ? unscoped::unsqueeze_to_4D(input)  // by copies
                                   : reshape_view(input, shape.to_rank(4));
    note_config(program_config);
    const SoftmaxDeviceOperation operation{SoftmaxParameters{dimension, in_place, memory_config,
                                                             numeric_stable, false, std::nullopt, false,
                                                             program_config, false, kernels}};
    const Tensor result = in_place ? launch_into(operation, {source}, source) : launch(operation, {source});
    if (own) source.deallocate();
    require_view_of_shards(result, shape);  // TT-NN views it under the logical shape
    return reshape_view(result, shape);
}

Tensor launch_with_mask(SoftmaxParameters parameters, const Tensor& input, const OptionalTensor& mask) {
    std::vector<Tensor> inputs = {input};
    if (mask) inputs.push_back(*mask);
    const bool in_place = parameters.in_place;
    note_config(parameters.in_shards);
    const SoftmaxDeviceOperation operation{std::move(parameters)};
    return in_place ? launch_into(operation, std::move(inputs), input) : launch(operation, std::move(inputs));
}

Tensor with_scale_and_mask(const Tensor& input, std::optional<float> scale, const OptionalTensor& mask,
                           bool causal_mask, bool numeric_stable, const OptionalMemoryConfig& memory_config,
                           bool in_place, const OptionalComputeKernelConfig& kernels,
                           const OptionalSoftmaxProgramConfig& program_config = std::nullopt) {
    const SoftmaxParameters parameters{3,
                                       in_place,
                                       memory_config.value_or(input.memory_config()),
                                       numeric_stable,
                                       true,
                                       scale,
                                       causal_mask,
                                       program_config,
                                       false,
                                       kernels};
    // Only the program for shards reads such a mask as it is.
    if (!mask || !in_place || program_config || mask->storage_type() != StorageType::DEVICE ||
        !is_row_in_pieces(mask->spec(), input.shape())) {
        return launch_with_mask(parameters, input, mask);
    }
    if (causal_mask)
        refuse("scale_mask_softmax", "mask", "tiles where is_causal_mask", name_of(mask->layout()));
    const ScopedTensor tiles([&] {
        const ScopedTensor row(unscoped::reshape(*mask, Shape{mask->shape()[0], 1, 1, input.shape()[3]}));
        return unscoped::tilize_with_val_padding(*row, 0.0F);
    }());
    return launch_with_mask(parameters, input, *tiles);
}

Tensor of_nothing(const Tensor& input, const MemoryConfig& config) {
    return upload_filled({input.shape(), input.dtype(), input.layout(), config}, 0.0F, input.shared_device());
}

float scale_of(std::optional<std::uint32_t> head_size) {
    return head_size ? 1.0F / std::sqrt(static_cast<float>(*head_size)) : 1.0F;
}

}  // namespace

Tensor Softmax::body() const {
    require_on_device(input_tensor, "softmax", "input_tensor");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    if (input_tensor.shape().volume() == 0) return of_nothing(input_tensor, config);
    // TT-NN makes tiles of rows only if dim, once more counted in four dimensions, is the last of them.
    const std::size_t rank = input_tensor.shape().rank();
    if (input_tensor.layout() == Layout::TILE || rank > 4 || position_of(dim, rank) + 2 * (4 - rank) + 1 != 4)
        return over_four_dimensions(input_tensor, dim, false, config, numeric_stable, compute_kernel_config);
    return over_four_dimensions(
        unscoped::tilize_with_val_padding(input_tensor, -std::numeric_limits<float>::infinity(),
                                          input_tensor.memory_config()),
        dim, false, config, numeric_stable, compute_kernel_config, true);
}

Tensor SoftmaxInPlace::body() const {
    require_on_device(input_tensor, "softmax_in_place", "input_tensor");
    const std::size_t rank = input_tensor.shape().rank();
    if (rank != 4 || position_of(dim, rank) != rank - 1) {
        refuse("softmax_in_place", "dim", "the last of four dimensions",
               std::to_string(dim) + " of " + input_tensor.shape().to_string());
    }
    return over_four_dimensions(input_tensor, dim, true, input_tensor.memory_config(), numeric_stable,
                                compute_kernel_config, false, program_config);
}

Tensor ScaleMaskSoftmax::body() const {
    require_on_device(input_tensor, "scale_mask_softmax", "input_tensor");
    if (input_tensor.shape().volume() == 0)
        return of_nothing(input_tensor, memory_config.value_or(input_tensor.memory_config()));
    const Tensor result = with_scale_and_mask(input_tensor, scale, mask, is_causal_mask, numeric_stable,
                                              memory_config, false, compute_kernel_config);
    return reshape_view(result, input_tensor.shape());
}

Tensor ScaleMaskSoftmaxInPlace::body() const {
    require_on_device(input_tensor, "scale_mask_softmax_in_place", "input_tensor");
    const Tensor result = with_scale_and_mask(input_tensor, scale, mask, is_causal_mask, numeric_stable,
                                              std::nullopt, true, compute_kernel_config, program_config);
    return reshape_view(result, input_tensor.shape());
}

Tensor ScaleCausalMaskHwDimsSoftmaxInPlace::body() const {
    require_on_device(input_tensor, "scale_causal_mask_hw_dims_softmax_in_place", "input_tensor");
    require(!mask || input_tensor.shape().rank() != 4 || mask->shape()[0] != input_tensor.shape()[0] ||
                program_config.has_value(),
            "Scale causal mask HW dims softmax not supported in default program config");
    const Tensor result =
        launch_with_mask(SoftmaxParameters{3, true, input_tensor.memory_config(), numeric_stable, true, scale,
                                           true, program_config, true, compute_kernel_config},
                         input_tensor, mask);
    return reshape_view(result, input_tensor.shape());
}

namespace transformer {

// Without a mask the program can not scale: another one does.
Tensor AttentionSoftmax::body() const {
    require_on_device(tensor, "attention_softmax", "input_tensor");
    if (attention_mask) {
        return with_scale_and_mask(tensor, scale_of(head_size), attention_mask, is_causal(), true,
                                   memory_config, false, std::nullopt);
    }
    const ScopedTensor scaled(unscoped::multiply(tensor, scale_of(head_size)));
    return with_scale_and_mask(*scaled, std::nullopt, std::nullopt, is_causal(), true, memory_config, false,
                               std::nullopt);
}

Tensor AttentionSoftmaxInPlace::body() const {
    require_on_device(tensor, "attention_softmax_", "input_tensor");
    require(attention_mask.has_value(),
            "Cannot apply divide by sqrt(head_size) using in-place version when attention_mask is not set.");
    return with_scale_and_mask(tensor, scale_of(head_size), attention_mask, is_causal(), true, std::nullopt,
                               true, std::nullopt);
}

}  // namespace transformer

}  // namespace tilemeter
