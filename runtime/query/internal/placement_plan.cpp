// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/internal/placement_plan.hpp"

#include <algorithm>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter::query {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The tensor that a call reads of a value, before conversions that begin there.
std::size_t read_at(const Placement& placement, std::size_t value, std::size_t value_count,
                    std::size_t number) {
    std::size_t tensor = value;
    for (std::size_t i = 0; i < placement.conversions.size(); ++i) {
        const PlacedConversion& each = placement.conversions[i];
        if (each.value == value && each.begin < number && number < each.end) tensor = value_count + i;
    }
    return tensor;
}

}  // namespace

std::vector<PlacedStep> steps_of(const PlaceableProgram& program, const Placement& placement) {
    const std::size_t value_count = program.specs.size();
    std::vector<PlacedStep> steps;
    std::vector<std::size_t> now(value_count), made_by(value_count + placement.conversions.size(), kNone);
    for (std::size_t value = 0; value < value_count; ++value)
        now[value] = value;
    for (std::size_t number = 0; number < program.calls.size(); ++number) {
        for (const PlacedConversion& each : placement.conversions)
            if (each.end == number) now[each.value] = read_at(placement, each.value, value_count, number);
        for (std::size_t i = 0; i < placement.conversions.size(); ++i) {
            const PlacedConversion& each = placement.conversions[i];
            if (each.begin != number) continue;
            steps.push_back({true, i, {now[each.value]}, {value_count + i}});
            now[each.value] = value_count + i;
        }
        const PlaceableCall& call = program.calls[number];
        PlacedStep& step = steps.emplace_back(PlacedStep{false, number});
        for (const std::size_t value : call.operands)
            step.operands.push_back(now[value]);
        step.results = call.results;
    }
    std::vector<std::size_t> last(made_by.size(), kNone);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const std::size_t tensor : steps[i].operands)
            last[tensor] = i;
        for (const std::size_t tensor : steps[i].results)
            last[tensor] = i;
    }
    for (std::size_t tensor = program.inputs.size(); tensor < last.size(); ++tensor) {
        const bool stays = std::ranges::find(program.results, tensor) != program.results.end();
        if (!stays && last[tensor] != kNone) steps[last[tensor]].frees.push_back(tensor);
    }
    return steps;
}

namespace internal {

namespace {

constexpr std::uint64_t kTileSide = 32;

std::uint64_t divided_up(std::uint64_t value, std::uint64_t by) {
    return (value + by - 1) / by;
}

}  // namespace

std::uint64_t bytes_of(const TensorSpec& spec) {
    TensorSpec whole = spec;
    whole.memory_config = DRAM_MEMORY_CONFIG;
    return page_geometry(whole).size_bytes();
}

std::optional<MemoryConfig> shards_of(const TensorSpec& spec, TensorMemoryLayout::Value layout,
                                      CoreCoord grid) {
    if (spec.layout != Layout::TILE || !(spec.tile == Tile{})) return std::nullopt;
    const std::uint64_t rows = spec.tile_rows(), columns = spec.tile_columns();
    const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
    std::uint64_t down = 1, across = 1;
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) down = cores;
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) across = cores;
    if (layout == TensorMemoryLayout::BLOCK_SHARDED) {
        down = grid.y;
        across = grid.x;
    }
    const std::uint64_t shard_rows = divided_up(rows, down), shard_columns = divided_up(columns, across);
    down = divided_up(rows, shard_rows);
    across = divided_up(columns, shard_columns);
    if (down * across < 2) return std::nullopt;
    ShardSpec shards;
    shards.shape = {static_cast<std::uint32_t>(shard_rows * kTileSide),
                    static_cast<std::uint32_t>(shard_columns * kTileSide)};
    if (layout == TensorMemoryLayout::BLOCK_SHARDED)
        shards.grid = whole_grid({static_cast<std::uint32_t>(across), static_cast<std::uint32_t>(down)});
    else
        shards.grid = first_cores(down * across, grid, true);
    return MemoryConfig{layout, BufferType::L1, std::move(shards)};
}

PlacementPlanner::PlacementPlanner(const std::shared_ptr<Device>& device, AllocatorState state,
                                   const PlaceableProgram& program, PlacementCost cost)
    : device_(device), state_(std::move(state)), program_(program), cost_(std::move(cost)) {
    for (const TensorSpec& each : program.specs)
        bytes_.push_back(bytes_of(each));
    const DeviceMemory& memory = state_.memory();
    const BankAllocator& l1 = memory.allocator(MemoryType::kL1);
    granularity_ = l1.granularity();
    bank_ = l1.end() - l1.begin();
    top_ = l1.lowest_allocated().value_or(l1.end());
    alive_ = l1.end() - top_;
}

/// Bytes of L1, below what is alive, without which the budget is left.
std::uint64_t PlacementPlanner::taken_for(std::optional<std::uint64_t> l1) const {
    if (!l1 || *l1 >= bank_) return 0;
    const std::uint64_t taken = divided_up(bank_ - *l1, granularity_) * granularity_;
    if (taken > bank_ - alive_)
        throw RuntimeError("place: l1: expected at least the " + std::to_string(alive_) +
                           " B that are alive, got " + std::to_string(*l1));
    return taken;
}

AllocatorState PlacementPlanner::budgeted(std::uint64_t taken) const {
    std::vector<AllocationRecord> records = state_.allocations();
    records.push_back({MemoryType::kL1, top_ - taken, taken});
    return state_.with_allocations(records);
}

AllocatorState PlacementPlanner::within(std::optional<std::uint64_t> l1) const {
    const std::uint64_t taken = taken_for(l1);
    return taken == 0 ? state_ : budgeted(taken);
}

Attempt PlacementPlanner::attempt(Placement placement, std::optional<std::uint64_t> l1) {
    Attempt made{std::move(placement)};
    const std::vector<PlacedStep> steps = steps_of(program_, made.placement);
    std::vector<ProgramValue> value_of(program_.specs.size() + made.placement.conversions.size());
    std::vector<bool> is_known(value_of.size());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        value_of[i] = {ProgramValue::kInput, i};
        is_known[i] = true;
    }
    std::vector<ProgramStep> program;
    program.reserve(steps.size());
    for (const PlacedStep& step : steps) {
        ProgramStep& planned = program.emplace_back();
        for (const std::size_t tensor : step.operands)
            planned.operands.push_back(value_of[tensor]);
        for (std::size_t i = 0; i < step.results.size(); ++i) {
            const std::size_t tensor = step.results[i];
            if (is_known[tensor]) continue;
            value_of[tensor] = {program.size() - 1, i};
            is_known[tensor] = true;
        }
        for (const std::size_t tensor : step.frees)
            planned.frees.push_back(value_of[tensor]);
        if (step.is_conversion) {
            const MemoryConfig& to = made.placement.conversions[step.number].memory_config;
            planned.name = "ttnn.to_memory_config";
            planned.function = [this, &to](std::span<const Tensor> operands) {
                return program_.convert(operands, to);
            };
            continue;
        }
        const PlaceableCall& call = program_.calls[step.number];
        const std::optional<MemoryConfig>& put = made.placement.put[step.number];
        planned.name = call.name;
        planned.function = [&call, &put](std::span<const Tensor> operands) {
            return call.function(operands, put ? &*put : nullptr);
        };
    }
    const std::uint64_t taken = taken_for(l1);
    if (taken != 0) {
        ++planned_;
        made.plan = plan_program(device_, budgeted(taken), program_.inputs, program);
        made.peak_l1 = made.plan.peak_l1 - taken;
    }
    if (made.fits()) {
        ++planned_;
        made.plan = plan_program(device_, state_, program_.inputs, program);
        if (taken == 0) made.peak_l1 = made.plan.peak_l1;
    }
    if (made.fits()) {
        add_cost(steps, made);
        return made;
    }
    const PlacedStep& failed = steps[made.plan.failure->step];
    made.failed_call = failed.is_conversion ? made.placement.conversions[failed.number].begin : failed.number;
    if (!failed.is_conversion) made.failed_operands = program_.calls[failed.number].operands;
    return made;
}

void PlacementPlanner::add_cost(const std::vector<PlacedStep>& steps, Attempt& attempt) const {
    const std::size_t value_count = program_.specs.size();
    std::vector<bool> is_in_dram(value_count + attempt.placement.conversions.size());
    const auto bytes = [&](std::size_t tensor) {
        return bytes_[tensor < value_count ? tensor
                                           : attempt.placement.conversions[tensor - value_count].value];
    };
    const auto in_dram = [&](std::vector<std::size_t> tensors) {
        std::ranges::sort(tensors);
        const auto repeated = std::ranges::unique(tensors);
        tensors.erase(repeated.begin(), repeated.end());
        std::uint64_t sum = 0;
        for (const std::size_t tensor : tensors)
            if (is_in_dram[tensor]) sum += bytes(tensor);
        return sum;
    };
    for (std::size_t i = 0; i < program_.inputs.size(); ++i)
        is_in_dram[i] = attempt.plan.inputs[i].memory == MemoryType::kDram;
    attempt.cost = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const PlacedStep& step = steps[i];
        const std::vector<OutputPlace>& outputs = attempt.plan.steps[i].outputs;
        for (std::size_t j = 0; j < step.results.size() && j < outputs.size(); ++j)
            is_in_dram[step.results[j]] = outputs[j].memory == MemoryType::kDram;
        if (std::ranges::all_of(outputs,
                                [](const OutputPlace& each) { return each.shares_input.has_value(); }))
            continue;
        const std::uint64_t read = in_dram(step.operands), written = in_dram(step.results);
        const std::uint64_t moved = step.is_conversion ? bytes(step.results.front()) : 0;
        attempt.dram_bytes += read + written;
        attempt.moved_bytes += moved;
        const std::string_view name =
            step.is_conversion ? "ttnn.to_memory_config" : std::string_view(program_.calls[step.number].name);
        attempt.cost +=
            cost_ ? cost_(name, read, written, moved) : static_cast<double>(read + written + moved);
    }
}

void free_shared_memory_once(const PlaceableProgram& program, const ProgramAnswer& plan,
                             std::vector<PlacedStep>& steps) {
    std::size_t tensor_count = program.specs.size();
    for (const PlacedStep& step : steps)
        for (const std::size_t tensor : step.results)
            tensor_count = std::max(tensor_count, tensor + 1);
    std::vector<std::size_t> owner(tensor_count), last(tensor_count, kNone);
    for (std::size_t i = 0; i < owner.size(); ++i)
        owner[i] = i;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::vector<OutputPlace>& outputs = plan.steps[i].outputs;
        for (std::size_t j = 0; j < outputs.size() && j < steps[i].results.size(); ++j) {
            const std::size_t tensor = steps[i].results[j];
            if (!outputs[j].shares_input) continue;
            const std::size_t whole = owner[steps[i].operands[*outputs[j].shares_input]];
            if (whole != tensor) owner[tensor] = whole;
        }
    }
    std::vector<bool> stays(tensor_count);
    for (std::size_t tensor = 0; tensor < program.inputs.size(); ++tensor)
        stays[owner[tensor]] = true;
    for (const std::size_t tensor : program.results)
        stays[owner[tensor]] = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const std::size_t tensor : steps[i].frees)
            last[owner[tensor]] = i;
        steps[i].frees.clear();
    }
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor)
        if (!stays[tensor] && last[tensor] != kNone) steps[last[tensor]].frees.push_back(tensor);
}

}  // namespace internal

}  // namespace tilemeter::query
