// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv3d.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/compute/parallel.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

using Three = std::array<std::uint32_t, 3>;

// Lists as TT-NN prints them.
std::string three_text(const Three& three) {
    return "{" + std::to_string(three[0]) + ", " + std::to_string(three[1]) + ", " +
           std::to_string(three[2]) + "}";
}

std::string config_text(const Conv3dConfig& config) {
    const CoreCoord grid = config.compute_with_storage_grid_size;
    return "Conv3dConfig(weights_dtype=" + attribute_text(config.weights_dtype) +
           ",output_layout=" + attribute_text(config.output_layout) +
           ",T_out_block=" + std::to_string(config.T_out_block) +
           ",W_out_block=" + std::to_string(config.W_out_block) +
           ",H_out_block=" + std::to_string(config.H_out_block) +
           ",C_out_block=" + std::to_string(config.C_out_block) +
           ",C_in_block=" + std::to_string(config.C_in_block) + ",dilation=" + three_text(config.dilation) +
           ",alignment=" + std::to_string(config.alignment) +
           ",compute_with_storage_grid_size=" + std::to_string(grid.x) + "-" + std::to_string(grid.y) +
           ",enable_fp32_operand_split=" +
           std::to_string(static_cast<int>(config.enable_fp32_operand_split)) + ")";
}

// The fewest channels in whole 16 of which what the kernel reads fills tiles, whether they divide the channels or not.
std::uint32_t smallest_block(std::uint32_t kernel_places) {
    constexpr std::uint32_t kUnit = 16;
    return kernel_places * kUnit % kTileWidth == 0 ? kUnit : kTileWidth;
}

struct Conv3dDeviceOperation {
    static constexpr std::string_view kName = "Conv3dDeviceOperation";
    static constexpr std::string_view kAttributesName = "Conv3dParams";

    Conv3dConfig config;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig compute_kernel_config;
    DataType dtype;
    std::uint32_t output_channels;
    Three kernel;
    Three stride;
    Three padding;
    Three dilation;
    bool replicates;
    std::uint32_t groups;

    auto attributes() const {
        return std::make_tuple(config_text(config), memory_config, compute_kernel_config, dtype,
                               output_channels, three_text(kernel), three_text(stride), three_text(padding),
                               three_text(dilation), std::string(replicates ? "replicate" : "zeros"), groups);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::uint32_t size_along(const Shape& volume, std::size_t axis) const {
        const std::uint32_t reach = dilation[axis] * (kernel[axis] - 1) + 1;
        return (volume.dimensions()[axis + 1] + 2 * padding[axis] - reach) / stride[axis] + 1;
    }
};

// TT-NN's words.
void Conv3dDeviceOperation::validate(SpecsView inputs, const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const TensorSpec& weights = inputs[1];
    require(input.shape.rank() == 5, "Activation tensor must have 5 dimensions. got ", input.shape.rank());
    require(input.layout == Layout::ROW_MAJOR, "Activation tensor must be row-major.");
    const auto is_taken = [](DataType type) {
        return type == DataType::BFLOAT16 || type == DataType::FLOAT32;
    };
    require(is_taken(input.dtype), "Activation tensor must be bfloat16 or float32. got ",
            name_of(input.dtype));
    require(is_taken(weights.dtype), "Weight tensor must be bfloat16 or float32. got ",
            name_of(weights.dtype));
    require(weights.layout == Layout::TILE, "Weight tensor must be tile.");
    require(input.dtype == weights.dtype, "Input and weight tensors must have the same dtype. got ",
            name_of(input.dtype), " vs ", name_of(weights.dtype));
    const std::uint32_t channels = input.shape[-1];
    if (inputs.size() > 2) {
        require(inputs[2].layout == Layout::TILE, "Bias tensor must be tiled.");
        require(inputs[2].dtype == input.dtype, "Bias tensor must have the same dtype as input tensor. got ",
                name_of(inputs[2].dtype), " vs ", name_of(input.dtype));
        require(inputs[2].shape.rank() == 2, "Bias tensor must have 2 dimensions. got ",
                inputs[2].shape.rank());
        require(inputs[2].shape[-1] == output_channels, "Bias must match output channels. got ",
                inputs[2].shape[-1], " vs ", output_channels);
    }
    require(groups != 0 && channels % groups == 0,
            "Input channels must be divisible by groups. Got input channels ", channels, " and groups ",
            groups);
    require(output_channels % groups == 0,
            "Output channels must be divisible by groups. Got output channels ", output_channels,
            " and groups ", groups);
    constexpr const char* kAxes[] = {"T", "H", "W"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        require(dilation[axis] >= 1 && stride[axis] >= 1 && kernel[axis] >= 1,
                "Dilation must be >= 1 for all dimensions. got (", dilation[0], ", ", dilation[1], ", ",
                dilation[2], ")");
        require(
            input.shape.dimensions()[axis + 1] + 2 * padding[axis] >= dilation[axis] * (kernel[axis] - 1) + 1,
            "Effective kernel size exceeds padded ", kAxes[axis], " dimension");
    }
    const auto whole_out = static_cast<std::uint32_t>(round_up(output_channels, kTileWidth));
    require(config.C_out_block == 0 ||
                (whole_out % config.C_out_block == 0 && config.C_out_block % kTileWidth == 0),
            "C_out_block must be a multiple of 32 and divide evenly into padded output channels (", whole_out,
            ")");
    const std::uint64_t patch = std::uint64_t{kernel[0]} * kernel[1] * kernel[2] * channels;
    require(weights.shape[0] == patch, "Weight patch size must match input patch size. got ",
            weights.shape[0], " vs ", patch);
    require(weights.shape[-1] == output_channels,
            "Weight output channels must match input output channels. got ", weights.shape[-1], " vs ",
            output_channels);
    const CoreCoord grid = config.compute_with_storage_grid_size;
    require(grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y, "Requested grid size (",
            grid.x, ", ", grid.y, ") exceeds device grid size (", device.compute_grid.x, ", ",
            device.compute_grid.y, ")");
    require(channels % config.C_in_block == 0, "Input channels (", channels,
            ") must be divisible by C_in_block (", config.C_in_block, ")");
    require(config.C_in_block % device.l1_alignment == 0, "C_in_block (", config.C_in_block,
            ") must be a multiple of ", device.l1_alignment);
    require(channels / config.C_in_block <= grid.x * grid.y, "Number of C_in blocks (",
            channels / config.C_in_block, ") must be <= the number of cores (", grid.x * grid.y, ")");
}

TensorSpecs Conv3dDeviceOperation::infer(SpecsView inputs) const {
    const Shape& volume = inputs[0].shape;
    TensorSpec spec{Shape{volume[0], size_along(volume, 0), size_along(volume, 1), size_along(volume, 2),
                          output_channels},
                    dtype, Layout::ROW_MAJOR, memory_config};
    spec.alignment = {1, static_cast<std::uint32_t>(round_up(output_channels, kTileWidth))};
    return {spec};
}

// Each core gathers what a block of places reads (a row of it for each place), makes tiles of it, multiplies, and makes
// rows of the product; cores with other channels of the same places send their sums.
ProgramPlan Conv3dDeviceOperation::plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
    constexpr std::uint64_t kLeftForKernels = 200 * 1024;
    constexpr std::uint64_t kMostGathered = 500 * 1024;
    const TensorSpec& input = inputs[0];
    const CoreCoord size = config.compute_with_storage_grid_size;
    const CoreRangeSet cores(CoreRange{{0, 0}, {size.x - 1, size.y - 1}});
    const std::uint64_t element = element_size(input.dtype);
    const std::uint64_t tile = tile_size(input.dtype);
    const std::uint64_t block_in = config.C_in_block;
    const std::uint64_t blocks_in = input.shape[-1] / block_in;
    const std::uint64_t block_out =
        config.C_out_block != 0 ? config.C_out_block : round_up(output_channels, kTileWidth);
    const std::uint64_t patch = std::uint64_t{kernel[0]} * kernel[1] * kernel[2] * block_in;
    const std::uint64_t places = std::uint64_t{config.T_out_block} * config.H_out_block * config.W_out_block;
    const std::uint64_t rows = ceil_div(places, kTileHeight);
    const std::uint64_t inner = ceil_div(patch, kTileWidth);
    const std::uint64_t columns = ceil_div(block_out, kTileWidth);
    const std::uint64_t registers = compute_kernel_config.fp32_dest_acc_en ? 4 : 8;
    const std::uint64_t wide = std::min(columns, registers);
    const bool takes_rows = device.arch == "WORMHOLE_B0" && wide == columns;

    const std::uint64_t gathered_rows =
        std::min<std::uint64_t>(places, places % kTileHeight == 0 ? kTileHeight : 2 * kTileHeight);
    const bool wide_sums = compute_kernel_config.fp32_dest_acc_en && blocks_in > 1;
    const std::uint64_t product = rows * columns * tile;
    const std::uint64_t sums = rows * columns * tile_size(wide_sums ? DataType::FLOAT32 : input.dtype);
    std::vector<std::uint64_t> sizes{round_up(patch, kTileWidth) * element * gathered_rows, inner * tile,
                                     inner * columns * tile, sums, product};
    if (blocks_in > 1) {
        sizes.push_back(sums);
        sizes.push_back(tile);
    }
    if (wide_sums && input.dtype == DataType::FLOAT32) sizes.push_back(product);
    if (inputs.size() > 2) sizes.push_back(columns * tile);
    // Rows that begin at unaligned places of DRAM are read around.
    const std::uint64_t in_row = config.C_in_block * element;
    if (input.memory_config.buffer_type == BufferType::DRAM && in_row % device.dram_alignment != 0)
        sizes.push_back(round_up(in_row, device.dram_alignment) + 2 * device.dram_alignment);
    const std::uint64_t span = device.l1_size - device.l1_unreserved_base;
    const auto all_of = [&] { return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}); };
    require(
        all_of() <= span, "conv3d: the static circular buffers need ", all_of(),
        " B at out_subblock_h=1 (M_t=", rows, ", K_t=", inner, ", N_t=", columns, ", C_in blocks=", blocks_in,
        ") but only ", span,
        " B of L1 lie above the allocator base; shrink the blocking (C_in_block, C_out_block, T/H/W_out_block)");
    // As many rows of tiles at a time as there are registers for, and room.
    if (takes_rows) {
        const std::uint64_t room = (span - all_of()) / sizes[1];
        sizes[1] *= largest_divisor(rows, std::min(registers / wide, 1 + room));
    }
    // The input under a block of places lies in L1 as a whole, where there is room for it.
    const bool overlaps = kernel[0] * kernel[1] * kernel[2] > 1 && dilation == Three{1, 1, 1};
    const std::uint64_t taken = all_of();
    const std::uint64_t room = span - kLeftForKernels;
    const std::uint64_t left = taken < room ? std::min(room - taken, kMostGathered) : 0;
    const std::uint64_t read = std::uint64_t{(config.T_out_block - 1) * stride[0] + kernel[0]} *
                               ((config.H_out_block - 1) * stride[1] + kernel[1]) *
                               ((config.W_out_block - 1) * stride[2] + kernel[2]) * block_in * element;
    if (overlaps && read <= left) sizes.push_back(read);
    ProgramPlan plan{{"ttnn::experimental::prim::Conv3dProgramFactory", 0}};
    for (const std::uint64_t each : sizes)
        plan.memory.push_back(circular_buffer(each, cores));
    return plan;
}

std::vector<HostArray> Conv3dDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& volume = inputs[0]->shape();
    const Shape& result = outputs[0].shape;
    const std::vector<float> values = inputs[0]->to_floats();
    const std::vector<float> weights = inputs[1]->to_floats();
    const std::vector<float> bias = inputs.size() > 2 ? inputs[2]->to_floats() : std::vector<float>();
    const std::size_t out = output_channels;
    const std::size_t channels = volume[-1];
    const std::size_t block = config.C_in_block;
    const std::size_t kernel_places = std::size_t{kernel[0]} * kernel[1] * kernel[2];
    std::vector<float> sums(result.volume(), 0.0F);
    // The place that the volume is read at, or none where zeros are.
    const auto inside = [&](std::size_t axis, std::uint32_t at, std::uint32_t in_kernel) -> std::int64_t {
        const std::int64_t size = volume.dimensions()[axis + 1];
        const std::int64_t place =
            std::int64_t{at} * stride[axis] + std::int64_t{in_kernel} * dilation[axis] - padding[axis];
        if (replicates) return std::clamp<std::int64_t>(place, 0, size - 1);
        return place < 0 || place >= size ? -1 : place;
    };
    const std::size_t places = result.volume() / std::max<std::size_t>(out, 1);
    const auto one_place = [&](std::size_t index) {
        float* const sum = sums.data() + index * out;
        if (!bias.empty()) std::copy_n(bias.begin(), out, sum);
        const auto x = static_cast<std::uint32_t>(index % result[3]);
        const auto y = static_cast<std::uint32_t>(index / result[3] % result[2]);
        const auto t = static_cast<std::uint32_t>(index / result[3] / result[2] % result[1]);
        const std::size_t image = index / result[3] / result[2] / result[1];
        for (std::size_t k = 0; k < kernel_places; ++k) {
            const std::int64_t in_t = inside(0, t, static_cast<std::uint32_t>(k / kernel[2] / kernel[1]));
            const std::int64_t in_y = inside(1, y, static_cast<std::uint32_t>(k / kernel[2] % kernel[1]));
            const std::int64_t in_x = inside(2, x, static_cast<std::uint32_t>(k % kernel[2]));
            if (in_t < 0 || in_y < 0 || in_x < 0) continue;
            const std::size_t from = (((image * volume[1] + static_cast<std::size_t>(in_t)) * volume[2] +
                                       static_cast<std::size_t>(in_y)) *
                                          volume[3] +
                                      static_cast<std::size_t>(in_x)) *
                                     channels;
            for (std::size_t c = 0; c < channels; ++c) {
                // Rows of weights: blocks of channels, places of the kernel, channels of a block.
                const std::size_t row = (c / block * kernel_places + k) * block + c % block;
                const float value = values[from + c];
                const float* const weight = weights.data() + row * out;
                for (std::size_t o = 0; o < out; ++o)
                    sum[o] += value * weight[o];
            }
        }
    };
    compute::parallel_for(places, std::uint64_t{places} * kernel_places * channels * out, one_place);
    return {HostArray::from_floats(sums, outputs[0].dtype, result)};
}

// Each group's weights among zeros of all other groups' channels.
Tensor with_all_channels(const Tensor& weights, std::uint32_t groups) {
    TensorSpec spec = weights.spec();
    spec.shape.set(1, spec.shape[1] * groups);
    return changed_on_host(weights, spec, [groups, whole = spec.shape](const HostArray& given) {
        const Shape& part = given.shape();
        const std::size_t places = std::size_t{part[2]} * part[3] * part[4];
        const std::size_t bytes = places * part[1] * given.stored_element_size();
        HostArray spread(given.dtype(), whole);
        const std::size_t of_group = std::max<std::size_t>(part[0] / groups, 1);
        for (std::size_t out = 0; out < part[0]; ++out) {
            const std::size_t group = std::min<std::size_t>(out / of_group, groups - 1);
            std::memcpy(spread.bytes().data() + (out * groups + group) * bytes,
                        given.bytes().data() + out * bytes, bytes);
        }
        return spread;
    });
}

Tensor prepared_rows(const Tensor& weights, std::uint32_t groups, std::uint32_t channels_of_block,
                     std::uint32_t alignment, const std::shared_ptr<Device>& device) {
    require(weights.storage_type() == StorageType::HOST, "Unprepared weight tensor must be on host");
    require(weights.shape().rank() == 5,
            "prepare_conv3d_weights: weight_tensor: expected five dimensions, got ", weights.shape());
    require(device != nullptr, "Device must be provided when weight tensor is unprepared (rank 5)");
    require(alignment != 0, "prepare_conv3d_weights: alignment: expected at least 1, got 0");
    const Tensor all = groups > 1 ? with_all_channels(weights, groups) : weights;
    ScopedTensor rows(upload(all, device, DRAM_MEMORY_CONFIG));
    rows = unscoped::permute(*rows, {2, 3, 4, 1, 0});
    const std::uint32_t lacking = (alignment - rows->shape()[3] % alignment) % alignment;
    if (lacking != 0) rows = unscoped::pad(*rows, {{0, 0}, {0, 0}, {0, 0}, {0, lacking}, {0, 0}});
    const Shape shape = rows->shape();
    const std::uint32_t block =
        channels_of_block == 0 ? smallest_block(shape[0] * shape[1] * shape[2]) : channels_of_block;
    require(shape[3] % block == 0, "C_in_aligned must be divisible by C_in_block");
    rows = unscoped::reshape(*rows, Shape{shape[0], shape[1], shape[2], shape[3] / block, block, shape[4]});
    rows = unscoped::permute(*rows, {3, 0, 1, 2, 4, 5});
    rows = unscoped::reshape(*rows, Shape{shape[0] * shape[1] * shape[2] * shape[3], shape[4]});
    return rows.take();
}

}  // namespace

Tensor experimental::PrepareConv3dWeights::body() const {
    return prepared_rows(weight_tensor, groups, C_in_block, alignment, device);
}

Tensor experimental::Conv3d::body() const {
    require_on_device(input_tensor, "conv3d", "input_tensor");
    require_none(halo_buffer, "conv3d", "halo_buffer");
    require_none(pad_offset_tensor, "conv3d", "pad_offset_tensor");
    require_none(weight_lo_tensor, "conv3d", "weight_lo_tensor");
    require_modelled(
        logical_h_mask == 0 && logical_w_mask == 0 && output_pad_h == 0 && output_pad_w == 0,
        "conv3d: logical_h_mask, logical_w_mask, output_pad_h and output_pad_w: expected 0, others are not modelled");
    require(padding_mode == "zeros" || padding_mode == "replicate",
            "Padding mode must be zeros or replicate. got ", padding_mode);
    Conv3dConfig blocks;
    if (config) {
        blocks = *config;
    } else {
        blocks.C_out_block = kTileWidth;
        blocks.dilation = dilation;
        blocks.compute_with_storage_grid_size = input_tensor.device().description().compute_grid;
    }
    require(!blocks.enable_fp32_operand_split,
            "conv3d: config: expected enable_fp32_operand_split=False, got True");
    if (blocks.C_in_block == 0)
        blocks.C_in_block = smallest_block(kernel_size[0] * kernel_size[1] * kernel_size[2]);
    const Three none{1, 1, 1};
    require(blocks.dilation == none || dilation == none || blocks.dilation == dilation,
            "dilation in Conv3dConfig and op args must match when both are set.");
    const std::size_t rank = weight_tensor.shape().rank();
    require(rank == 2 || rank == 5, "Unsupported weight tensor rank: ", rank);
    ScopedTensor weights(
        rank == 2 ? weight_tensor
                  : prepared_rows(weight_tensor, groups, blocks.C_in_block, blocks.alignment, device));
    if (weights->layout() != Layout::TILE) weights = unscoped::to_layout(*weights, Layout::TILE);
    const DeviceComputeKernelConfig kernels = compute_kernel_config.value_or(
        DeviceComputeKernelConfig{MathFidelity::HiFi2, true, false, false, false});
    const Conv3dDeviceOperation operation{blocks,
                                          memory_config.value_or(DRAM_MEMORY_CONFIG),
                                          kernels,
                                          dtype,
                                          output_channels,
                                          kernel_size,
                                          stride,
                                          padding,
                                          dilation == none ? blocks.dilation : dilation,
                                          padding_mode == "replicate",
                                          groups};
    if (bias_tensor) return launch(operation, {input_tensor, *weights, *bias_tensor});
    return launch(operation, {input_tensor, *weights});
}

}  // namespace tilemeter
