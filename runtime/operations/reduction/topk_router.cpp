// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/topk_router.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

#include "runtime/compute/matmul.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

constexpr std::uint32_t kRows = 32, kExperts = 128;
constexpr std::uint64_t kGroups = kExperts / kTileWidth;  // of cores: one per column of tiles
constexpr std::uint64_t kTile = 2048;                     // bytes, of bfloat16

void require_tiles(const char* what, const TensorSpec& spec) {
    require(spec.shape.rank() == 2, what, " tensor must be rank 2, got rank ", spec.shape.rank());
    require(spec.layout == Layout::TILE, what,
            " tensor must have TILE layout, got Layout::", name_of(spec.layout));
    require(spec.dtype == DataType::BFLOAT16, what,
            " tensor must have BFLOAT16 dtype, got DataType::", name_of(spec.dtype));
}

struct TopkRouterGptDeviceOperation {
    static constexpr bool kMakesOutputsFirst = false;
    static constexpr std::string_view kName = "TopkRouterGptDeviceOperation";

    std::uint32_t k;
    std::uint32_t num_experts;

    auto attributes() const { return std::tie(k, num_experts); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require_tiles("Input", inputs[0]);
        require_tiles("Weight", inputs[1]);
        require_tiles("Bias", inputs[2]);
        const Shape &input = inputs[0].shape, &weight = inputs[1].shape, &bias = inputs[2].shape;
        require(weight[0] == input[1], "Weight tensor dim 0 must match input hidden_dim ", input[1], ", got ",
                weight[0]);
        require(weight[1] == num_experts, "Weight tensor dim 1 must match num_experts ", num_experts,
                ", got ", weight[1]);
        require(bias[0] == input[0], "Bias tensor dim 0 must match batch size ", input[0], ", got ", bias[0]);
        require(bias[1] == num_experts, "Bias tensor dim 1 must match num_experts ", num_experts, ", got ",
                bias[1]);
        require(num_experts == kExperts,
                "topk_router_gpt only supports num_experts=128 (hardcoded 4-group architecture), got ",
                num_experts);
        require(input[1] % kTileHeight == 0, "Input hidden_dim must be divisible by 32 (tile size), got ",
                input[1]);
        require(input[0] >= 1 && input[0] <= kRows, "topk_router_gpt requires batch_size in [1, 32], got ",
                input[0]);
        require(k >= 1 && k <= kTileWidth, "topk_router_gpt requires k in range [1, 32], got ", k);
        require_modelled(input[0] == kRows, "topk_router_gpt: input_tensor: expected 32 rows, got ", input[0],
                         ", whose padded results are not modelled");
        const std::size_t cores = device.dram_bank_cores.size();
        require(cores >= 2 * kGroups && cores % kGroups == 0,
                "topk_router_gpt: dram_bank_cores: expected 8 or 12 in the description of ", device.name,
                ", found ", cores);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape shape{inputs[0].shape[0], k};
        return {TensorSpec{shape, DataType::UINT16, Layout::ROW_MAJOR, L1_MEMORY_CONFIG},
                TensorSpec{shape, DataType::BFLOAT16, Layout::ROW_MAJOR, L1_MEMORY_CONFIG}};
    }

    // The cores of a group share the rows of the weight; the last of them adds up what the others send, and
    // that of the first group finds the largest of all.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        std::vector<CoreCoord> cores;
        for (const DramBankCores& each : device.dram_bank_cores)
            cores.push_back(each.noc_0);
        std::sort(cores.begin(), cores.end(),
                  [](CoreCoord a, CoreCoord b) { return std::tie(a.y, a.x) > std::tie(b.y, b.x); });
        const std::uint64_t of_a_group = cores.size() / kGroups;
        std::vector<CoreCoord> last;
        for (std::size_t i = of_a_group - 1; i < cores.size(); i += of_a_group)
            last.push_back(cores[i]);
        const CoreRangeSet all = merge_cores_by_column(cores), collectors = merge_cores_by_column(last);
        const CoreRangeSet final_one(CoreRange{last[0], last[0]});
        const std::uint64_t part = ceil_div(inputs[0].tile_columns(), of_a_group) * kTile;
        const std::uint64_t results =
            2 * kRows * round_up(k * element_size(DataType::BFLOAT16), device.l1_alignment);
        ProgramPlan plan{{"ttnn::experimental::prim::TopkRouterGptProgramFactory", 0}};
        const auto add = [&](std::initializer_list<std::uint64_t> sizes, const CoreRangeSet& on) {
            for (const std::uint64_t size : sizes)
                plan.memory.push_back(circular_buffer(size, on));
        };
        add({part, part, (of_a_group - 1) * kTile, kTile}, all);
        add({kTile, kTile, kTile, kGroups * kTile, kGroups * kTile}, collectors);
        add({2 * kTile, kTile, kTile, kTile, kTile, kTile, 2 * kTile, results}, final_one);
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> input = inputs[0]->to_floats(), weight = inputs[1]->to_floats();
        const std::vector<float> bias = inputs[2]->to_floats();
        std::vector<float> logits =
            compute::matmul({input, inputs[0]->shape()}, {weight, inputs[1]->shape()});
        std::transform(logits.begin(), logits.end(), bias.begin(), logits.begin(), std::plus<>());
        std::vector<float> indices, weights;
        for (std::size_t row = 0; row < logits.size(); row += kExperts) {
            std::vector<std::size_t> order(kExperts);
            std::iota(order.begin(), order.end(), row);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
            order.resize(k);
            double sum = 0;
            for (const std::size_t each : order)
                sum += std::exp(static_cast<double>(logits[each]) - logits[order[0]]);
            for (const std::size_t each : order) {
                indices.push_back(static_cast<float>(each - row));
                weights.push_back(
                    static_cast<float>(std::exp(static_cast<double>(logits[each]) - logits[order[0]]) / sum));
            }
        }
        return {HostArray::from_floats(indices, outputs[0].dtype, outputs[0].shape),
                HostArray::from_floats(weights, outputs[1].dtype, outputs[1].shape)};
    }
};

}  // namespace

std::vector<Tensor> TopkRouterGpt::body() const {
    require_on_device(input_tensor, "topk_router_gpt", "input_tensor");
    return launch_all(TopkRouterGptDeviceOperation{k, num_experts},
                      {input_tensor, weight_tensor, bias_tensor});
}

}  // namespace tilemeter::experimental
