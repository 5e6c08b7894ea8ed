// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/embedding.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kMaxChunkBytes = 1024 * 1024;  // of table rows, per core

/// Indices [batch, 1, 1, n] and table [1, 1, rows, width] to [batch, 1, n, width].
struct EmbeddingsDeviceOperation {
    static constexpr std::string_view kName = "EmbeddingsDeviceOperation";
    static constexpr std::string_view kAttributesName = "EmbeddingParams";
    static constexpr bool kMakesOutputsFirst = true;

    MemoryConfig memory_config;
    bool tilized;
    std::optional<int> padding_idx;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(memory_config, tilized,
                               padding_idx ? "EmbeddingsType::PADDED"sv : "EmbeddingsType::GENERIC"sv,
                               padding_idx);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& indices = inputs[0];
        const TensorSpec& table = inputs[1];
        if (indices.dtype != DataType::UINT32 && indices.dtype != DataType::BFLOAT16)
            refuse("embedding", "input_tensor", "UINT32 or BFLOAT16", name_of(indices.dtype));
        if (table.layout != Layout::ROW_MAJOR)
            refuse("embedding", "weight", "ROW_MAJOR layout", name_of(table.layout));
        require(table.dtype == DataType::BFLOAT16, "Weights tensor must have BFLOAT16 dtype");
        if (table.shape[0] != 1 || table.shape[1] != 1)
            refuse("embedding", "weight", "two dimensions that are not 1", table.shape.to_string());
        if (memory_config.is_sharded())
            refuse("embedding", "memory_config", "INTERLEAVED", name_of(memory_config.memory_layout));
    }

    TensorSpecs infer(SpecsView inputs) const {
        const std::uint32_t count = inputs[0].shape[-1];
        const std::uint64_t batch = count == 0 ? 1 : inputs[0].shape.volume() / count;
        return {TensorSpec{Shape{static_cast<std::uint32_t>(batch), 1, count, inputs[1].shape[-1]},
                           inputs[1].dtype, tilized ? Layout::TILE : Layout::ROW_MAJOR, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (inputs[0].layout == Layout::TILE) return plan_tiled_indices(inputs, device);
        return tilized ? plan_tiles(inputs, outputs, device) : plan_rows(inputs, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<std::int64_t> indices = inputs[0]->to_integers();
        const HostArray& table = *inputs[1];
        const std::int64_t rows = table.shape()[-2];
        HostArray result(table.dtype(), outputs[0].shape);
        const std::size_t row_bytes = table.shape()[-1] * table.stored_element_size();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            require(indices[i] >= 0 && indices[i] < rows, "embedding: input_tensor: expected indices below ",
                    rows, ", got ", indices[i]);
            const auto row =
                table.bytes().subspan(static_cast<std::size_t>(indices[i]) * row_bytes, row_bytes);
            std::copy(row.begin(), row.end(),
                      result.bytes().begin() + static_cast<std::ptrdiff_t>(i * row_bytes));
        }
        return {std::move(result)};
    }

private:
    ProgramPlan plan_tiles(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kMaxDoubleBuffered = 64;  // tiles
        const std::uint64_t in_tile = tile_size(inputs[1].dtype);
        const std::uint64_t width = inputs[1].shape[-1] / kTileWidth;
        const std::uint64_t index_bytes = kTileHeight * element_size(inputs[0].dtype);
        const bool in_chunks = width * (in_tile + tile_size(outputs[0].dtype)) + index_bytes >
                               device.l1_size - device.l1_unreserved_base;
        const std::uint64_t chunk = in_chunks ? largest_divisor(width, kMaxDoubleBuffered) : width;
        const std::uint64_t depth = chunk > kMaxDoubleBuffered ? 1 : 2;
        const std::uint64_t blocks = inputs[0].shape.volume() / kTileHeight;
        const CoreRangeSet cores = split_work(blocks, device.compute_grid, CoreWalk::kDownColumns).cores;
        ProgramPlan plan{
            {"ttnn::prim::EmbeddingsFusedProgramFactory", 0},
            dataflow_buffers({depth * chunk * in_tile, depth * chunk * tile_size(outputs[0].dtype)}, cores)};
        plan.memory.push_back(scratchpad(index_bytes, cores));
        push_padding_row(plan, inputs[1], cores);
        return plan;
    }

    ProgramPlan plan_rows(SpecsView inputs, const DeviceDescription& device) const {
        const WorkSplit split =
            split_work(inputs[0].shape.volume(), device.compute_grid, CoreWalk::kDownColumns);
        const std::uint64_t alignment = page_alignment(inputs[0].memory_config, device);
        const std::uint64_t row = round_up(inputs[1].shape[-1] * element_size(inputs[1].dtype), alignment);
        const std::uint64_t depth = split.most > 1 ? 2 : 1;
        const std::uint64_t most = kMaxChunkBytes / depth;
        const std::uint64_t chunk = row > most ? most / alignment * alignment : row;
        const std::uint64_t index_bytes = element_size(inputs[0].dtype);
        ProgramPlan plan{
            {"ttnn::prim::EmbeddingsRMProgramFactory", 1},
            {dataflow_buffer(depth * chunk, split.cores),
             scratchpad(alignment / index_bytes * round_up(index_bytes, kTileWidth), split.cores)}};
        push_padding_row(plan, inputs[1], split.cores);
        return plan;
    }

    // Each core reads a tile of indices and takes a face's row of them at a time.
    ProgramPlan plan_tiled_indices(SpecsView inputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kAtOnce = 16;
        const CoreRangeSet cores = cores_down_columns(ceil_div(inputs[0].shape.volume(), kAtOnce), device);
        const std::uint64_t row = round_up(inputs[1].shape[-1] * element_size(inputs[1].dtype), 32);
        ProgramPlan plan{{"ttnn::prim::EmbeddingsTilizedIndicesProgramFactory", 2},
                         {dataflow_buffer(2 * row, cores), scratchpad(tile_size(inputs[0].dtype), cores)}};
        push_padding_row(plan, inputs[1], cores);
        return plan;
    }

    // The row that stands for padding is kept at hand.
    void push_padding_row(ProgramPlan& plan, const TensorSpec& table, const CoreRangeSet& cores) const {
        if (!padding_idx) return;
        plan.memory.push_back(scratchpad(round_up(table.shape[-1] * element_size(table.dtype), 32), cores));
    }
};

Tensor written_into(const EmbeddingsDeviceOperation& operation, const Tensor& indices, const Tensor& table,
                    const Tensor& output, const Shape& result) {
    const TensorSpecs written = operation.infer(std::vector<TensorSpec>{indices.spec(), table.spec()});
    const TensorSpec expected{result, written[0].dtype, written[0].layout, output.memory_config()};
    const auto text = [](const TensorSpec& spec) {
        return spec.shape.to_string() + " " + std::string(name_of(spec.dtype)) + " " +
               std::string(name_of(spec.layout));
    };
    if (output.spec() != expected) refuse("embedding", "output_tensor", text(expected), text(output.spec()));
    TensorSpec as_written = output.spec();
    as_written.shape = written[0].shape;
    launch_into(operation, {indices, table},
                Tensor::on_device(std::move(as_written), output.shared_buffer(), true));
    return output;
}

Tensor run(const Tensor& indices, const Tensor& weight, std::optional<int> padding_idx,
           std::optional<Layout> layout, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) {
    require_on_device(indices, "embedding", "input_tensor");
    require_on_device(weight, "embedding", "weight");
    const Shape& shape = indices.shape();
    require(shape.rank() > 0 && weight.shape().rank() >= 2 && weight.shape().rank() <= 4,
            "embedding: expected indices of at least one dimension and a table of two, got ", shape, " and ",
            weight.shape());
    const std::uint32_t count = shape[-1];
    const std::uint32_t width = weight.shape()[-1];
    const auto batch = static_cast<std::uint32_t>(count == 0 ? 1 : shape.volume() / count);
    const bool tiled_indices = indices.layout() == Layout::TILE;
    const Layout wanted = layout.value_or(weight.layout());
    const bool tilized =
        wanted == Layout::TILE && !tiled_indices && count % kTileHeight == 0 && width % kTileWidth == 0;
    const Shape flat{batch, 1, 1, count};
    const bool tiled_table = weight.layout() == Layout::TILE;
    const ScopedTensor untilized(tiled_table ? unscoped::to_layout(weight, Layout::ROW_MAJOR) : Tensor());
    const Tensor flat_indices = tiled_indices || shape == flat ? indices : reshape_view(indices, flat);
    const Tensor& in_rows = tiled_table ? *untilized : weight;
    const Tensor table =
        in_rows.shape().rank() == 4 ? in_rows : reshape_view(in_rows, in_rows.shape().to_rank(4));
    const EmbeddingsDeviceOperation operation{memory_config.value_or(indices.memory_config()), tilized,
                                              padding_idx};
    const Shape result = shape.rank() == 1 ? Shape{count, width} : Shape{batch, count, width};
    if (output) return written_into(operation, flat_indices, table, *output, result);
    Tensor rows = reshape_view(launch(operation, {flat_indices, table}), result);
    if (rows.layout() != wanted) rows = unscoped::to_layout(rows, wanted);
    return rows;
}

}  // namespace

Tensor Embedding::body() const {
    return run(input_tensor, weight, padding_idx, layout, memory_config, output_tensor);
}

}  // namespace tilemeter
