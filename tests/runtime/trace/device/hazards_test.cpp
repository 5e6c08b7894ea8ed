// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The buffers that a replay at planned addresses overwrites, against a shadow that knows of each 16 bytes of every bank
// whose they are.

#include "runtime/trace/device/replay/hazards.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capture/record/private_log.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/fixed_address.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/memory_shadow.hpp"
#include "tests/runtime/trace/device/replayed.hpp"

namespace tilemeter::trace {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): its helpers

MemoryConfig sharded_over(std::uint32_t cores) {
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{first_cores(cores, {8, 8}, true), {32, 64}, ShardOrientation::ROW_MAJOR}};
}

struct Placed {
    std::shared_ptr<const Executable> executable;
    ReplayAddresses addresses;
    TensorFunction function;
};

/// One random sequence of traces, replays, allocations, frees and captures on one device.
class Sequence {
public:
    Sequence(const std::shared_ptr<Device>& device, unsigned seed)
        : device_(device), random_(seed), shadow_(device->description()) {
        keep([&] { return Tensors{random_tensor(), random_tensor()}; });
        inputs_ = live_;
        live_.clear();
    }

    void run(int steps) {
        for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
            switch (below(7)) {
                case 0:
                    trace();
                    break;
                case 1:
                case 2:
                    keep([&] { return Tensors{random_tensor()}; });
                    break;
                case 3:
                    if (!live_.empty()) drop(below(live_.size()));
                    break;
                case 4:
                    capture();
                    break;
                default:
                    if (!placed_.empty()) replay(placed_[below(placed_.size())]);
            }
        }
    }
    int hazardous() const { return hazardous_; }
    int harmless() const { return harmless_; }

private:
    std::size_t below(std::size_t count) { return random_() % count; }

    Tensor random_tensor() {
        static const std::vector<MemoryConfig> configs = {
            DRAM_MEMORY_CONFIG, DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG, sharded_over(4), sharded_over(16)};
        const std::size_t which = below(configs.size());
        const auto rows = static_cast<std::uint32_t>(which == 3 ? 4 : which == 4 ? 16 : 1 + below(40));
        const Tensor made = full({1, 1, rows * 32, 64}, 1.0F, DataType::BFLOAT16, Layout::TILE, device_,
                                 which < 3 ? configs[which] : DRAM_MEMORY_CONFIG);
        return which < 3 ? made : to_memory_config(made, configs[which]);
    }

    // Large ones fill L1 from the top, so that program memory of earlier plans lies where they come down.
    Tensor large_tensor() {
        return full({1, 1, 32 * (200 + static_cast<std::uint32_t>(below(300))), 1024}, 1.0F,
                    DataType::BFLOAT16, Layout::TILE, device_, L1_MEMORY_CONFIG);
    }

    template <typename Make>
    void keep(Make make) {
        const record::PrivateLog log;
        Tensors made;
        try {
            made = below(12) == 0 ? Tensors{large_tensor()} : make();
            while (made.size() < 2 && inputs_.empty())
                made.push_back(random_tensor());
        } catch (const OutOfMemoryError&) {
        } catch (const ProgramMemoryClashError&) {
        }
        shadow_.follow(log.events());
        live_.insert(live_.end(), made.begin(), made.end());
    }
    void drop(std::size_t index) {
        const record::PrivateLog log;
        Tensor dropped = live_[index];
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(index));
        dropped.deallocate();
        shadow_.follow(log.events());
    }
    void capture() {
        const std::uint64_t before = device_->state_hash();
        GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
        try {
            const Tensor planned = random_tensor();
            if (!placed_.empty()) placed_.back().executable->replay(inputs_);
        } catch (const RuntimeError&) {
        }
        GraphProcessor::end_graph_capture();
        EXPECT_EQ(device_->state_hash(), before);
    }
    void trace() {
        const std::vector<TensorFunction> functions = {
            [](Inputs x) { return Tensors{multiply(add(relu(x[0]), 1.0F), 2.0F)}; },
            [](Inputs x) {
                const Tensor first = exp(x[0]);
                return Tensors{first, add(relu(x[1]), 3.0F)};
            },
            [](Inputs x) {
                return Tensors{add(multiply(x[0], 2.0F, std::nullopt, L1_MEMORY_CONFIG), 1.0F, std::nullopt,
                                   DRAM_MEMORY_CONFIG)};
            },
        };
        const record::PrivateLog log;
        try {
            Placed placed;
            placed.function = functions[below(functions.size())];
            placed.executable = std::make_shared<const Executable>(trace_on_device(placed.function, inputs_));
            placed.addresses = placed.executable->plan_addresses(inputs_);
            placed_.push_back(std::move(placed));
        } catch (const OutOfMemoryError&) {
        } catch (const ProgramMemoryClashError&) {
        }
        shadow_.follow(log.events());
    }
    Changes changes_by(Placed& placed) {
        const PlanningFrame frame;
        const ScopedPlanning planning(frame);
        const record::PrivateLog log;
        const Tensors planned = placed.executable->replay_at(placed.addresses, inputs_, OnHazard::kAllow);
        const record::ThreadSlice events = log.events();
        return shadow_.changes_of(events);
    }
    void replay(Placed& placed) {
        const std::vector<Hazard> hazards = placed.executable->hazards(placed.addresses, inputs_);
        ASSERT_EQ(named_by(hazards), changes_by(placed));
        ++(hazards.empty() ? harmless_ : hazardous_);
        if (!hazards.empty()) {
            const std::uint64_t before = device_->state_hash();
            EXPECT_EQ(kind_of_refusal([&] { placed.executable->replay_at(placed.addresses, inputs_); }),
                      TracingErrorKind::kBadArgument);
            EXPECT_EQ(device_->state_hash(), before);
            if (below(2) == 0) return;
        }
        const record::PrivateLog log;
        try {
            Tensors results = placed.executable->replay_at(placed.addresses, inputs_, OnHazard::kMove);
            for (const Tensor& each : results)
                EXPECT_TRUE(each.is_allocated());
            if (below(2) == 0) live_.insert(live_.end(), results.begin(), results.end());
        } catch (const OutOfMemoryError&) {
        } catch (const ProgramMemoryClashError&) {
        }
        shadow_.follow(log.events());
    }

    std::shared_ptr<Device> device_;
    std::mt19937 random_;
    Shadow shadow_;
    Tensors inputs_, live_;
    std::vector<Placed> placed_;
    int hazardous_ = 0;
    int harmless_ = 0;
};

TEST(Hazards, name_what_replays_change_in_random_sequences) {
    expect_in_random_sequences<Sequence>(60, 24);
}

const TensorFunction kTwoSteps = [](Inputs x) { return Tensors{multiply(relu(x[0]), 2.0F)}; };

TEST(Hazards, a_tensor_made_after_the_plan_lies_where_the_replay_works) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {1, 1, 64, 64})};
    const Executable executable(trace_on_device(kTwoSteps, inputs));
    ReplayAddresses addresses = executable.plan_addresses(inputs);
    ASSERT_EQ(addresses.size(), 2U);
    EXPECT_TRUE(executable.hazards(addresses, inputs).empty());
    const Tensor later = counted(device.get(), {1, 1, 64, 64});
    const std::vector<Hazard> hazards = executable.hazards(addresses, inputs);
    ASSERT_EQ(hazards.size(), 1U);
    EXPECT_EQ(hazards[0].buffer, later.buffer().id());
    EXPECT_EQ(hazards[0].address, addresses[0]);
    EXPECT_EQ(hazards[0].parts.size(), 4U);  // four tiles, in four banks
    EXPECT_EQ(hazards[0].overwritten_bytes(), 4U * 2048);
    EXPECT_EQ(record::text_of(hazards[0].by_operation), "ttnn::relu");
    EXPECT_EQ(kind_of_refusal([&] { executable.replay_at(addresses, inputs); }),
              TracingErrorKind::kBadArgument);

    const ReplayAddresses before = addresses;
    const Tensor moved = executable.replay_at(addresses, inputs, OnHazard::kMove).at(0);
    EXPECT_NE(addresses, before);
    EXPECT_EQ(moved.buffer().address(), addresses[1]);
    EXPECT_EQ(moved.to_vector<float>(), kTwoSteps(inputs).at(0).to_vector<float>());

    ReplayAddresses again = before;
    const Tensor over = executable.replay_at(again, inputs, OnHazard::kAllow).at(0);
    EXPECT_EQ(over.buffer().address(), before[1]);
}

TEST(Hazards, two_plans_alive_and_results_that_are_kept) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {1, 1, 64, 64})};
    const Executable one(trace_on_device(kTwoSteps, inputs));
    const Executable other(trace_on_device([](Inputs x) { return Tensors{exp(x[0])}; }, inputs));
    ReplayAddresses first = one.plan_addresses(inputs);
    ReplayAddresses second = other.plan_addresses(inputs);
    {
        const Tensors kept = one.replay_at(first, inputs);
        // Its own result is in its way, and so is nothing for the other: that one's lies where relu's was.
        ASSERT_EQ(one.hazards(first, inputs).size(), 1U);
        EXPECT_EQ(one.hazards(first, inputs)[0].buffer, kept[0].buffer().id());
        EXPECT_TRUE(other.hazards(second, inputs).empty());
        const Tensors both = other.replay_at(second, inputs);
        EXPECT_EQ(both[0].buffer().address(), first[0]);
        EXPECT_EQ(one.hazards(first, inputs).size(), 2U);
    }
    EXPECT_TRUE(one.hazards(first, inputs).empty());
    EXPECT_EQ(one.replay_at(first, inputs).at(0).buffer().address(), first[1]);
}

TEST(Hazards, program_memory_reaches_buffers_that_came_down_later) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {1, 1, 64, 64})};
    const Executable executable(trace_on_device(kTwoSteps, inputs));
    const ReplayAddresses addresses = executable.plan_addresses(inputs);
    const auto free_l1 = [&] {
        return device->memory().allocator(record::MemoryType::kL1).statistics().largest_free_block;
    };
    const std::uint64_t tiles = free_l1() / 2048 * 64;
    const Tensor all = empty({1, 1, 32, static_cast<std::uint32_t>(tiles * 32)}, DataType::BFLOAT16,
                             Layout::TILE, device.get(), L1_MEMORY_CONFIG);
    const std::vector<Hazard> hazards = executable.hazards(addresses, inputs);
    ASSERT_FALSE(hazards.empty());
    for (const Hazard& each : hazards) {
        EXPECT_EQ(each.by, Overwriter::kProgramMemory);
        EXPECT_EQ(each.buffer, all.buffer().id());
        EXPECT_GT(each.overwritten_bytes(), 0U);
    }
}

}  // namespace
}  // namespace tilemeter::trace
