// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/sparse_matmul.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/compute/matmul.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/internal/matmul_sums.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

using Config = MatmulMultiCoreReuseMultiCast1DProgramConfig;

std::uint64_t batches_of(const Shape& shape) {
    std::uint64_t batches = 1;
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i)
        batches *= shape.dimensions()[i];
    return batches;
}

struct SparseMatmulDeviceOperation {
    static constexpr std::string_view kName = "SparseMatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "SparseMatmulParams";

    std::optional<std::uint32_t> nnz;
    bool is_a_sparse;
    bool is_b_sparse;
    Config config;
    MemoryConfig memory_config;
    DataType dtype;
    DeviceComputeKernelConfig kernels;

    bool takes_small_tiles(SpecsView) const { return true; }

    auto attributes() const {
        return std::make_tuple(nnz ? std::to_string(*nnz) : std::string("std::nullopt"), is_a_sparse,
                               is_b_sparse, to_string(MatmulProgramConfig(config)), memory_config, dtype,
                               attribute_text(kernels));
    }

    void validate(SpecsView inputs) const {
        const Shape a = inputs[0].padded_shape(), b = inputs[1].padded_shape();
        require(a[-1] == b[-2], "Dimension K (A.shape[-1] ", a[-1], ") and B.shape[-2] (", b[-2],
                ") must match for A and B");
        require(inputs[2].shape.volume() == num_pairs(inputs), [&] {
            const auto text = [](bool flag) { return std::string(flag ? "true" : "false"); };
            return "sparsity logical_volume (" + std::to_string(inputs[2].shape.volume()) +
                   ") must equal batch_length (" + std::to_string(num_pairs(inputs)) +
                   ") [sparsity_shape=" + inputs[2].shape.to_string() +
                   ", is_input_a_sparse=" + text(is_a_sparse) + ", is_input_b_sparse=" + text(is_b_sparse) +
                   "]";
        });
        require(!nnz || *nnz > 0, "nnz (", nnz.value_or(0), ") must be greater than 0");
        require(!nnz || *nnz <= num_pairs(inputs), "nnz (", nnz.value_or(0),
                ") must be less than or equal to the length of all batch dimensions (", num_pairs(inputs),
                ")");
        require_fitting(inputs);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape &a = inputs[0].shape, &b = inputs[1].shape;
        std::vector<std::uint32_t> extents;
        const auto add_batches = [&](const Shape& shape) {
            for (std::size_t i = 0; i + 2 < shape.rank(); ++i)
                extents.push_back(shape.dimensions()[i]);
        };
        if (!(is_a_sparse && is_b_sparse)) add_batches(a);
        if (!is_a_sparse || is_b_sparse) add_batches(b);
        extents.push_back(a[-2]);
        extents.push_back(b[-1]);
        TensorSpec spec{Shape(extents), dtype, Layout::TILE, memory_config};
        spec.tile = {inputs[0].tile.height, inputs[1].tile.width};
        return {spec};
    }

    // The first core reads which batches are made, and tells the others.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t steps = k_tiles(inputs) / config.in0_block_w;
        const std::uint64_t depth = rounds(inputs) * steps > 1 ? 2 : 1;
        const std::uint64_t block_h = config.out_block_h == 0 ? config.per_core_M : config.out_block_h;
        const std::uint64_t block_w = config.out_block_w == 0 ? config.per_core_N : config.out_block_w;
        const CoreRangeSet cores =
            first_cores(num_blocks(inputs), config.compute_with_storage_grid_size, true);
        const auto tile = [](const TensorSpec& spec) { return tile_size(spec.dtype, spec.tile); };
        const std::uint64_t places =
            round_up(row_bytes(inputs[2]), page_alignment(inputs[2].memory_config, device));
        ProgramPlan plan{{"ttnn::prim::SparseMatmulMultiCoreReuseMcast1DProgramFactory", 0},
                         {dataflow_buffer(block_h * config.in0_block_w * depth * tile(inputs[0]), cores),
                          dataflow_buffer(block_w * config.in0_block_w * depth * tile(inputs[1]), cores),
                          dataflow_buffer(places, CoreRange{}), dataflow_buffer(places, cores),
                          dataflow_buffer(block_h * block_w * tile(outputs[0]), cores)}};
        MatmulProblem problem;
        problem.a = inputs[0];
        problem.b = inputs[1];
        problem.output_dtype = dtype;
        problem.accumulates_in_fp32 = kernels.fp32_dest_acc_en;
        problem.packs_into_l1 = kernels.packer_l1_acc;
        const Sums sums(problem, steps > 1);
        if (sums.need_own_buffer())
            plan.memory.push_back(dataflow_buffer(block_h * block_w * sums.tile_bytes(), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape &a = inputs[0]->shape(), &b = inputs[1]->shape();
        const std::vector<float> left = inputs[0]->to_floats(), right = inputs[1]->to_floats();
        const std::vector<float> made = inputs[2]->to_floats();
        const std::uint64_t of_a = std::uint64_t{a[-2]} * a[-1], of_b = std::uint64_t{b[-2]} * b[-1];
        const std::uint64_t of_result = std::uint64_t{a[-2]} * b[-1], count_b = batches_of(b);
        std::vector<float> result(outputs[0].shape.volume(), 0.0F);
        for (std::uint64_t pair = 0; pair < made.size(); ++pair) {
            if (made[pair] == 0.0F) continue;
            const std::uint64_t at_a = is_a_sparse ? pair : pair / count_b;
            const std::uint64_t at_b = pair % count_b;
            compute::matmul({std::span(left).subspan(at_a * of_a, of_a), Shape{a[-2], a[-1]}},
                            {std::span(right).subspan(at_b * of_b, of_b), Shape{b[-2], b[-1]}},
                            std::span(result).subspan(pair * of_result, of_result));
        }
        return {HostArray::from_floats(result, outputs[0].dtype, outputs[0].shape)};
    }

private:
    std::uint64_t num_pairs(SpecsView inputs) const {
        const std::uint64_t a = batches_of(inputs[0].shape), b = batches_of(inputs[1].shape);
        return is_a_sparse ? (is_b_sparse ? b : a) : a * b;
    }
    // The number of times that a core goes through its part.
    std::uint64_t rounds(SpecsView inputs) const {
        const std::uint64_t a = batches_of(inputs[0].shape), b = batches_of(inputs[1].shape);
        return is_a_sparse ? (is_b_sparse ? b : a / b * b) : a * b;
    }
    static std::uint64_t k_tiles(SpecsView inputs) {
        return inputs[0].padded_shape()[-1] / inputs[0].tile.width;
    }
    std::uint64_t num_blocks(SpecsView inputs) const {
        const std::uint64_t m = inputs[0].padded_shape()[-2] / inputs[0].tile.height;
        const std::uint64_t n = inputs[1].padded_shape()[-1] / inputs[1].tile.width;
        return ceil_div(m, config.per_core_M) * ceil_div(n, config.per_core_N);
    }

    void require_fitting(SpecsView inputs) const {
        require(k_tiles(inputs) % config.in0_block_w == 0, "Kt (", k_tiles(inputs),
                ") must be divisible by in0_block_w (", config.in0_block_w, ")");
        const CoreCoord grid = config.compute_with_storage_grid_size;
        const std::uint64_t blocks = num_blocks(inputs), cores = std::uint64_t{grid.x} * grid.y;
        require(blocks <= cores, "Number of blocks exceeds number of cores available: ", blocks, " blocks > ",
                cores, " cores");
        require(config.mcast_in0, "Only mcast_in0 is supported for sparse matmul");
        const CoreRange box = first_cores(blocks, grid, true).bounding_box();
        const std::uint64_t in_box =
            std::uint64_t{box.end.x - box.start.x + 1} * (box.end.y - box.start.y + 1);
        require(blocks == in_box, "num_cores_with_work (", blocks,
                ") must be equal to in0_mcast_receiver_num_cores (", in_box,
                "), please adjust the core grid to make it rectangular.");
    }
};

}  // namespace

Tensor SparseMatmul::body() const {
    require_on_device(input_tensor_a, "sparse_matmul", "input_tensor_a");
    require_on_device(input_tensor_b, "sparse_matmul", "input_tensor_b");
    require_on_device(sparsity, "sparse_matmul", "sparsity");
    const auto* config = program_config ? std::get_if<Config>(&*program_config) : nullptr;
    require(config != nullptr,
            "sparse_matmul: program_config: expected MatmulMultiCoreReuseMultiCast1DProgramConfig");
    const Tile tile{input_tensor_a.spec().tile.height, input_tensor_b.spec().tile.width};
    require(output_tile.tile.value_or(tile) == tile,
            "sparse_matmul: output_tile: expected as high as those of a and as wide as those of b");
    const DataType to = dtype.value_or(input_tensor_a.dtype());
    const bool fp32 = to == DataType::FLOAT32;
    const SparseMatmulDeviceOperation operation{
        nnz,
        is_input_a_sparse,
        is_input_b_sparse,
        *config,
        memory_config.value_or(DRAM_MEMORY_CONFIG),
        to,
        compute_kernel_config.value_or(DeviceComputeKernelConfig{MathFidelity::LoFi, false, fp32, !fp32})};
    return launch_prepared(operation, {input_tensor_a, input_tensor_b, sparsity}, [](const Tensor& output) {
        unscoped::unary({UnaryOpType::FILL, {0.0F}}, output, output.memory_config(), output);
    });
}

}  // namespace tilemeter
