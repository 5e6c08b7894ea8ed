// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/upsample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

void require_images(const TensorSpec& input, bool scales) {
    require(input.shape.rank() == 4 && scales,
            "upsample: expected [batch, height, width, channels] and factors that leave pixels, got ",
            input.shape);
    require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32,
            "upsample: input: expected BFLOAT16 or FLOAT32, got ", name_of(input.dtype));
    require(input.layout != Layout::TILE || input.padded_shape() == input.shape,
            "Tiled input must be tile-aligned (no padding difference)");
}

Shape larger(const Shape& shape, const std::array<std::uint32_t, 2>& scale) {
    return {shape[0], shape[1] * scale[0], shape[2] * scale[1], shape[3]};
}

std::uint32_t scaled(std::uint32_t size, float scale) {
    return static_cast<std::uint32_t>(std::floor(static_cast<float>(size) * scale));
}

// `pixel(row, column)`: where a pixel of the result comes from.
template <typename Pixel>
std::vector<HostArray> picked(const HostArray& input, const TensorSpec& output, Pixel pixel) {
    const std::vector<float> from = input.to_floats();
    const Shape& before = input.shape();
    const Shape& shape = output.shape;
    const std::uint64_t channels = shape[3];
    std::vector<float> to(shape.volume());
    float* target = to.data();
    for (std::uint32_t image = 0; image < shape[0]; ++image) {
        for (std::uint32_t row = 0; row < shape[1]; ++row) {
            for (std::uint32_t column = 0; column < shape[2]; ++column) {
                const auto [y, x] = pixel(row, column);
                const std::uint64_t stick = (std::uint64_t{image} * before[1] + y) * before[2] + x;
                target = std::copy_n(from.data() + stick * channels, channels, target);
            }
        }
    }
    return {HostArray::from_floats(to, output.dtype, shape)};
}

std::vector<HostArray> repeated(const HostArray& input, const TensorSpec& output,
                                const std::array<std::uint32_t, 2>& scale) {
    return picked(input, output, [&](std::uint32_t row, std::uint32_t column) {
        return std::pair{row / scale[0], column / scale[1]};
    });
}

// HEIGHT shards on the same cores, for what they hold then.
MemoryConfig shards_of(const MemoryConfig& config, std::uint64_t sticks, std::uint32_t channels) {
    MemoryConfig shards = config;
    shards.shard_spec->shape = {
        static_cast<std::uint32_t>(ceil_div(sticks, config.shard_spec->grid.num_cores())), channels};
    return shards;
}

// Runs of sticks that two readers fetch of each core's rows of the result: the most that one of them has. The
// first takes the larger half of the rows, whose sticks are written scale_width times.
std::uint32_t most_runs(const Shape& shape, std::uint32_t shard_height, std::uint32_t scale_height) {
    const std::uint64_t of_core = std::uint64_t{shard_height} * scale_height;
    std::uint64_t of_reader = (of_core + 1) / 2;
    std::uint64_t runs = 0, runs_before = 0, most = 0, taken = 0, offset = 0;
    bool begins = false;
    for (std::uint64_t row = 0; row < std::uint64_t{shape[0]} * shape[1]; ++row) {
        for (std::uint32_t again = 0; again < scale_height; ++again) {
            const std::uint64_t first = offset;
            for (std::uint32_t column = 0; column < shape[2]; ++column, ++offset, ++taken) {
                if (offset == shard_height) offset = 0;
                const bool full = taken == of_reader;
                begins = begins || offset == 0 || full;
                if (!begins) continue;
                if (full) {
                    if (of_core > 1) of_reader = of_core - of_reader;
                    taken = 0;
                    most = std::max(most, runs - runs_before);
                    runs_before = runs;
                }
                begins = false;
                ++runs;
            }
            if (again + 1 < scale_height) {
                offset = first;
                begins = true;
            }
        }
    }
    return static_cast<std::uint32_t>(std::max(most, runs - runs_before));
}

/// Pixels repeated, of interleaved images, ROW_MAJOR or whole tiles.
struct UpsampleDeviceOperation {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<std::uint32_t, 2> scale;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(scale[0], scale[1], std::string_view("nearest"), memory_config);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_images(input, scale[0] != 0 && scale[1] != 0);
        require(!input.memory_config.is_sharded() && !memory_config.is_sharded(),
                "upsample: expected interleaved tensors, got ", input.memory_config, " and ", memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {
            TensorSpec{larger(inputs[0].shape, scale), inputs[0].dtype, Layout::ROW_MAJOR, memory_config}};
    }

    // A row of sticks or of tiles at a time; two buffers where a core has several.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const bool tiled = input.layout == Layout::TILE;
        const WorkSplit work = split_work(tiled ? input.tile_rows() : num_rows(input), device.compute_grid,
                                          CoreWalk::kDownColumns);
        const std::uint64_t depth = work.most > 1 ? 2 : 1;
        const std::uint64_t row = tiled ? input.shape[3] / kTileWidth * tile_size(input.dtype)
                                        : round_up(row_bytes(input), device.dram_alignment);
        ProgramPlan plan{{"ttnn::prim::UpsampleMultiCoreInterleavedProgramFactory", 0}};
        plan.memory.assign(tiled ? 2 : 1, dataflow_buffer(depth * row, work.cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return repeated(*inputs[0], outputs[0], scale);
    }
};

/// The same where the images lie in shards of rows, and stay there.
struct UpsampleShards {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<std::uint32_t, 2> scale;

    auto attributes() const { return std::make_tuple(scale[0], scale[1], std::string_view("nearest")); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_images(input, scale[0] != 0 && scale[1] != 0);
        require(input.layout == Layout::ROW_MAJOR &&
                    input.memory_config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED,
                "upsample: input: expected ROW_MAJOR HEIGHT or BLOCK shards, got ", name_of(input.layout),
                " ", input.memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        MemoryConfig config = input.memory_config;
        config.shard_spec->shape[0] *= scale[0] * scale[1];
        return {TensorSpec{larger(input.shape, scale), input.dtype, Layout::ROW_MAJOR, std::move(config)}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint32_t kReaders = 2;
        constexpr std::uint32_t kWordsOfRun = 4;
        const TensorSpec& input = inputs[0];
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const std::uint32_t words = kReaders * kWordsOfRun * most_runs(input.shape, shard.shape[0], scale[0]);
        const auto shard_bytes = [&](const TensorSpec& spec) {
            const auto& [rows, columns] = spec.memory_config.shard_spec->shape;
            return rows * round_up(columns * element_size(spec.dtype), device.l1_alignment);
        };
        ProgramPlan plan{{"ttnn::prim::UpsampleMultiCoreShardedProgramFactory", 1}};
        plan.config_tensors = {window_table(input.memory_config, words, TableMemory::kL1Small)};
        plan.memory = {borrowed_buffer(shard_bytes(input), shard.grid, 0),
                       borrowed_buffer(shard_bytes(outputs[0]), shard.grid, 1),
                       borrowed_buffer(words * element_size(DataType::UINT16), shard.grid, 2)};
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return repeated(*inputs[0], outputs[0], scale);
    }
};

/// The nearest pixel by factors that may be broken, ROW_MAJOR.
struct UpsampleFloat {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<float, 2> scale;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(scale[0], scale[1], std::string_view("nearest"), memory_config);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require_images(input, scale[0] > 0 && scale[1] > 0 && input.shape.rank() == 4 &&
                                  scaled(input.shape[1], scale[0]) > 0 &&
                                  scaled(input.shape[2], scale[1]) > 0);
        const auto in_columns = [](const MemoryConfig& config) {
            return config.is_sharded() && config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED;
        };
        require(input.layout == Layout::ROW_MAJOR && !in_columns(input.memory_config) &&
                    !in_columns(memory_config),
                "upsample: broken factors: expected ROW_MAJOR tensors, interleaved or in HEIGHT shards, got ",
                name_of(input.layout), " ", input.memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const Shape shape{input.shape[0], scaled(input.shape[1], scale[0]), scaled(input.shape[2], scale[1]),
                          input.shape[3]};
        const std::uint64_t sticks = std::uint64_t{shape[0]} * shape[1] * shape[2];
        return {TensorSpec{
            shape, input.dtype, Layout::ROW_MAJOR,
            memory_config.is_sharded() ? shards_of(memory_config, sticks, shape[3]) : memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kSticks = 4;
        const TensorSpec& output = outputs[0];
        const std::uint64_t alignment = std::max(page_alignment(inputs[0].memory_config, device),
                                                 page_alignment(output.memory_config, device));
        const std::uint64_t stick = round_up(row_bytes(output), alignment);
        return {{"ttnn::prim::UpsampleNearestFloatProgramFactory", 3},
                {dataflow_buffer(kSticks * stick, cores_down_columns(num_rows(output), device))}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const auto source = [](std::uint32_t place, float factor, std::uint32_t size) {
            const auto pixel =
                static_cast<std::uint32_t>(std::floor(static_cast<double>(place) / double{factor}));
            return std::min(pixel, size - 1);
        };
        return picked(*inputs[0], outputs[0], [&](std::uint32_t row, std::uint32_t column) {
            return std::pair{source(row, scale[0], shape[1]), source(column, scale[1], shape[2])};
        });
    }
};

/// Between four pixels, of the halo of images in HEIGHT shards.
struct UpsampleBilinear {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    SlidingWindow window;
    std::uint32_t channels;
    DeviceComputeKernelConfig compute_config;

    auto attributes() const {
        return std::make_tuple(window, channels, std::string_view("bilinear"),
                               attribute_text(compute_config));
    }

    void validate(SpecsView) const {
        require(channels % kTileWidth == 0, "upsample: bilinear: channels: expected a multiple of 32, got ",
                channels);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape shape{window.batch, window.output_height(), window.output_width(), channels};
        return {TensorSpec{shape, inputs[0].dtype, Layout::ROW_MAJOR,
                           shards_of(inputs[0].memory_config, window.output_sticks(), channels)}};
    }

    // Four pixels at a time, twice: in parts of eight tiles of channels for one reader, whole for the other; and
    // the weights of the four.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription&) const {
        constexpr std::uint64_t kPixels = 2 * 4;
        constexpr std::uint64_t kMostChannels = 8 * kTileWidth;
        const std::uint64_t element = element_size(inputs[0].dtype);
        const std::uint64_t stick = channels * element;
        const CoreRangeSet& cores = inputs[0].memory_config.shard_spec->grid;
        const auto shared = [&](const TensorSpec& spec, int tensor) {
            ProgramMemory memory =
                circular_buffer(spec.memory_config.shard_spec->shape[0] * channels * element, cores);
            memory.shared_with = tensor;
            return memory;
        };
        return {
            {"ttnn::prim::UpsampleBilinearProgramFactory", 2},
            {shared(inputs[0], 0), circular_buffer(kPixels * std::min(stick, kMostChannels * element), cores),
             circular_buffer(kPixels * stick, cores), circular_buffer(2 * tile_size(inputs[0].dtype), cores),
             circular_buffer(2 * tile_size(inputs[0].dtype), cores), shared(outputs[0], 1)}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> from = kept_floats(window, *inputs[0]);
        const std::uint64_t stride = inputs[0]->shape()[-1];
        const std::vector<std::uint64_t> origins = window_rows(window);
        const std::vector<BetweenPixels> rows = between_pixels(window.height, window.scale_height);
        const std::vector<BetweenPixels> columns = between_pixels(window.width, window.scale_width);
        // Beyond the border is what is at it.
        const auto inside = [](const BetweenPixels& place,
                               std::uint32_t size) -> std::array<std::uint64_t, 2> {
            if (place.before < 0) return {1, 1};
            if (place.before + 1 >= size) return {0, 0};
            return {0, 1};
        };
        std::vector<float> to(outputs[0].shape.volume());
        float* target = to.data();
        for (std::size_t stick = 0; stick < origins.size(); ++stick) {
            const BetweenPixels& row = rows[stick / columns.size() % rows.size()];
            const BetweenPixels& column = columns[stick % columns.size()];
            const auto [above, below] = inside(row, window.height);
            const auto [left, right] = inside(column, window.width);
            const auto pixel = [&](std::uint64_t y, std::uint64_t x) {
                return from.data() + (origins[stick] + y * window.padded_width() + x) * stride;
            };
            const float *a = pixel(above, left), *b = pixel(above, right);
            const float *c = pixel(below, left), *d = pixel(below, right);
            for (std::uint32_t channel = 0; channel < channels; ++channel) {
                const float upper = a[channel] + (b[channel] - a[channel]) * column.behind;
                const float lower = c[channel] + (d[channel] - c[channel]) * column.behind;
                *target++ = upper + (lower - upper) * row.behind;
            }
        }
        return {HostArray::from_floats(to, outputs[0].dtype, outputs[0].shape)};
    }
};

using Scale = std::array<std::uint32_t, 2>;

// The same number of pixels on each core, on all cores if there are enough.
MemoryConfig shards_of_pixels(const Tensor& images) {
    const Shape& shape = images.shape();
    const CoreCoord grid = images.device().description().compute_grid;
    const std::uint64_t sticks = std::uint64_t{shape[0]} * shape[1] * shape[2];
    const std::uint64_t cores = std::min<std::uint64_t>(sticks, std::uint64_t{grid.x} * grid.y);
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{first_cores(cores, grid, true),
                      {static_cast<std::uint32_t>(ceil_div(sticks, cores)), shape[3]},
                      ShardOrientation::ROW_MAJOR}};
}

void require_bilinear(const Tensor& input) {
    require(input.shape().rank() == 4 && input.layout() == Layout::ROW_MAJOR,
            "upsample: bilinear: expected ROW_MAJOR [batch, height, width, channels], got ",
            name_of(input.layout()), " ", input.shape());
    require(input.dtype() == DataType::BFLOAT16, "Bilinear upsample requires BFLOAT16 input, got ",
            name_of(input.dtype()));
    const TensorMemoryLayout::Value layout = input.memory_config().memory_layout;
    require(!input.is_sharded() || layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "Bilinear upsample requires HEIGHT_SHARDED input tensor, got ", name_of(layout));
}

Tensor bilinear(const Tensor& input, const Scale& scale, const OptionalMemoryConfig& memory_config,
                const DeviceComputeKernelConfig& compute) {
    require_bilinear(input);
    const Shape& shape = input.shape();
    require(!memory_config || !input.is_sharded() || memory_config->is_sharded(), [&] {
        return "upsample: memory_config: expected none or shards for shards, got " +
               memory_config->to_string();
    });
    const ScopedTensor sharded(
        input.is_sharded() ? input : unscoped::to_memory_config(input, shards_of_pixels(input)));
    SlidingWindow window{shape[0], shape[1], shape[2], 2, 2};
    window.pad_top = window.pad_bottom = window.pad_left = window.pad_right = 1;
    window.cores_rows = static_cast<std::uint32_t>(sharded->memory_config().shard_spec->grid.num_cores());
    window.snap_to_tile = false;
    window.scale_height = scale[0];
    window.scale_width = scale[1];
    const ScopedTensor halo(
        launch(Halo{window, 0.0F, TableMemory::kL1Small, compute}, {flattened(*sharded)}));
    Tensor output = launch(UpsampleBilinear{window, shape[3], compute}, {*halo});
    if (memory_config && output.memory_config() != *memory_config)
        output = unscoped::to_memory_config(output, *memory_config);
    return output;
}

Tensor nearest(const Tensor& input, const std::array<float, 2>& factors, const std::optional<Scale>& scale,
               const OptionalMemoryConfig& memory_config) {
    const MemoryConfig to = memory_config.value_or(input.memory_config());
    if (!scale) return launch(UpsampleFloat{factors, to}, {input});
    if (!input.is_sharded()) return launch(UpsampleDeviceOperation{*scale, to}, {input});
    require(to.is_sharded(), "upsample: memory_config: expected none or shards for shards, got ", to);
    return launch(UpsampleShards{*scale}, {input});
}

}  // namespace

std::array<float, 2> Upsample::factors() const {
    if (const auto* both = std::get_if<float>(&scale_factor)) return {*both, *both};
    return std::get<std::array<float, 2>>(scale_factor);
}

Tensor Upsample::body() const {
    const auto [height, width] = factors();
    require_on_device(input_tensor, "upsample", "input_tensor");
    const auto whole = [](float factor) { return factor >= 1.0F && std::floor(factor) == factor; };
    std::optional<Scale> scale;
    if (whole(height) && whole(width))
        scale = Scale{static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width)};
    if (mode == "nearest") return nearest(input_tensor, factors(), scale, memory_config);
    require(mode == "bilinear", "upsample: mode: expected \"nearest\" or \"bilinear\", got \"", mode, "\"");
    require(scale.has_value(), "upsample: bilinear: scale_factor: expected whole factors, got ", height, ", ",
            width);
    return bilinear(input_tensor, *scale, memory_config, compute_kernel_config.value_or(kWindowCompute));
}

}  // namespace tilemeter
