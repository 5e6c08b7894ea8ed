// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/sampling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kMostUsers = 32;

// A program's kernels lie in a hash table by their number, and memory is declared as it is walked: here two
// that all cores run, then one for each core.
std::vector<std::size_t> cores_as_walked(std::size_t count) {
    constexpr std::size_t kCommonKernels = 2;
    std::unordered_map<std::uint32_t, bool> kernels;
    for (std::uint32_t id = 0; id < count + kCommonKernels; ++id)
        kernels[id] = true;
    std::vector<std::size_t> order;
    for (const auto& kernel : kernels) {
        if (kernel.first >= kCommonKernels) order.push_back(kernel.first - kCommonKernels);
    }
    return order;
}

/// Places of a row, the most probable first, as far as they are drawn from, and what their probabilities come
/// to from the first on.
struct Candidates {
    std::vector<std::uint64_t> places;
    std::vector<double> cumulative;
};

Candidates candidates(std::span<const float> values, std::uint64_t k, double p, double factor) {
    std::vector<std::uint64_t> order(values.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    order.resize(std::clamp<std::uint64_t>(k, 1, order.size()));
    Candidates found;
    double sum = 0;
    for (const std::uint64_t place : order)
        sum += std::exp(factor * (values[place] - values[order.front()]));
    double reached = 0;
    for (const std::uint64_t place : order) {
        reached += std::exp(factor * (values[place] - values[order.front()])) / sum;
        found.places.push_back(place);
        found.cumulative.push_back(reached);
        if (reached >= p) break;
    }
    return found;
}

struct SamplingOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "SamplingDeviceOperation";
    static constexpr std::string_view kAttributesName = "SamplingParams";

    std::optional<std::uint32_t> seed;
    OptionalCores sub_core_grids;
    DataType dtype;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(seed, sub_core_grids, dtype, memory_config); }

    // In TT-NN's words and order.
    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec &values = inputs[0], &indices = inputs[1];
        require(!values.memory_config.is_sharded(),
                "Only INTERLEAVED memory layout is supported for inputs!");
        require(values.dtype == DataType::BFLOAT16, "Only BFLOAT16 is supported for inputs!");
        require(values.layout == Layout::TILE, "Only TILE_LAYOUT is supported for inputs!");
        require(!indices.memory_config.is_sharded(),
                "Only INTERLEAVED memory layout is supported for inputs!");
        require(indices.dtype == DataType::UINT32 || indices.dtype == DataType::INT32,
                "Only UINT32 & INT32 dtypes are supported for input indices!");
        require(indices.layout == Layout::ROW_MAJOR, "Only ROW_MAJOR is supported for input indices!");
        require(indices.shape == values.shape, "Input values and indices must have the same shape!");
        constexpr std::size_t kRank = 4;
        require(values.shape.rank() == kRank, "Sampling input_values must be rank-4; got rank ",
                values.shape.rank());
        require(values.shape[0] == 1 && values.shape[1] == 1,
                "Sampling requires input dims 0 and 1 (N, C) to be 1; got [", values.shape[0], ", ",
                values.shape[1], ", ", values.shape[2], ", ", values.shape[3], "]!");
        const std::uint32_t users = values.shape[2], width = values.shape[3];
        require(users >= 1 && users <= kMostUsers,
                "Sampling currently supports between 1 and 32 users (one core per user); got ", users, "!");
        require(width != 0 && width % kTileWidth == 0, "Input inner dim (", width,
                ") must be non-zero and divisible by 32, pad if needed!");
        require(
            std::has_single_bit(width / kTileWidth), "Input inner dim (", width,
            ") must yield a power-of-2 number of tiles (Wt = W/32 = ", width / kTileWidth,
            "); pad W up to the next power-of-2 multiple of 32 (e.g. with -inf values and dummy indices) if "
            "needed!");
        require_on_grid(sub_core_grids, device.compute_grid, "Sampling");
        require(!sub_core_grids || sub_core_grids->num_cores() >= users, [&] {
            return "Subcore grid must supply at least num_users (" + std::to_string(users) +
                   ") cores, but found " + std::to_string(sub_core_grids->num_cores()) + "!";
        });
        require(inputs[2].dtype == DataType::UINT32 || inputs[2].dtype == DataType::INT32,
                "Only UINT32 & INT32 dtypes are supported for k!");
        constexpr std::array<std::string_view, 3> kNames{"k", "p", "temp"};
        for (std::size_t i = 1; i < kNames.size(); ++i)
            require(inputs[2 + i].dtype == DataType::BFLOAT16, "Only BFLOAT16 dtypes are supported for ",
                    kNames[i], "!");
        for (std::size_t i = 0; i < kNames.size(); ++i)
            require(inputs[2 + i].layout == Layout::ROW_MAJOR, "Only ROW_MAJOR layout is supported for ",
                    kNames[i], "!");
        for (std::size_t i = 0; i < kNames.size(); ++i)
            require(inputs[2 + i].shape == Shape{users}, kNames[i], " must have shape [", users,
                    "] (one per user)!");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{Shape{1, 1, 1, inputs[0].shape[-2]}, dtype, Layout::ROW_MAJOR, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t users = inputs[0].shape[2];
        const CoreRangeSet cores =
            split_work(users, sub_core_grids, device.compute_grid, CoreWalk::kAlongRows).cores;
        const std::uint64_t width = inputs[0].tile_columns(), tile = tile_size(DataType::BFLOAT16);
        const std::uint64_t rows = width * tile_size(inputs[1].dtype);
        ProgramPlan plan{{"ttnn::prim::SamplingProgramFactory", 0},
                         dataflow_buffers({4 * tile, 4 * tile, tile, tile, 4 * tile, width * tile,
                                           width * tile, 2 * tile, 2 * tile, 2 * tile, tile, tile, tile, rows,
                                           users * element_size(inputs[3].dtype)},
                                          cores)};
        const WorkCores list(cores, device.compute_grid, CoreWalk::kAlongRows);
        for (const std::size_t i : cores_as_walked(list.size())) {
            const CoreRange core{list[i], list[i]};
            plan.memory.push_back(scratchpad(kMostUsers * element_size(outputs[0].dtype), core));
            plan.memory.push_back(scratchpad(users * element_size(inputs[2].dtype), core));
            plan.memory.push_back(scratchpad(users * element_size(inputs[4].dtype), core));
        }
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats(), p = inputs[3]->to_floats(),
                                 temp = inputs[4]->to_floats();
        const std::vector<std::int64_t> indices = inputs[1]->to_integers(), k = inputs[2]->to_integers();
        const std::uint64_t width = inputs[0]->shape()[-1];
        const std::uint32_t begin = seed.value_or(0);
        std::mt19937 source(begin != 0 ? begin : std::random_device()());
        std::uniform_real_distribution<double> uniform(0, 1);
        std::vector<std::int64_t> drawn;
        for (std::uint64_t user = 0; user < k.size(); ++user) {
            const std::span row(values.data() + user * width, width);
            const Candidates from = candidates(
                row, static_cast<std::uint64_t>(std::max<std::int64_t>(k[user], 1)), p[user], temp[user]);
            const double at = uniform(source) * from.cumulative.back();
            const auto place = std::upper_bound(from.cumulative.begin(), from.cumulative.end(), at);
            const std::size_t choice = std::min<std::size_t>(
                static_cast<std::size_t>(place - from.cumulative.begin()), from.places.size() - 1);
            drawn.push_back(indices[user * width + from.places[choice]]);
        }
        return {HostArray::from_integers(drawn, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Inputs: tensors of seeds and of users, as far as they are there; of one alone `seed` says which it is.
struct ManualSeedOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "ManualSeedDeviceOperation";
    static constexpr std::string_view kAttributesName = "ManualSeedParams";

    std::optional<std::uint32_t> seed;
    std::optional<std::uint32_t> user;
    OptionalCores sub_core_grids;

    auto attributes() const { return std::make_tuple(seed, user, sub_core_grids); }

    // TT-NN's words, but for the layout.
    void validate(SpecsView inputs) const {
        constexpr std::uint32_t kLastUser = 31;
        require(seed || !user,
                "Seeds were provided as a tensor, so user_ids must not be provided as a scalar.");
        require(!user || *user <= kLastUser, "User IDs scalar must be in the range [0, 31].");
        require(seed || inputs[0].dtype == DataType::UINT32, "Seeds tensor must be of type UINT32.");
        if (inputs.size() == 2) {
            require(
                inputs[0].shape.volume() == inputs[1].shape.volume(),
                "Seeds tensor and User IDs tensor must have the same number of elements. Got seeds volume: ",
                inputs[0].shape.volume(), " and user_ids volume: ", inputs[1].shape.volume());
        }
        for (const TensorSpec& input : inputs) {
            require(input.dtype == DataType::UINT32 && input.layout == Layout::ROW_MAJOR,
                    "manual_seed: expected tensors of UINT32 in ROW_MAJOR layout, got ", name_of(input.dtype),
                    " in ", name_of(input.layout));
        }
    }
    TensorSpecs infer(SpecsView) const {
        return {TensorSpec{Shape{1}, DataType::UINT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG}};
    }
    // Numbers are arguments of the program; of users in a tensor a tile, and of seeds in one, and of the result.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const bool users_in_tensor = inputs.size() == (seed ? 1 : 2);
        if (!users_in_tensor) {
            return user ? ProgramPlan{{"ttnn::prim::ManualSeedSingleSeedSingleCoreProgramFactory", 1}}
                        : ProgramPlan{{"ttnn::prim::ManualSeedSingleSeedToAllCoresProgramFactory", 0}};
        }
        ProgramPlan plan = seed ? ProgramPlan{{"ttnn::prim::ManualSeedSingleSeedSetCoresProgramFactory", 2}}
                                : ProgramPlan{{"ttnn::prim::ManualSeedSetSeedsSetCoresProgramFactory", 3}};
        const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
        plan.memory.assign(inputs.size() + 1, dataflow_buffer(tile_size(DataType::UINT32), cores));
        return plan;
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        return {HostArray(outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor Sampling::body() const {
    require_on_device(input_values_tensor, "sampling", "input_values_tensor");
    const SamplingOperation operation{
        seed, sub_core_grids, output_tensor ? output_tensor->dtype() : DataType::UINT32,
        output_tensor ? output_tensor->memory_config() : input_values_tensor.memory_config()};
    const std::vector<Tensor> inputs{input_values_tensor, input_indices_tensor, k, p, temp};
    return launch(operation, inputs, output_tensor);
}

Tensor ManualSeed::body() const {
    const auto [seed, user] = recorded();
    const ManualSeedOperation operation{seed, user, sub_core_grids};
    if (seed) {
        require(device != nullptr, "Device must be provided when seeds is a uint32_t value.");
        if (user_ids && !user) return launch(operation, {std::get<Tensor>(*user_ids)});
        return launch_on(operation, device);
    }
    std::vector<Tensor> inputs{std::get<Tensor>(seeds)};
    if (user_ids && !user) inputs.push_back(std::get<Tensor>(*user_ids));
    return launch(operation, inputs);
}

}  // namespace tilemeter
