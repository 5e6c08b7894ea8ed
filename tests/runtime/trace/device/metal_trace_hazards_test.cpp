// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whom metal traces overwrite, against a shadow of every bank, and the patterns that users lose tensors by.

#include "runtime/trace/device/replay/metal_trace_hazards.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capture/record/private_log.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/memory_shadow.hpp"
#include "tests/runtime/trace/device/replayed.hpp"

namespace tilemeter::trace {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): its helpers

struct Captured {
    MeshTraceId id{};
    Tensors results;
    record::ThreadSlice events;
};

/// Runs the function first, so that its programs are there.
Captured capture(Device& device, const TensorFunction& function, Inputs inputs) {
    function(inputs);
    const record::PrivateLog log;
    Captured captured;
    captured.id = begin_trace_capture(device);
    try {
        captured.results = function(inputs);
    } catch (...) {
        release_trace(device, captured.id);
        throw;
    }
    end_trace_capture(device, captured.id);
    captured.events = log.events();
    return captured;
}

const std::vector<TensorFunction> kFunctions = {
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

/// One random sequence of metal traces, executions, allocations and frees on one device.
class CaptureSequence {
public:
    CaptureSequence(const std::shared_ptr<Device>& device, unsigned seed)
        : device_(device), random_(seed), shadow_(device->description()) {
        while (inputs_.size() < 2)
            allocate(inputs_, false);
    }

    void run(int steps) {
        for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
            switch (below(6)) {
                case 0:
                    take();
                    break;
                case 1:
                case 2:
                    allocate(live_, below(6) == 0);
                    break;
                case 3:
                    drop();
                    break;
                default:
                    if (!traces_.empty()) check(traces_[below(traces_.size())]);
            }
        }
    }
    int hazardous() const { return hazardous_; }
    int harmless() const { return harmless_; }

private:
    std::size_t below(std::size_t count) { return random_() % count; }

    // Large ones fill L1 from the top, down to where programs have their memory.
    void allocate(Tensors& to, bool large) {
        const auto rows = static_cast<std::uint32_t>(large ? 200 + below(300) : 1 + below(40));
        const record::PrivateLog log;
        try {
            to.push_back(empty({1, 1, rows * 32, large ? 1024U : 64U}, DataType::BFLOAT16, Layout::TILE,
                               device_, large || below(3) == 0 ? L1_MEMORY_CONFIG : DRAM_MEMORY_CONFIG));
        } catch (const OutOfMemoryError&) {
        }
        shadow_.follow(log.events());
    }
    void drop() {
        if (live_.empty()) return;
        const record::PrivateLog log;
        const auto which = live_.begin() + static_cast<std::ptrdiff_t>(below(live_.size()));
        which->deallocate();
        live_.erase(which);
        shadow_.follow(log.events());
    }
    void take() {
        const TensorFunction& function = kFunctions[below(kFunctions.size())];
        try {
            Captured captured = capture(*device_, function, inputs_);
            shadow_.follow(captured.events);
            if (below(2) == 0) live_.insert(live_.end(), captured.results.begin(), captured.results.end());
            const record::PrivateLog log;
            captured.results.clear();
            shadow_.follow(log.events());
            traces_.push_back(std::move(captured));
        } catch (const OutOfMemoryError&) {
        } catch (const ProgramMemoryClashError&) {
        }
    }
    void check(const Captured& captured) {
        std::set<std::uint64_t> own;
        captured.events.for_each(captured.events.begin, captured.events.end, [&](const record::Event& event) {
            if (event.kind == record::EventKind::kBufferAllocate) own.insert(event.id);
        });
        Changes changes = shadow_.changes_of(captured.events);
        std::erase_if(changes, [&](const auto& each) { return own.contains(std::get<3>(each)); });
        const std::vector<Hazard> hazards = metal_trace_hazards(*device_, captured.id);
        ASSERT_EQ(named_by(hazards), changes);
        ++(hazards.empty() ? harmless_ : hazardous_);
        const record::PrivateLog log;
        execute_trace(*device_, captured.id);
        std::size_t events = 0;
        log.events().for_each(log.events().begin, log.events().end, [&](const record::Event&) { ++events; });
        EXPECT_EQ(events, 0U);
    }

    std::shared_ptr<Device> device_;
    std::mt19937 random_;
    Shadow shadow_;
    Tensors inputs_, live_;
    std::vector<Captured> traces_;
    int hazardous_ = 0;
    int harmless_ = 0;
};

TEST(MetalTraceHazards, name_what_executions_change_in_random_sequences) {
    expect_in_random_sequences<CaptureSequence>(60, 30);
}

TEST(MetalTraceHazards, of_tensors_made_later_only_those_that_lie_where_the_trace_works) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {1, 1, 64, 64})};
    const Captured captured = capture(
        *device.get(), [](Inputs x) { return Tensors{multiply(relu(x[0]), 2.0F)}; }, inputs);
    EXPECT_TRUE(metal_trace_hazards(*device.get(), captured.id).empty());
    Tensor in_the_way = counted(device.get(), {1, 1, 64, 64});  // the place of relu's result
    const Tensor aside = counted(device.get(), {1, 1, 64, 64});
    const std::vector<Hazard> hazards = metal_trace_hazards(*device.get(), captured.id);
    ASSERT_EQ(hazards.size(), 1U);
    EXPECT_EQ(hazards[0].buffer, in_the_way.buffer().id());
    EXPECT_EQ(hazards[0].by, Overwriter::kBuffer);
    EXPECT_EQ(record::text_of(hazards[0].by_operation), "ttnn::relu");
    EXPECT_EQ(hazards[0].overwritten_bytes(), 4U * 2048);
    execute_trace(*device.get(), captured.id);  // TT-NN's scripts go on
    in_the_way.deallocate();
    EXPECT_TRUE(metal_trace_hazards(*device.get(), captured.id).empty());
}

TEST(MetalTraceHazards, two_traces_alive_and_results_that_are_kept) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {1, 1, 64, 64})};
    Captured first = capture(
        *device.get(), [](Inputs x) { return Tensors{multiply(relu(x[0]), 2.0F)}; }, inputs);
    const Captured second = capture(
        *device.get(), [](Inputs x) { return Tensors{exp(x[0])}; }, inputs);
    // The second's result lies where the first computes relu.
    const std::vector<Hazard> hazards = metal_trace_hazards(*device.get(), first.id);
    ASSERT_EQ(hazards.size(), 1U);
    EXPECT_EQ(hazards[0].buffer, second.results[0].buffer().id());
    EXPECT_TRUE(metal_trace_hazards(*device.get(), second.id).empty());

    const std::vector<Hazard> own = metal_trace_hazards(*device.get(), second.id, OwnResults::kIncluded);
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].buffer, second.results[0].buffer().id());
    EXPECT_EQ(own[0].by, Overwriter::kItself);
    EXPECT_EQ(own[0].overwritten_bytes(), 4U * 2048);
    EXPECT_NE(own[0].to_string().find("ttnn::exp of the trace writes it anew, 8192 B"), std::string::npos)
        << own[0].to_string();
    release_trace(*device.get(), first.id);
    EXPECT_THROW(metal_trace_hazards(*device.get(), first.id), RuntimeError);
}

TEST(MetalTraceHazards, are_asked_of_traces_that_are_captured_and_have_programs) {
    const OpenDevice device;
    const MeshTraceId open = begin_trace_capture(*device.get());
    EXPECT_THROW(metal_trace_hazards(*device.get(), open), RuntimeError);
    end_trace_capture(*device.get(), open);
    EXPECT_TRUE(metal_trace_hazards(*device.get(), open).empty());
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const MeshTraceId planned = begin_trace_capture(*device.get());
    end_trace_capture(*device.get(), planned);
    EXPECT_THROW(metal_trace_hazards(*device.get(), planned), RuntimeError);
    GraphProcessor::end_graph_capture();
}

}  // namespace
}  // namespace tilemeter::trace
