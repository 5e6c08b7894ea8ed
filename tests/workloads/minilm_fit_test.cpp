// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest batch of the MiniLM encoder that fits an n150, and its peak as a formula: a whole model, 284 operations,
// planned for each size that is asked for.

#include <gtest/gtest.h>

#include "report/analysis/gate/fit_workload.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tools/minilm_demo/weights.hpp"

namespace tilemeter::demo {
namespace {

using analysis::PeakFormula;
using analysis::WorkloadFit;

class MiniLmFit : public testing::Test {
protected:
    void encode(std::int64_t batch) const {
        const auto sentences = static_cast<std::uint32_t>(batch);
        const Tensor tokens = zeros({sentences, Encoder::kSequence}, uint32, ROW_MAJOR_LAYOUT, device_.get());
        const Tensor mask =
            zeros({sentences, 1, 1, Encoder::kSequence}, bfloat16, TILE_LAYOUT, device_.get());
        const Tensor hidden = encoder_(tokens, mask);
    }
    bool runs(std::int64_t batch) const {
        try {
            encode(batch);
            return true;
        } catch (const RuntimeError&) {
            return false;
        }
    }

    const analysis::Workload workload_ = [this](std::int64_t batch) { encode(batch); };
    const test::OpenDevice device_;
    const Encoder encoder_{{}, zero_weights(device_.get())};
};

TEST_F(MiniLmFit, has_a_largest_batch_that_the_device_confirms) {
    const WorkloadFit fit = analysis::fit_workload(workload_, {1, 256});
    ASSERT_TRUE(fit.largest);
    ASSERT_TRUE(fit.first_failing);
    EXPECT_EQ(fit.first_failing->size, fit.largest->size + 1);
    EXPECT_NE(fit.first_failing->cause, analysis::FailureCause::kNone);
    EXPECT_FALSE(fit.first_failing->message.empty());
    RecordProperty("largest_batch", static_cast<int>(fit.largest->size));
    EXPECT_FALSE(runs(fit.largest->size + 1));
}

TEST_F(MiniLmFit, has_formulas_of_its_peaks_that_hold_at_every_size) {
    const WorkloadFit fit = analysis::fit_workload(workload_, {1, 24});
    ASSERT_TRUE(fit.largest);
    for (const std::int64_t batch : {1, 2, 3, 5, 8, 13, 21}) {
        if (batch > fit.largest->size) break;
        const analysis::WorkloadAtSize measured = analysis::run_at_size(workload_, batch);
        EXPECT_EQ(fit.l1.at(batch), measured.l1_bytes) << batch << ": " << fit.l1.text("batch");
        EXPECT_EQ(fit.dram.at(batch), measured.dram_bytes) << batch << ": " << fit.dram.text("batch");
    }
    EXPECT_TRUE(fit.l1.exact) << "over so few sizes pieces always suffice";
    EXPECT_TRUE(fit.dram.exact);
}

}  // namespace
}  // namespace tilemeter::demo
