// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/topk.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/order.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/fill_padding.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/leading_part.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/permute.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/scoped_tensor.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kLongestRow = 65536;

/// How the cores share a row of tiles: each looks for the best in its part, one more in what they found.
struct RowSplit {
    CoreCoord local;  ///< columns and rows of cores that have a part each
    std::uint64_t part_tiles = 0;
    std::uint64_t gathered_tiles = 0;  ///< of what they found, in all
};

constexpr std::uint64_t kNarrowestPart = 4;  // tiles

// The most cores whose findings are not more than four times as long as a part of the row.
std::optional<RowSplit> split_of_row(const TensorSpec& input, std::uint64_t k_tiles,
                                     const DeviceDescription& device) {
    constexpr std::uint64_t kMostTilesOfK = 2, kNarrowest = 32, kAlwaysShared = 256;
    const std::uint64_t width = input.tile_columns();
    if (k_tiles > kMostTilesOfK || width < kNarrowest || !std::has_single_bit(width) ||
        input.shape[-1] != width * kTileWidth)
        return std::nullopt;
    const std::uint32_t columns = std::bit_floor(device.compute_grid.x - 1);
    const std::uint32_t rows = std::bit_floor(device.compute_grid.y - 1);
    std::uint64_t count = std::uint64_t{columns} * rows;
    while (count > 1 && (width / count < kNarrowestPart || count * k_tiles > 4 * (width / count)))
        count /= 2;
    if (count < 2) return std::nullopt;
    const RowSplit split{{static_cast<std::uint32_t>(std::min<std::uint64_t>(count, columns)),
                          static_cast<std::uint32_t>(ceil_div(count, columns))},
                         width / count,
                         count * k_tiles};
    // One row after the other is shared; cores of their own would take them at the same time.
    const std::uint64_t shared_cost = input.tile_rows() * (split.part_tiles + split.gathered_tiles);
    if (width < kAlwaysShared && shared_cost >= width) return std::nullopt;
    return split;
}

ProgramPlan plan_split_rows(const TensorSpec& input, const RowSplit& split) {
    const std::uint64_t value = tile_size(input.dtype);
    const std::uint64_t wide = tile_size(DataType::BFLOAT16);  // of values being sorted, and of indices
    const CoreRange local_range{{0, 0}, {split.local.x - 1, split.local.y - 1}};
    const CoreRange last_range{{0, split.local.y}, {0, split.local.y}};
    const CoreRangeSet local({local_range}), last({last_range}), all({local_range, last_range});
    const std::uint64_t gathered = split.gathered_tiles * wide, part = split.part_tiles * wide;
    ProgramPlan plan{"ttnn::prim::TopKDeviceOperation::TopKMultiCoreProgramFactory", 1, {}, {}};
    const auto declare = [&](const CoreRangeSet& cores, std::initializer_list<std::uint64_t> sizes) {
        for (const std::uint64_t size : sizes)
            plan.memory.push_back(circular_buffer(size, cores));
    };
    declare(all, {kNarrowestPart * value, kNarrowestPart * wide, gathered, gathered, 2 * wide});
    declare(local, {part, part, 2 * wide});
    declare(last, {2 * value, gathered, gathered});
    return plan;
}

/// Over the last dimension of four.
class TopK : public DeviceOperationWith<TopK> {
public:
    static constexpr std::string_view kName = "TopKDeviceOperation";
    static constexpr std::string_view kAttributesName = "TopkParams";

    TopK(std::uint32_t k, bool largest, bool sorted, MemoryConfig memory_config)
        : k_(k), largest_(largest), sorted_(sorted), memory_config_(std::move(memory_config)) {}

    auto attributes() const {
        return std::make_tuple(k_tiles() * kTileWidth, -1, largest_, sorted_, memory_config_, k_);
    }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "input_tensor", "TILE layout",
                std::string(name_of(input.layout)));
        require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::BFLOAT8_B, "input_tensor",
                "BFLOAT16 or BFLOAT8_B", std::string(name_of(input.dtype)));
        require(input.shape[-1] <= kLongestRow, "input_tensor", "at most 65536 elements along dim",
                std::to_string(input.shape[-1]));
        require(k_ >= 1 && k_ <= input.shape[-1], "k", "1 to " + std::to_string(input.shape[-1]),
                std::to_string(k_));
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        Shape shape = inputs[0].shape;
        shape.set(-1, k_);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config_},
                TensorSpec{shape, DataType::UINT16, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const override {
        const TensorSpec& input = inputs[0];
        if (const std::optional<RowSplit> split = split_of_row(input, k_tiles(), device))
            return plan_split_rows(input, *split);
        const CoreRangeSet cores =
            split_work(input.tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        const std::uint64_t value = tile_size(input.dtype);
        const std::uint64_t wide = tile_size(DataType::BFLOAT16);  // of values being sorted, and of indices
        ProgramPlan plan{"ttnn::prim::TopKDeviceOperation::TopKSingleCoreProgramFactory", 0, {}, {}};
        for (const std::uint64_t size : {2 * value, 2 * wide, 4 * wide, 4 * wide, 2 * k_tiles() * wide,
                                         2 * k_tiles() * wide, k_tiles() * value, k_tiles() * wide}) {
            plan.memory.push_back(dataflow_buffer(size, cores));
        }
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const compute::Ordered best =
            compute::ordered_rows(inputs[0]->to_floats(), inputs[0]->shape()[-1], k_, largest_);
        return {HostArray::from_floats(best.values, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(best.places, outputs[1].dtype, outputs[1].shape)};
    }

private:
    std::uint64_t k_tiles() const { return ceil_div(k_, kTileWidth); }

    static void require(bool holds, std::string_view argument, const std::string& expected,
                        const std::string& found) {
        if (holds) return;
        throw RuntimeError("topk: " + std::string(argument) + ": expected " + expected + ", got " + found);
    }

    std::uint32_t k_;
    bool largest_;
    bool sorted_;
    MemoryConfig memory_config_;
};

// What TT-NN does with whole tiles of results, of which only k columns count.
Tensor counted_part(const Tensor& result) {
    return reshape_view(result, result.shape());
}

}  // namespace

std::vector<Tensor> topk(const Tensor& input_tensor, std::uint32_t k, int dim, bool largest, bool sorted,
                         const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("topk");
    return in_operation(
        kName, std::tie(input_tensor, k, dim, largest, sorted, memory_config), [&]() -> std::vector<Tensor> {
            require_on_device(input_tensor, "topk", "input_tensor");
            if (input_tensor.shape().rank() != 4) {
                throw RuntimeError("topk: input_tensor: expected four dimensions, got " +
                                   input_tensor.shape().to_string());
            }
            const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
            constexpr float kInfinity = std::numeric_limits<float>::infinity();
            const bool last = input_tensor.shape().position(dim) == 3;
            const ScopedTensor transposed(last ? Tensor() : untraced::transpose(input_tensor, dim, -1));
            const Tensor& source = last ? input_tensor : *transposed;
            const bool padded = has_padding(source);
            const bool copied = padded && is_block_float(source.dtype());
            const ScopedTensor copy(copied ? fill_padding(source, largest ? -kInfinity : kInfinity)
                                           : Tensor());
            const Tensor filled = copied   ? *copy
                                  : padded ? fill_padding(source, largest ? -kInfinity : kInfinity)
                                           : source;
            std::vector<Tensor> results = launch_all(TopK(k, largest, sorted, config), {filled});
            const bool whole = k % kTileWidth == 0;
            if (last) {
                if (!whole) {
                    for (Tensor& result : results)
                        result = counted_part(result);
                }
                return results;
            }
            if (!whole) {
                for (Tensor& result : results)
                    result = leading_part(result, result.shape(), config);
            }
            for (Tensor& result : results)
                result = untraced::transpose(result, dim, -1, input_tensor.memory_config());
            return results;
        });
}

}  // namespace tilemeter
