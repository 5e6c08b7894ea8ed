// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/normalization.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/compute/normalization.hpp"
#include "runtime/compute/unary.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/normalization/internal/chosen_config.hpp"
#include "runtime/operations/normalization/internal/interleaved_norm_sizes.hpp"
#include "runtime/operations/normalization/internal/norm_operands.hpp"
#include "runtime/operations/normalization/internal/sharded_chip_norm.hpp"
#include "runtime/operations/normalization/internal/sharded_norm_program.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

/// All of a norm, or a stage of one whose rows are spread over chips.
enum class NormStage : std::uint8_t { kAll, kBeforeGather, kAfterGather };

struct LayerNormDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr bool kTakesNdShards = true;  // to refuse them in TT-NN's words
    static constexpr bool kKeepsProgramsByFreeL1 = true;
    static constexpr std::string_view kName = "LayerNormDeviceOperation";
    static constexpr std::string_view kAttributesName = "LayerNormParams";

    NormKind kind;
    float epsilon;
    MemoryConfig memory_config;
    OptionalOperands operands;
    OptionalLayerNormProgramConfig program_config;
    DeviceComputeKernelConfig kernels;
    NormStage stage = NormStage::kAll;
    OptionalDataType dtype{};                    ///< after gathering; none: the input's
    std::optional<UnaryWithParam> activation{};  ///< of each element of the result
    std::uint64_t most_l1_bytes = 0;             ///< of a core, for rows of interleaved tensors

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        const bool layer_norm = kind == NormKind::kLayerNorm;
        const std::string_view stage_name = stage == NormStage::kBeforeGather  ? "PRE_ALL_GATHER"sv
                                            : stage == NormStage::kAfterGather ? "POST_ALL_GATHER"sv
                                                                               : "NOT_DISTRIBUTED"sv;
        return std::make_tuple(layer_norm ? "LayerNormType::LAYERNORM"sv : "LayerNormType::RMSNORM"sv,
                               "DistributedLayerNormStage::" + std::string(stage_name), epsilon,
                               memory_config, program_text(), attribute_text(kernels), operands.weight,
                               operands.bias);
    }
    auto key_attributes() const {
        return std::make_tuple(kind, stage, epsilon, memory_config, operands.residual, operands.weight,
                               operands.bias, operands.reciprocals, uses_welford(), program_text(), kernels,
                               dtype, activation);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        if (input.shape.rank() < 1)
            refuse(operation_name(), "input_tensor", "at least one dimension", input.shape.to_string());
        if (input.layout != Layout::TILE)
            refuse(operation_name(), "input_tensor", "TILE layout", name_of(input.layout));
        require_dtype(input, "input_tensor");
        require(input.memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
                "Height sharded inputs are not supported.");
        if (input.memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED) {
            require(memory_config.is_sharded() &&
                        memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
                    "Sharded inputs require sharded outputs.");
            refuse_with("bad optional access: ", operation_name(),
                        ": input_tensor: expected shards of columns or blocks, got ",
                        input.memory_config.to_string());
        }
        if (stage == NormStage::kAll && input.memory_config.is_sharded()) require_shards(input);
        if (stage == NormStage::kAll && input.memory_config.is_sharded() &&
            input.memory_config != memory_config) {
            require(input.memory_config.memory_layout == memory_config.memory_layout,
                    "Input and output memory layouts must match, got input: TensorMemoryLayout::",
                    name_of(input.memory_config.memory_layout),
                    " vs output: TensorMemoryLayout::", name_of(memory_config.memory_layout));
            require_room_for_shard(input);
        }
        const OperandPlaces places(operands);
        if (const TensorSpec* residual = OperandPlaces::at(inputs, places.residual))
            require_residual(*residual, input);
        const TensorSpec* weight = OperandPlaces::at(inputs, places.weight);
        if (weight != nullptr) require_row(*weight, input, "weight");
        if (const TensorSpec* bias = OperandPlaces::at(inputs, places.bias)) {
            require_row(*bias, input, "bias");
            require(weight == nullptr || weight->layout == bias->layout || !input.memory_config.is_sharded(),
                    "Gamma and beta must have the same layout!");
        }
        if (stage != NormStage::kAll) require_stage(inputs);
        if (const auto* const config = config_of_shards(program_config)) require_program(*config, input);
        require(!uses_welford() || kind == NormKind::kLayerNorm,
                "Welford's algorithm is not supported for RMSNorm");
        require(!uses_welford() || stage == NormStage::kAll,
                "Welford's algorithm is not supported for distributed layernorm");
        if (input.memory_config.is_sharded()) require_senders(input.memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        if (stage == NormStage::kBeforeGather) return {means(inputs[0])};
        if (stage == NormStage::kAfterGather) {
            const LayerNormShardedMultiCoreProgramConfig* const config = config_of_shards(program_config);
            require(config == nullptr || memory_config.shard_spec, "bad optional access");
            if (config != nullptr && config->inplace) return {inputs[0]};
            return {
                TensorSpec{inputs[0].shape, dtype.value_or(inputs[0].dtype), Layout::TILE, memory_config}};
        }
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        const OperandPlaces places(operands);
        const NormOperands each{inputs[0], outputs[0], OperandPlaces::at(inputs, places.residual),
                                OperandPlaces::at(inputs, places.weight),
                                OperandPlaces::at(inputs, places.bias)};
        const TensorSpec* const reciprocals = OperandPlaces::at(inputs, places.reciprocals);
        if (stage != NormStage::kAll) {
            const SumsOfRows sums{kinds_of_means(), kernels.fp32_dest_acc_en};
            const StaticName factory = "ttnn::prim::LayerNormShardedProgramFactory";
            if (stage == NormStage::kBeforeGather)
                return {{factory, 1}, plan_sums_of_shards(each.input, each.output, each.residual, sums)};
            const bool in_place = config_of_shards(program_config)->inplace;
            return {{factory, 1},
                    plan_norm_by_sums(each.input, each.output, inputs[static_cast<std::size_t>(places.stats)],
                                      each.weight, each.bias, sums, places.stats,
                                      in_place ? 0 : static_cast<int>(inputs.size()))};
        }
        if (each.input.memory_config.is_sharded()) {
            const bool welford = by_welford() && each.input.dtype == DataType::FLOAT32;
            return {{"ttnn::prim::LayerNormShardedProgramFactory", 1},
                    plan_sharded_norm(each.input, each.output, each.residual, each.weight, each.bias,
                                      kind == NormKind::kLayerNorm, kernels.fp32_dest_acc_en,
                                      welford ? bytes_of_reciprocals(reciprocals, device) : 0,
                                      static_cast<int>(inputs.size()))};
        }
        const InterleavedNormSizes sizes(kind, kernels.fp32_dest_acc_en, by_welford(), each,
                                         device.arch == "BLACKHOLE", std::min(free_l1_bytes, most_l1_bytes));
        // TT-NN looks at these after it has found room.
        for (const TensorSpec* row : {each.weight, each.bias})
            if (row != nullptr && row->layout == Layout::TILE)
                require_row_of_tiles(*row, each.input, row == each.weight);
        const CoreRangeSet cores =
            split_work(inputs[0].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        std::vector<ProgramMemory> pieces = dataflow_buffers(sizes.in_order(), cores);
        if (sizes.takes_reciprocals()) {
            pieces.push_back(
                borrowed_buffer(bytes_of_reciprocals(reciprocals, device), cores, places.reciprocals));
        }
        return {{"ttnn::prim::LayerNormMultiCoreProgramFactory", 0}, std::move(pieces)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        if (stage == NormStage::kBeforeGather) return {compute_means(inputs, outputs[0])};
        if (stage == NormStage::kAfterGather) return {normalize_by_means(inputs, outputs[0])};
        const OperandPlaces places(operands);
        const std::uint64_t width = inputs[0]->shape()[-1];
        const auto floats = [&](int place) {
            std::vector<float> values;
            if (place < 0) return values;
            values.resize(width);
            inputs[static_cast<std::size_t>(place)]->read_floats(0, values);
            return values;
        };
        const std::vector<float> weight = floats(places.weight);
        const std::vector<float> bias = floats(places.bias);
        const HostArray* const residual =
            operands.residual ? inputs[static_cast<std::size_t>(places.residual)] : nullptr;
        const auto statistic = kind == NormKind::kLayerNorm ? compute::RowStatistic::kMeanAndVariance
                                                            : compute::RowStatistic::kMeanSquare;
        constexpr std::uint64_t kStepsOfNorm = 4;
        const std::uint64_t steps = kStepsOfNorm + (activation ? compute::steps_of(activation->op_type) : 0);
        return {compute::by_blocks(
            outputs[0].dtype, outputs[0].shape, width, steps,
            [&](std::uint64_t first, std::span<float> block) {
                inputs[0]->read_floats(first, block);
                if (residual != nullptr) {
                    const std::span<float> added = compute::block_room(0, block.size());
                    residual->read_floats(first, added);
                    compute::binary_each(compute::BinaryKind::kAdd, block.data(), added.data(), block);
                }
                compute::normalize_rows(statistic, block, width, epsilon, weight, bias);
                if (activation) compute::unary_in_place(activation->op_type, activation->parameters, block);
            })};
    }

private:
    std::uint32_t kinds_of_means() const { return kind == NormKind::kLayerNorm ? 2 : 1; }

    TensorSpec means(const TensorSpec& input) const {
        constexpr std::size_t kRank = 4;
        require(input.shape.rank() == kRank, "ShapeBase[] index out of range. 3 not in [-4, ",
                input.shape.rank(), ")");
        TensorSpec spec{input.shape, DataType::BFLOAT16, Layout::TILE, memory_config};
        spec.shape.set(-1, kinds_of_means() * kTileWidth);
        if (config_of_shards(program_config) == nullptr) return spec;
        spec.memory_config.shard_spec.reset();
        if (!memory_config.is_sharded()) return spec;
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const CoreCoord first = shard.grid.bounding_box().start;
        spec.memory_config.shard_spec =
            ShardSpec{CoreRange{first, first}, {shard.shape[0], spec.shape[-1]}, shard.orientation};
        return spec;
    }

    // In TT-NN's words: a shard is no larger than its part of the tensor.
    static void require_blocks(const ShardSpec& shards, std::uint64_t rows, std::uint64_t columns) {
        const std::uint64_t height = shards.shape[0] / kTileHeight, width = shards.shape[1] / kTileWidth;
        const auto require_width = [&](std::uint64_t cores, const char* name) {
            const std::uint64_t part = ceil_div(columns, cores);
            require(part == width, "block_w (", width, ") must equal to K (in tiles) / ", name, " (", part,
                    ")");
        };
        if (rows == height) return require_width(shards.grid.num_cores(), "num_cores");
        const CoreRange box = shards.grid.bounding_box();
        const bool by_rows = shards.orientation == ShardOrientation::ROW_MAJOR;
        std::uint64_t along = box.end.x - box.start.x + 1, down = box.end.y - box.start.y + 1;
        if (!by_rows) std::swap(along, down);
        require_width(along, by_rows ? "num_cores_c" : "num_cores_r");
        const char* const name = by_rows ? "num_cores_r" : "num_cores_c";
        const std::uint64_t part = ceil_div(rows, down);
        require(part == height, "block_h (", height, ") must equal ceil(Mt / ", name, ") (", part,
                "); Mt=", rows, ", ", name, "=", down);
    }

    // In TT-NN's words: into shards, from as many shards as there are cores.
    void require_shards(const TensorSpec& input) const {
        require(
            memory_config.is_sharded() && memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
            "Sharded inputs require sharded outputs.");
        const MemoryConfig& place = input.memory_config;
        if (!place.shard_spec) return;
        require_filled_box(*place.shard_spec);
        const auto [height, width] = place.shard_spec->shape;
        const Shape padded = input.padded_shape();
        const std::uint64_t columns = padded[-1], rows = columns == 0 ? 0 : padded.volume() / columns;
        const std::uint64_t cores = place.shard_spec->grid.num_cores();
        if (place.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
            const std::uint64_t down = ceil_div(rows, height), along = ceil_div(columns, width);
            require(down * along == cores, "Shard layout requires ", down, "x", along, " = ", down * along,
                    " shards but shard grid has ", cores, " cores");
        } else {
            require(cores * width >= columns && cores * width - columns < width, "Shard-padded width (",
                    cores, "x", width, " = ", cores * width, ") does not align with tensor width ", columns,
                    ": trailing pad ", cores * width - columns, " must be less than one shard width (", width,
                    ")");
        }
        require_blocks(*place.shard_spec, rows / kTileHeight, columns / kTileWidth);
    }

    // In TT-NN's words, where they are not those of all norms.
    void require_stage(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        const OperandPlaces places(operands);
        require(
            memory_config.is_sharded() && memory_config.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
            "Sharded inputs require sharded outputs.");
        const LayerNormShardedMultiCoreProgramConfig* const config = config_of_shards(program_config);
        require(config != nullptr, "std::get: wrong index for variant");
        const CoreRange box = input.memory_config.shard_spec->grid.bounding_box();
        const std::uint32_t columns = box.end.x - box.start.x + 1, rows = box.end.y - box.start.y + 1;
        const CoreCoord grid = config->compute_with_storage_grid_size;
        require(columns <= grid.x && rows <= grid.y, "shard_spec.grid size ", columns, "x", rows,
                " does not fit within program_config grid ", grid.x, "x", grid.y);
        require(input.padded_shape()[-2] == kTileHeight, "Only activations with batch size = ", kTileHeight,
                " are supported");
        if (const TensorSpec* stats = OperandPlaces::at(inputs, places.stats)) require_stats(*stats);
        require(input.memory_config.buffer_type == memory_config.buffer_type,
                "Input and output buffer types must match");
        require(input.memory_config.memory_layout == memory_config.memory_layout,
                "Input and output memory layouts must match");
    }
    void require_stats(const TensorSpec& stats) const {
        require(stats.memory_config.is_sharded(), "Stats must be sharded");
        require(stats.layout == Layout::TILE, "Only tile layout is supported for stats");
        require(stats.dtype == DataType::BFLOAT16, "Only bfloat16 is supported for stats");
        require(stats.tile_columns() % kinds_of_means() == 0,
                "Stats is expected to have E(x) and E(x^2) for each device stacked interleaved in the last "
                "dimension");
        const std::uint64_t cores = stats.memory_config.shard_spec->grid.num_cores();
        require(cores == 1, "Stats must be sharded with num_cores = 1, got: ", cores);
    }

    // The means of whole tiles, whose padding counts as zeros.
    HostArray compute_means(ArraysView inputs, const TensorSpec& output) const {
        std::vector<float> values = inputs[0]->to_floats();
        if (operands.residual) {
            const std::vector<float> more = inputs[1]->to_floats();
            std::transform(values.begin(), values.end(), more.begin(), values.begin(), std::plus<>());
        }
        const std::uint64_t width = inputs[0]->shape()[-1], row = output.shape[-1];
        const auto length = static_cast<double>(round_up(width, kTileWidth));
        std::vector<float> means(output.shape.volume());
        for (std::uint64_t i = 0; i < values.size() / width; ++i) {
            double sum = 0, squares = 0;
            for (std::uint64_t j = i * width; j < (i + 1) * width; ++j) {
                sum += values[j];
                squares += double{values[j]} * values[j];
            }
            if (kind == NormKind::kLayerNorm) means[i * row] = static_cast<float>(sum / length);
            means[(i + 1) * row - kTileWidth] = static_cast<float>(squares / length);
        }
        return HostArray::from_floats(means, output.dtype, output.shape);
    }

    HostArray normalize_by_means(ArraysView inputs, const TensorSpec& output) const {
        const OperandPlaces places(operands);
        const auto floats = [&](int place) {
            return place < 0 ? std::vector<float>() : inputs[static_cast<std::size_t>(place)]->to_floats();
        };
        std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> means = floats(places.stats);
        const std::vector<float> weight = floats(places.weight), bias = floats(places.bias);
        const std::uint64_t width = inputs[0]->shape()[-1];
        const std::uint64_t row = inputs[static_cast<std::size_t>(places.stats)]->shape()[-1];
        const std::uint64_t of_chip = kinds_of_means() * kTileWidth;
        for (std::uint64_t i = 0; i < values.size() / width; ++i) {
            double mean = 0, squares = 0;
            for (std::uint64_t chip = i * row; chip < (i + 1) * row; chip += of_chip) {
                if (kind == NormKind::kLayerNorm) mean += means[chip];
                squares += means[chip + of_chip - kTileWidth];
            }
            const auto chips = static_cast<double>(row / of_chip);
            mean /= chips;
            const double factor = 1 / std::sqrt(squares / chips - mean * mean + epsilon);
            for (std::uint64_t j = 0; j < width; ++j) {
                float& value = values[i * width + j];
                const double scaled = (value - mean) * factor * (weight.empty() ? 1.0 : weight[j]);
                value = static_cast<float>(scaled + (bias.empty() ? 0.0 : bias[j]));
            }
        }
        return HostArray::from_floats(values, output.dtype, output.shape);
    }

    // TT-NN takes another method only for sums in 32 bits.
    bool by_welford() const {
        return uses_welford() && kind == NormKind::kLayerNorm && kernels.fp32_dest_acc_en;
    }
    bool uses_welford() const {
        return program_config &&
               std::visit([](const auto& config) { return config.use_welford; }, *program_config);
    }
    std::string program_text() const {
        const LayerNormShardedMultiCoreProgramConfig* const config = config_of_shards(program_config);
        if (config == nullptr) return "LayerNormDefaultProgramConfig()";
        const CoreCoord grid = config->compute_with_storage_grid_size;
        return "LayerNormShardedMultiCoreProgramConfig(compute_with_storage_grid_size=" +
               std::to_string(grid.x) + "-" + std::to_string(grid.y) +
               ",subblock_w=" + std::to_string(config->subblock_w) +
               ",block_h=" + std::to_string(config->block_h) + ",block_w=" + std::to_string(config->block_w) +
               ",inplace=" + (config->inplace ? "1" : "0") + ")";
    }
    std::string_view operation_name() const {
        return kind == NormKind::kLayerNorm ? LayerNorm::kOperation.name : RmsNorm::kOperation.name;
    }
    void require_program(const LayerNormShardedMultiCoreProgramConfig& config,
                         const TensorSpec& input) const {
        if (!input.memory_config.is_sharded())
            refuse(operation_name(), "program_config", "an input in shards", input.memory_config.to_string());
        const ShardSpec& shard = *input.memory_config.shard_spec;
        const auto block = [](std::uint64_t rows, std::uint64_t columns) {
            return std::to_string(rows) + " x " + std::to_string(columns) + " tiles";
        };
        if (shard.shape[0] != config.block_h * kTileHeight || shard.shape[1] != config.block_w * kTileWidth) {
            refuse(operation_name(), "program_config: block_h, block_w",
                   "a shard, " + block(shard.shape[0] / kTileHeight, shard.shape[1] / kTileWidth),
                   block(config.block_h, config.block_w));
        }
        if (config.subblock_w == 0 || config.block_w % config.subblock_w != 0) {
            refuse(operation_name(), "program_config: subblock_w",
                   "a divisor of " + std::to_string(config.block_w), std::to_string(config.subblock_w));
        }
    }
    void require_residual(const TensorSpec& residual, const TensorSpec& input) const {
        constexpr const char* kArgument = "residual_input_tensor";
        if (residual.shape != input.shape)
            refuse(operation_name(), kArgument, input.shape.to_string(), residual.shape.to_string());
        if (residual.layout != Layout::TILE)
            refuse(operation_name(), kArgument, "TILE layout", name_of(residual.layout));
        require_dtype(residual, kArgument);
        if (input.memory_config.is_sharded() && residual.memory_config != input.memory_config) {
            refuse(operation_name(), kArgument, input.memory_config.to_string(),
                   residual.memory_config.to_string());
        }
    }
    // TT-NN's words: a core writes as many tiles of the result as it has of the input.
    void require_room_for_shard(const TensorSpec& input) const {
        const auto tiles_of = [](const ShardSpec& shard) {
            return std::uint64_t{shard.shape[0]} * shard.shape[1] / (kTileHeight * kTileWidth);
        };
        if (!input.memory_config.shard_spec || !memory_config.shard_spec) return;
        const std::uint64_t tile = tile_size(dtype.value_or(input.dtype)),
                            tiles = tiles_of(*input.memory_config.shard_spec),
                            room = tiles_of(*memory_config.shard_spec);
        require(tiles <= room, "DFB 'out' (entry_size ", tile, " * num_entries ", tiles, " = ", tile * tiles,
                " bytes) is larger than the per-bank allocation of its borrowed TensorParameter 'output' (",
                tile * room, " bytes).");
    }

    void require_dtype(const TensorSpec& spec, std::string_view argument) const {
        if (spec.dtype == DataType::FLOAT32 || spec.dtype == DataType::BFLOAT16 ||
            spec.dtype == DataType::BFLOAT8_B)
            return;
        require(
            argument != "input_tensor", operation_name(),
            ": Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: DataType::", name_of(spec.dtype));
        refuse(operation_name(), argument, "FLOAT32, BFLOAT16 or BFLOAT8_B", name_of(spec.dtype));
    }
    // In tiles the first row counts, of as many as a tile has; in rows they are 32 wide, one after the other.
    void require_row(const TensorSpec& row, const TensorSpec& input, std::string_view argument) const {
        const std::uint32_t padded = input.padded_shape()[-1];
        if (row.shape.rank() == 0) refuse(operation_name(), argument, "at least one dimension", "none");
        if (row.layout == Layout::TILE) {
            if (input.memory_config.is_sharded()) require_row_of_tiles(row, input, argument == "weight");
            return;
        }
        if (row.dtype != DataType::BFLOAT16 && row.dtype != DataType::FLOAT32)
            refuse(operation_name(), argument, "BFLOAT16 or FLOAT32", name_of(row.dtype));
        if (row.shape[-1] == kTileWidth && row.shape.volume() == padded) return;
        refuse(operation_name(), argument, "rows of 32, " + std::to_string(padded) + " elements in all",
               row.shape.to_string());
    }
    static void require_row_of_tiles(const TensorSpec& row, const TensorSpec& input, bool is_weight) {
        const std::string_view name = is_weight ? "gamma" : "beta";
        const std::uint32_t width = input.shape[-1], padded = input.padded_shape()[-1];
        const Shape row_padded = row.padded_shape();
        require(row_padded[-1] == padded && row.shape[-1] >= width, "Input and ", name,
                " padded widths must match and ", name,
                " logical width must be >= input logical width (otherwise valid input columns would be ",
                is_weight ? "multiplied" : "offset", " by ", name,
                " padding). Got input: logical[-1]=", width, " padded[-1]=", padded, " vs ", name,
                ": logical[-1]=", row.shape[-1], " padded[-1]=", row_padded[-1]);
        const std::uint32_t rows =
            row.shape.rank() < 2 ? kTileHeight : static_cast<std::uint32_t>(row_padded[-2]);
        require(rows == kTileHeight, is_weight ? "Gamma" : "Beta", " tensor height must equal tile height (",
                kTileHeight, "), got: ", rows);
    }
};

// The default settings of kernels.
DeviceComputeKernelConfig default_kernels(NormKind kind) {
    const bool layer_norm = kind == NormKind::kLayerNorm;
    return {.math_fidelity = MathFidelity::HiFi4,
            .math_approx_mode = !layer_norm,
            .fp32_dest_acc_en = layer_norm,
            .packer_l1_acc = false};
}

// The program leaves the sum where it read the first of the two.
void add_to(const Tensor& tensor, const Tensor& more) {
    note_write(tensor.buffer());
    if (is_planned_only()) return;
    std::shared_ptr<ChipValues> sums;
    if (tensor.has_values() && more.has_values()) {
        sums = std::make_shared<ChipValues>(*tensor.chip_values());
        const ChipValues& added = *more.chip_values();
        for (std::size_t chip = 0; chip < sums->size(); ++chip) {
            std::vector<float> values = (*sums)[chip].to_floats();
            const std::vector<float> other = added[added.size() == 1 ? 0 : chip].to_floats();
            std::transform(values.begin(), values.end(), other.begin(), values.begin(), std::plus<>());
            (*sums)[chip] = HostArray::from_floats(values, tensor.dtype(), (*sums)[chip].shape());
        }
    }
    tensor.shared_buffer()->set_values(std::move(sums));
}

}  // namespace

Tensor means_of_shards(const ShardedChipNorm& norm, const Tensor& input, const OptionalTensor& residual) {
    const LayerNormDeviceOperation operation{.kind = norm.kind,
                                             .epsilon = norm.epsilon,
                                             .memory_config = norm.memory_config,
                                             .operands = {.residual = residual.has_value()},
                                             .program_config = norm.program_config,
                                             .kernels = norm.kernels,
                                             .stage = NormStage::kBeforeGather};
    if (!residual) return launch(operation, {input});
    // A recorder notes what operations write into outputs, not what this one leaves in its input.
    require(call_recorder() == nullptr,
            "residual_input_tensor: expected none in a traced function, which would not see the sum that is "
            "written over the input");
    Tensor means = launch(operation, {input, *residual});
    add_to(input, *residual);
    return means;
}

Tensor normalized_shards(const ShardedChipNorm& norm, const Tensor& input, const Tensor& stats,
                         const OptionalTensor& weight, const OptionalTensor& bias) {
    const LayerNormDeviceOperation operation{
        .kind = norm.kind,
        .epsilon = norm.epsilon,
        .memory_config = norm.memory_config,
        .operands = {.weight = weight.has_value(), .bias = bias.has_value(), .stats = true},
        .program_config = norm.program_config,
        .kernels = norm.kernels,
        .stage = NormStage::kAfterGather,
        .dtype = norm.dtype};
    std::vector<Tensor> inputs{input};
    if (weight) inputs.push_back(*weight);
    if (bias) inputs.push_back(*bias);
    inputs.push_back(stats);
    const LayerNormShardedMultiCoreProgramConfig* const config = config_of_shards(norm.program_config);
    return config != nullptr && config->inplace ? launch_into(operation, inputs, input)
                                                : launch(operation, inputs);
}

namespace {

// The part that norms of rows have in common: `norm` is the definition of one.
template <typename Norm>
Tensor normalized_rows(NormKind kind, const Norm& norm, const OptionalTensor& recip_tensor,
                       const DeviceComputeKernelConfig& kernels,
                       const std::optional<UnaryWithParam>& activation) {
    const Tensor& input = norm.input_tensor;
    if (input.shape().volume() == 0) {
        require(kind == NormKind::kLayerNorm || input.layout() == Layout::TILE,
                "ttnn::rms_norm does not support ROW_MAJOR input tensors. Use TILE layout.");
        return unscoped::clone(input, std::nullopt, norm.memory_config.value_or(input.memory_config()));
    }
    std::vector<Tensor> inputs = {input};
    for (const OptionalTensor* operand :
         {&norm.residual_input_tensor, &norm.weight, &norm.bias, &recip_tensor}) {
        if (*operand) inputs.push_back(**operand);
    }
    const MemoryConfig& own = input.memory_config();
    MemoryConfig place = norm.memory_config.value_or(own);
    // Without shards of its own the input leaves open ones to be refused.
    if (own.shard_spec) {
        place = with_open_shards(std::move(place), input.spec(), input.shape(),
                                 input.device().description().compute_grid);
    }
    const LayerNormDeviceOperation operation{
        .kind = kind,
        .epsilon = norm.epsilon,
        .memory_config = std::move(place),
        .operands = {norm.residual_input_tensor.has_value(), norm.weight.has_value(), norm.bias.has_value(),
                     recip_tensor.has_value()},
        .program_config = norm.program_config,
        .kernels = kernels,
        .activation = activation,
        .most_l1_bytes = input.storage_type() == StorageType::DEVICE ? l1_for_tensors(input.device()) : 0};
    note_config(norm.program_config, own);
    const LayerNormShardedMultiCoreProgramConfig* const config = config_of_shards(norm.program_config);
    if (config != nullptr && config->inplace) return launch_into(operation, std::move(inputs), input);
    return launch(operation, std::move(inputs));
}

}  // namespace

template <NormKind kKind>
Tensor RowNorm<kKind>::call() const {
    return in_operation(*this, [&] {
        return normalized_rows(kKind, *this, recip_tensor,
                               compute_kernel_config.value_or(default_kernels(kKind)), std::nullopt);
    });
}

Tensor experimental::DitRmsNormUnaryFused::call() const {
    return in_operation(*this, [&] {
        std::optional<UnaryWithParam> function;
        if (activation) function = string_to_unary_with_param(*activation);
        DeviceComputeKernelConfig kernels = default_kernels(NormKind::kRmsNorm);
        kernels.fp32_dest_acc_en = input_tensor.dtype() == DataType::FLOAT32;
        return normalized_rows(NormKind::kRmsNorm, *this, std::nullopt,
                               compute_kernel_config.value_or(kernels), function);
    });
}

template struct RowNorm<NormKind::kLayerNorm>;
template struct RowNorm<NormKind::kRmsNorm>;

}  // namespace tilemeter
