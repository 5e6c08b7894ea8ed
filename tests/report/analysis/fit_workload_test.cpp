// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Workloads that run: operations of the runtime, planned in NO_DISPATCH, executed where the answer is
// checked.

#include "report/analysis/gate/fit_workload.hpp"

#include <gtest/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::analysis {
namespace {

/// Two layers of a perceptron on [batch, 32, 256], activations in L1.
class Perceptron {
public:
    explicit Perceptron(std::shared_ptr<Device> device)
        : device_(std::move(device)),
          up_(zeros({256, 1024}, bfloat16, TILE_LAYOUT, device_)),
          down_(zeros({1024, 256}, bfloat16, TILE_LAYOUT, device_)) {}

    void operator()(std::int64_t batch) const {
        const Tensor x = zeros({static_cast<std::uint32_t>(batch), 32, 256}, bfloat16, TILE_LAYOUT, device_,
                               L1_MEMORY_CONFIG);
        const Tensor hidden = gelu(matmul(x, up_, false, false, L1_MEMORY_CONFIG), false, L1_MEMORY_CONFIG);
        const Tensor result = matmul(hidden, down_, false, false, L1_MEMORY_CONFIG);
    }

private:
    std::shared_ptr<Device> device_;
    Tensor up_, down_;
};

/// For memory only: elementwise, one tensor in, one out.
void relu_of_rows(const std::shared_ptr<Device>& device, std::int64_t rows) {
    const Tensor x =
        zeros({static_cast<std::uint32_t>(rows), 2048}, bfloat16, TILE_LAYOUT, device, L1_MEMORY_CONFIG);
    const Tensor y = relu(x, L1_MEMORY_CONFIG);
}

bool runs(const Workload& workload, std::int64_t size) {
    try {
        workload(size);
        return true;
    } catch (const RuntimeError&) {
        return false;
    }
}

TEST(FitWorkload, finds_the_largest_batch_of_a_perceptron_and_the_device_agrees) {
    const test::OpenDevice device;
    const Perceptron perceptron(device.get());
    const Workload workload = [&](std::int64_t batch) { perceptron(batch); };
    const WorkloadFit fit = fit_workload(workload, {1, 4096});
    ASSERT_TRUE(fit.largest);
    ASSERT_TRUE(fit.first_failing);
    EXPECT_EQ(fit.first_failing->size, fit.largest->size + 1);
    EXPECT_FALSE(fit.first_failing->message.empty());
    EXPECT_FALSE(fit.first_failing->operation.empty());
    EXPECT_NE(fit.first_failing->cause, FailureCause::kNone);
    EXPECT_TRUE(runs(workload, fit.largest->size)) << "executed, not only planned";
    EXPECT_FALSE(runs(workload, fit.largest->size + 1));
    EXPECT_LT(fit.captures, 400U);
}

TEST(FitWorkload, gives_a_formula_that_holds_at_sizes_it_was_not_made_from) {
    const test::OpenDevice device;
    const Workload workload = [&](std::int64_t rows) { relu_of_rows(device.get(), rows); };
    const WorkloadFit fit = fit_workload(workload, {1, 20000});
    ASSERT_TRUE(fit.largest);
    ASSERT_TRUE(fit.l1.exact);
    EXPECT_GT(fit.l1.verified, 0U);
    for (std::int64_t rows = 1; rows <= fit.largest->size; rows += 397) {
        const WorkloadAtSize measured = run_at_size(workload, rows);
        EXPECT_EQ(fit.l1.at(rows), measured.l1_bytes) << rows << ": " << fit.l1.text("rows");
    }
    EXPECT_EQ(fit.l1.sizes, PeakFormula::Sizes::kRoundedUp) << "tiles have 32 rows";
    EXPECT_EQ(fit.l1.step, 32);
}

TEST(FitWorkload, peaks_are_those_of_a_run) {
    const test::OpenDevice device;
    const Perceptron perceptron(device.get());
    const WorkloadAtSize planned = run_at_size([&](std::int64_t batch) { perceptron(batch); }, 4);
    graph::ScopedGraphCapture capture(graph::RunMode::NORMAL);
    perceptron(4);
    const PeakAnswer peak = find_peak(node_list_of(capture.end_capture()));
    ASSERT_NE(peak.l1(), nullptr);
    EXPECT_EQ(planned.l1_bytes, peak.l1()->bytes);
    EXPECT_EQ(planned.operation, peak.l1()->path);
    EXPECT_TRUE(planned.fits);
}

TEST(FitWorkload, keeps_to_a_budget_below_the_devices) {
    const test::OpenDevice device;
    const Workload workload = [&](std::int64_t rows) { relu_of_rows(device.get(), rows); };
    const std::uint64_t budget = 200'000;
    const WorkloadFit fit = fit_workload(workload, {1, 4096}, {.l1_bytes = budget});
    ASSERT_TRUE(fit.largest);
    EXPECT_LE(fit.largest->l1_bytes, budget);
    ASSERT_TRUE(fit.first_failing);
    EXPECT_GT(fit.first_failing->l1_bytes, budget);
    EXPECT_EQ(fit.first_failing->cause, FailureCause::kExhausted);
    EXPECT_NE(fit.first_failing->message.find("200000 allowed"), std::string::npos);
}

TEST(FitWorkload, passes_on_what_is_no_lack_of_memory) {
    const test::OpenDevice device;
    const Workload broken = [&](std::int64_t) {
        const Tensor a = zeros({32, 64}, bfloat16, TILE_LAYOUT, device.get());
        const Tensor b = zeros({32, 64}, bfloat16, TILE_LAYOUT, device.get());
        const Tensor c = matmul(a, b);
    };
    EXPECT_THROW(fit_workload(broken, {1, 8}), RuntimeError);
    EXPECT_FALSE(graph::is_graph_capture_active());
}

TEST(FitWorkload, leaves_nothing_on_the_device_and_no_capture_open) {
    const test::OpenDevice device;
    const Workload workload = [&](std::int64_t rows) { relu_of_rows(device.get(), rows); };
    graph::ScopedGraphCapture before(graph::RunMode::NORMAL);
    relu_of_rows(device.get(), 64);
    const std::uint64_t address = node_list_of(before.end_capture()).buffers.front().address.size_bytes();
    EXPECT_TRUE(fit_workload(workload, {1, 100000}).first_failing);
    graph::ScopedGraphCapture after(graph::RunMode::NORMAL);
    relu_of_rows(device.get(), 64);
    EXPECT_EQ(node_list_of(after.end_capture()).buffers.front().address.size_bytes(), address);
    EXPECT_FALSE(graph::is_graph_capture_active());
}

// A workload that is cut up beyond some size needs less again.
TEST(FitWorkload, finds_sizes_that_fit_above_ones_that_fail) {
    const test::OpenDevice device;
    const Workload workload = [&](std::int64_t rows) {
        relu_of_rows(device.get(), rows >= 30000 && rows < 60000 ? 64 : rows);
    };
    const WorkloadFit fit = fit_workload(workload, {1, 100000});
    ASSERT_TRUE(fit.largest);
    EXPECT_EQ(fit.largest->size, 59999);
    EXPECT_TRUE(fit.fits_above_failures);
}

}  // namespace
}  // namespace tilemeter::analysis
