// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of random functions on a device beside the optimum over all orders of their calls (least_cost.hpp), by true peaks.
// The figures are printed.

#include "runtime/trace/device/recompute/recompute.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "report/analysis/answers/memory_plan.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/recompute/internal/call_units.hpp"
#include "runtime/trace/device/recompute/least_cost.hpp"
#include "runtime/trace/device/recompute/run_order.hpp"
#include "tests/cases.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/replayed.hpp"

namespace tilemeter::trace {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): its helpers

/// Up to 14 calls: layers forwards, and backwards what is read again of each; what nobody reads is returned.
class RandomFunction {
public:
    RandomFunction(const std::shared_ptr<Device>& device, std::mt19937& random) : device_(device) {
        const auto any = [&](std::uint32_t from, std::uint32_t to) {
            return from + static_cast<std::uint32_t>(random() % (to - from + 1));
        };
        widths_ = {any(1, 4)};
        std::uint32_t last = 0;
        const std::uint32_t layers = any(3, 6);
        for (std::uint32_t i = 0; i < layers; ++i) {
            const std::uint32_t other = any(0, last);
            const bool joins = any(0, 3) == 0 && other != last && widths_[last] + widths_[other] <= 6;
            last = joins ? add(Kind::kConcat, last, other, widths_[last] + widths_[other])
                         : product(last, any(1, 4));
        }
        for (std::uint32_t layer = last; layer-- > 0 && nodes_.size() + 3 <= 14;) {
            if (widths_[last] != widths_[layer]) last = product(last, widths_[layer]);
            const std::uint32_t gradient = add(Kind::kMultiply, last, layer, widths_[layer]);
            last = any(0, 1) == 0 ? product(last, any(1, 4)) : product(gradient, any(1, 4));
        }
        input_ = counted(device, {1, 1, 32 * 12, widths_[0] * 32});
    }

    Tensors operator()(Inputs inputs) const {
        Tensors made{inputs[0]};
        std::vector<bool> is_read(nodes_.size() + 1);
        is_read[0] = true;
        for (const Node& each : nodes_) {
            is_read[each.one] = true;
            if (each.kind != Kind::kProduct) is_read[each.other] = true;
            made.push_back(each.kind == Kind::kProduct    ? matmul(made[each.one], weights_[each.other])
                           : each.kind == Kind::kMultiply ? multiply(made[each.one], made[each.other])
                                                          : concat({made[each.one], made[each.other]}, -1));
        }
        Tensors results;
        for (std::size_t i = 0; i < made.size(); ++i)
            if (!is_read[i]) results.push_back(made[i]);
        return results;
    }

    const Tensor& input() const { return input_; }

private:
    enum class Kind : std::uint8_t { kProduct, kMultiply, kConcat };
    struct Node {
        Kind kind;
        std::uint32_t one, other;  // of a product: its weight
    };

    std::uint32_t add(Kind kind, std::uint32_t one, std::uint32_t other, std::uint32_t width) {
        nodes_.push_back({kind, one, other});
        widths_.push_back(width);
        return static_cast<std::uint32_t>(nodes_.size());
    }
    std::uint32_t product(std::uint32_t of, std::uint32_t width) {
        weights_.push_back(counted(device_, {widths_[of] * 32, width * 32}, 3.0F));
        return add(Kind::kProduct, of, static_cast<std::uint32_t>(weights_.size() - 1), width);
    }

    const std::shared_ptr<Device> device_;
    std::vector<std::uint32_t> widths_;  // by value, the input's first; in tiles, of which each bank has one
    std::vector<Node> nodes_;
    Tensors weights_;
    Tensor input_;
};

TaskGraph graph_of(const PlanModel& model) {
    TaskGraph graph;
    std::map<std::uint32_t, std::uint32_t> numbers;  // by value
    for (const PlanUnit& unit : model.units) {
        if (unit.makes.empty()) continue;
        EXPECT_EQ(unit.makes.size(), 1U);
        Task task;
        for (const std::uint32_t each : unit.reads)
            task.needs.push_back(numbers.at(each));
        const PlanValue& value = model.values[unit.makes[0]];
        task.size = value.size[internal::kModelDram];
        task.cost = unit.cost;
        numbers[unit.makes[0]] = static_cast<std::uint32_t>(graph.tasks.size());
        if (value.is_kept) graph.outputs.push_back(numbers[unit.makes[0]]);
        graph.tasks.push_back(std::move(task));
    }
    return graph;
}

TEST(RecomputeCurve, costs_the_least_over_all_orders) {
    const OpenDevice device;
    std::mt19937 random(23);
    std::size_t budgets = 0, near = 0;
    double sum = 0, worst = 0;
    const std::uint32_t graphs = tilemeter::test::cases(8);
    for (std::uint32_t i = 0; i < graphs; ++i) {
        const RandomFunction function(device.get(), random);
        const Tensors given{function.input()};
        const auto traced = trace_on_device(std::ref(function), given);
        const RecomputeCurve curve(traced, given, &analysis::peaks_of_replay);
        const internal::CallUnits units = internal::units_of(*traced);
        const TaskGraph graph = graph_of(units.model);
        ASSERT_LE(graph.tasks.size(), 14U);

        // Each schedule's true peak is its sum and what is on the device beside.
        std::optional<std::uint64_t> beside;
        for (const RecomputePoint& each : curve.points()) {
            if (each.steps.empty()) continue;
            Runs runs;
            for (const PlanStep& step : each.steps)
                if (!step.is_drop) runs.push_back(step.index);
            EXPECT_EQ(fault_of(runs, units.model), "");
            const std::uint64_t bytes = planned_runs(units.model, runs).peak[internal::kModelDram];
            if (!beside) beside = each.dram_bytes - bytes;
            EXPECT_EQ(each.dram_bytes, *beside + bytes);
        }
        ASSERT_TRUE(beside);

        const std::vector<CurvePoint> expected = cost_curve(graph);
        for (const CurvePoint& each : expected) {
            ++budgets;
            ASSERT_TRUE(each.is_exact);
            const RecomputeBudget budget{std::nullopt, *beside + each.budget};
            const RecomputePoint& found = curve.cheapest(budget);
            EXPECT_LE(found.dram_bytes, *budget.dram_bytes);
            const std::uint64_t cost = curve.cost_of_run() + found.cost;
            EXPECT_EQ(curve.cost_at_least(budget), found.cost);
            EXPECT_GE(cost, each.cost);
            const double more = static_cast<double>(cost) / static_cast<double>(each.cost) - 1;
            sum += more;
            worst = std::max(worst, more);
            if (more <= 0.05) ++near;
        }
        const std::uint64_t least = *beside + expected.front().budget;
        EXPECT_EQ(curve.cost_at_least({std::nullopt, least - 1}), std::nullopt);
        try {
            ADD_FAILURE() << curve.cheapest({std::nullopt, least - 1}).dram_bytes;
        } catch (const TracingError& error) {
            EXPECT_NE(std::string(error.what())
                          .find("no order of the calls keeps dram=" + std::to_string(least - 1) +
                                " bytes per bank: the least that one keeps is " + std::to_string(least)),
                      std::string::npos)
                << error.what();
        }

        if (i % 4 != 0) continue;
        const auto values = values_of(function(given));
        for (const RecomputePoint& each : curve.points()) {
            const auto program = curve.program(each);
            EXPECT_FALSE(ir::verify(program->graph()).has_value()) << ir::print(program->graph());
            EXPECT_EQ(values_of(Executable(program).replay(given)), values);
        }
    }
    EXPECT_EQ(near, budgets);
    std::cout << graphs << " functions, " << budgets << " budgets: " << near << " within 5 %, mean "
              << 100 * sum / static_cast<double>(budgets) << " %, worst " << 100 * worst << " % above\n";
}

}  // namespace
}  // namespace tilemeter::trace
