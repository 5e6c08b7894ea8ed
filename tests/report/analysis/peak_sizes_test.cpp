// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Peaks by size against those of captures in which everything runs (NORMAL).

#include "report/analysis/gate/peak_sizes.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/sizes.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/device/place/placed_size.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::int64_t kSizes[] = {1,   2,   3,   16,  31,  32,  33,  40,  63,  64,  65,
                                   95,  96,  97,  100, 127, 128, 129, 150, 160, 191, 192,
                                   193, 200, 223, 224, 225, 250, 255, 256, 257, 300};

struct Run {
    std::optional<std::uint64_t> l1, dram;  ///< none: it failed
    std::string message;
};

// Everything runs.
Run run_normally(const Workload& workload, std::int64_t size) {
    Run run;
    graph::ScopedGraphCapture capture(graph::RunMode::NORMAL);
    bool has_run = true;
    try {
        workload(size);
    } catch (const RuntimeError& error) {
        has_run = false;
        run.message = error.what();
    }
    const NodeList list = node_list_of(capture.end_capture());
    const PeakAnswer peak = find_peak(list, find_lifetimes(list));
    if (!has_run) return run;
    run.l1 = peak.l1() == nullptr ? 0 : peak.l1()->bytes;
    run.dram = peak.dram() == nullptr ? 0 : peak.dram()->bytes;
    return run;
}

// The largest that fits runs, the next one fails with the same words.
void expect_boundary(const PeakSizes& peaks, const Workload& workload) {
    ASSERT_TRUE(peaks.largest);
    ASSERT_TRUE(peaks.next);
    EXPECT_EQ(peaks.next->size, peaks.largest->size + 1);
    EXPECT_TRUE(run_normally(workload, peaks.largest->size).l1);
    const Run failing = run_normally(workload, peaks.next->size);
    EXPECT_FALSE(failing.l1);
    // Programs are counted in the process: all but the number is the same.
    const auto figures = [](const std::string& message) {
        return message.substr(message.find(" clash with"));
    };
    ASSERT_NE(failing.message.find(" clash with"), std::string::npos) << failing.message;
    EXPECT_EQ(figures(failing.message), figures(peaks.next->message));
    EXPECT_FALSE(peaks.next->operation.empty());
}

void expect_as_normal(const PeakSizes& peaks, const Workload& workload) {
    for (const std::int64_t size : kSizes) {
        const Run run = run_normally(workload, size);
        const auto found = peaks.at(size);
        ASSERT_EQ(found.has_value(), run.l1.has_value()) << size;
        if (!found) continue;
        EXPECT_TRUE(found->is_computed);
        EXPECT_EQ(found->l1_bytes, *run.l1) << size;
        EXPECT_EQ(found->dram_bytes, *run.dram) << size;
    }
}

/// [rows, 512] by [512, 1024], activations in L1.
class Linear {
public:
    explicit Linear(std::shared_ptr<Device> device)
        : device_(std::move(device)), weights_(zeros({512, 1024}, bfloat16, TILE_LAYOUT, device_)) {}

    void operator()(std::int64_t rows) const {
        const Tensor x =
            zeros({static_cast<std::uint32_t>(rows), 512}, bfloat16, TILE_LAYOUT, device_, L1_MEMORY_CONFIG);
        const Tensor y = gelu(matmul(x, weights_, false, false, L1_MEMORY_CONFIG), false, L1_MEMORY_CONFIG);
    }

private:
    std::shared_ptr<Device> device_;
    Tensor weights_;
};

TEST(PeakSizes, of_a_linear_layer_are_those_of_running_it) {
    const test::OpenDevice device;
    const Linear linear(device.get());
    const Workload workload = [&](std::int64_t rows) { linear(rows); };
    const PeakSizes peaks = peak_sizes(workload, {1, 300}, {.seconds = 600});
    ASSERT_TRUE(peaks.is_complete());
    EXPECT_EQ(peaks.computed.size(), 300U);
    EXPECT_NE(text_of(peaks, "b").find("300 sizes, all computed"), std::string::npos);
    expect_as_normal(peaks, workload);
    for (const WorkloadAtSize& each : peaks.computed)
        if (const auto formula = peaks.l1.at(each.size)) {
            EXPECT_EQ(*formula, each.l1_bytes) << each.size;
        }
    const auto jump = peaks.next_l1_jump(1);
    ASSERT_TRUE(jump);
    EXPECT_EQ(peaks.at(jump->size)->l1_bytes, jump->to_bytes);
    EXPECT_EQ(peaks.at(jump->size - 1)->l1_bytes, jump->from_bytes);
}

TEST(PeakSizes, say_what_the_next_size_meets) {
    const test::OpenDevice device;
    const Linear linear(device.get());
    const Workload workload = [&](std::int64_t tiles) { linear(32 * tiles); };
    const PeakSizes peaks = peak_sizes(workload, {1, 2000}, {.seconds = 0.2});
    expect_boundary(peaks, workload);
}

// A function of arrays, traced once for all sizes.
TEST(PeakSizes, of_a_traced_function_are_those_of_running_it_placed) {
    const test::OpenDevice device;
    const std::vector<ir::TensorType> types{{ir::ElementType::kF32, ir::parse_shape("b, 256"), {}},
                                            {ir::ElementType::kF32, ir::parse_shape("256, 512"), {}},
                                            {ir::ElementType::kF32, ir::parse_shape("512"), {}}};
    const auto traced = trace::trace_sizes(
        "linear",
        [](std::span<const trace::Array> x) {
            return std::vector<trace::Array>{trace::tanh(trace::matmul(x[0], x[1]) + x[2])};
        },
        types);
    const Workload workload = trace::placed_by_size(*traced.graph, "b", device.get());
    const PeakSizes peaks = peak_sizes(workload, {1, 300}, {.seconds = 600});
    ASSERT_TRUE(peaks.is_complete());
    expect_as_normal(peaks, workload);
    EXPECT_THROW(trace::placed_by_size(*traced.graph, "n", device.get()), ir::Error);
}

TEST(PeakSizes, that_were_not_computed_are_said_to_be_interpolated_or_not_known) {
    const test::OpenDevice device;
    const Linear linear(device.get());
    std::size_t runs = 0;
    const Workload workload = [&](std::int64_t rows) {
        ++runs;
        linear(rows);
    };
    const PeakSizes peaks = peak_sizes(workload, {1, 300}, {.seconds = 0});
    EXPECT_FALSE(peaks.is_complete());
    EXPECT_LT(peaks.computed.size(), 300U);
    EXPECT_EQ(text_of(peaks, "b").find("all computed"), std::string::npos);
    std::size_t told = peaks.computed.size();
    for (const InterpolatedSpan& each : peaks.interpolated)
        told += static_cast<std::size_t>(each.sizes.end - each.sizes.begin + 1);
    for (const SizeSpan& each : peaks.unknown) {
        told += static_cast<std::size_t>(each.end - each.begin + 1);
        EXPECT_FALSE(peaks.at(each.begin));
    }
    EXPECT_EQ(told, 300U);
}

// Each size takes a millisecond at least, so that what was planned says how long it took.
TEST(PeakSizes, are_not_planned_for_formulas_when_the_time_is_over) {
    const test::OpenDevice device;
    std::size_t runs = 0;
    const Workload irregular = [&](std::int64_t size) {
        ++runs;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const auto tiles = static_cast<std::uint32_t>(1 + size * 2654435761 / 128 % 977);
        zeros({32 * tiles, 32}, bfloat16, TILE_LAYOUT, device.get());
    };
    const PeakSizes peaks = peak_sizes(irregular, {1, 1 << 20}, {.seconds = 0.1});
    constexpr std::size_t kForTheBoundary = 24;
    EXPECT_LE(runs, 100 + kForTheBoundary);
    EXPECT_EQ(runs, peaks.computed.size());
    EXPECT_FALSE(peaks.dram.exact);
    EXPECT_FALSE(peaks.interpolated.empty() && peaks.unknown.empty());
}

TEST(PeakSizes, of_more_sizes_than_there_is_time_for_have_a_formula) {
    const test::OpenDevice device;
    const Workload linear = [&](std::int64_t size) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        zeros({384 * static_cast<std::uint32_t>(size), 32}, bfloat16, TILE_LAYOUT, device.get());
    };
    const PeakSizes peaks = peak_sizes(linear, {1, 1 << 14}, {.seconds = 3});
    EXPECT_LT(peaks.computed.size(), std::size_t{1} << 14);
    ASSERT_TRUE(peaks.dram.exact) << peaks.dram.text("n");
    for (const WorkloadAtSize& each : peaks.computed)
        if (each.fits) {
            EXPECT_EQ(peaks.dram.at(each.size), each.dram_bytes) << each.size;
        }
}

TEST(PeakSizes, that_fail_below_the_largest_that_fits_are_listed) {
    const Workload workload = [](std::int64_t size) {
        if (size % 8 == 5 && size < 60)
            throw std::runtime_error(
                "Out of Memory: Not enough space to allocate 1048576 B L1 buffer across 64 banks, "
                "where each bank needs to store 16384 B, but bank size is only 8192 B");
        if (size > 90)
            throw std::runtime_error(
                "Out of Memory: Not enough space to allocate 2097152 B L1 buffer across "
                "64 banks, where each bank needs to store 32768 B, but bank size is only 8192 B");
    };
    const PeakSizes peaks = peak_sizes(workload, {1, 100}, {.seconds = 60});
    ASSERT_TRUE(peaks.largest && peaks.next);
    EXPECT_EQ(peaks.largest->size, 90);
    EXPECT_EQ(peaks.next->size, 91);
    const std::vector<SizeSpan> expected{{5, 5}, {13, 13}, {21, 21}, {29, 29}, {37, 37}, {45, 45}, {53, 53}};
    EXPECT_EQ(peaks.failing, expected);
    EXPECT_FALSE(peaks.at(5));
    EXPECT_TRUE(peaks.at(6));
    EXPECT_NE(text_of(peaks, "b").find("smaller sizes that fail: 5, 13, 21, 29, 37, 45, 53"),
              std::string::npos);
}

}  // namespace
}  // namespace tilemeter::analysis
