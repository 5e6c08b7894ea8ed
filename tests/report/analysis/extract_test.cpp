// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's recorded answers, and the right figures where those are wrong.

#include "report/analysis/ttnn/extract.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/answers/corrected_usage.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::analysis {
namespace {

namespace fs = std::filesystem;

const fs::path kShared(test::shared_folder());

bool analysis_check_passes(const std::string& files) {
    const std::string program = test::shell_word(test::program_folder() + "/analysis_check");
    return std::system((program + " " + files + " > /dev/null").c_str()) == 0;
}

// The answers of TT-NN 0.81.1, errors included: real captures, lists with several outputs, devices, dialects, and lists
// damaged in every place.
TEST(AnalysisCheck, agrees_with_ttnn_on_recorded_calls) {
    EXPECT_TRUE(
        analysis_check_passes(test::shell_word(test::data_folder() + "/analysis/recorded_calls.json")));
}

TEST(AnalysisCheck, agrees_with_ttnn_on_all_recorded_calls_and_reports) {
    if (!fs::exists(kShared / "facts/analysis-cases.json"))
        GTEST_SKIP() << "no shared data beside the repository";
    std::string files = test::shell_word((kShared / "facts/analysis-cases.json").string());
    for (const auto& entry : fs::recursive_directory_iterator(kShared / "reports"))
        if (entry.path().filename() == "expect.json") files += " " + test::shell_word(entry.path().string());
    EXPECT_TRUE(analysis_check_passes(files));
}

/// A recording of the repository, or of the developers' larger recordings; empty if it is in neither.
fs::path recorded(const std::string& name) {
    const fs::path own = fs::path(test::data_folder()) / "capture" / (name + ".report.json");
    if (fs::exists(own)) return own;
    const fs::path shared = kShared / "reports" / name / "report.json";
    return fs::exists(shared) ? shared : fs::path();
}

struct Wrong {
    const char* report;
    std::uint64_t CorrectedUsage::*figure;
    std::uint64_t truth;
};

// real-report-surprises, part C: figures that TT-NN gets wrong, against a replay.
TEST(Truth, is_right_where_ttnn_is_known_to_be_wrong) {
    std::size_t seen = 0;
    for (const Wrong& it :
         {Wrong{"edge_free_before_window.n150.NORMAL", &CorrectedUsage::peak_l1, 2048},
          Wrong{"edge_free_before_window.n150.NORMAL", &CorrectedUsage::peak_l1_memory_usage, 65536},
          Wrong{"edge_huge.n150.NO_DISPATCH", &CorrectedUsage::peak_l1_memory_usage, 10737434624},
          Wrong{"mesh_mlp.n300.NORMAL", &CorrectedUsage::peak_cb, 12288},
          Wrong{"mesh_mlp.n300.NO_DISPATCH", &CorrectedUsage::peak_cb, 12288},
          Wrong{"mesh_mlp.n300.NORMAL", &CorrectedUsage::peak_total, 20480},
          Wrong{"attention_sdpa.n150.NORMAL", &CorrectedUsage::peak_total, 63488},
          Wrong{"decoder2.n150.NO_DISPATCH", &CorrectedUsage::peak_total, 299008},
          Wrong{"decode_step.n150.NO_DISPATCH", &CorrectedUsage::peak_total, 489472},
          Wrong{"bert_tiny.n150.NORMAL", &CorrectedUsage::peak_total, 26624},
          Wrong{"resnet_block.n150.NORMAL", &CorrectedUsage::peak_l1_memory_usage, 2022420},
          Wrong{"edge_dram_l1_inputs.n150.NORMAL", &CorrectedUsage::peak_l1_memory_usage_with_older, 143360},
          Wrong{"edge_l1_dram_inputs.n150.NORMAL", &CorrectedUsage::peak_l1_memory_usage_with_older,
                143360}}) {
        const fs::path report = recorded(it.report);
        if (report.empty()) continue;
        const auto list = load_node_list(report);
        ASSERT_TRUE(list.ok()) << it.report;
        EXPECT_EQ(corrected_usage(list.value(), find_lifetimes(list.value())).*it.figure, it.truth)
            << it.report;
        ++seen;
    }
    EXPECT_GE(seen, 7U) << "those of the repository";
}

TEST(Truth, gives_outputs_their_whole_size_beyond_32_bits) {
    const auto list = load_node_list(recorded("edge_huge.n150.NO_DISPATCH"));
    ASSERT_TRUE(list.ok());
    const auto outputs = corrected_outputs(list.value(), find_lifetimes(list.value()));
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_EQ(outputs[0].size_bytes, 5368709120U);
    EXPECT_EQ(extract_output_info(list.value()).at(0).size, 1073741824U) << "TT-NN's, modulo 2^32";
}

TEST(Truth, counts_nothing_in_an_empty_capture_and_all_outputs_of_the_last_operations) {
    const auto empty = load_node_list(recorded("edge_empty.n150.NORMAL"));
    ASSERT_TRUE(empty.ok());
    const TensorCounts none = corrected_tensor_counts(empty.value(), find_scopes(empty.value()));
    EXPECT_EQ(none.outputs, 0U);
    EXPECT_EQ(none.intermediate, 0U);
    EXPECT_TRUE(corrected_outputs(empty.value(), find_lifetimes(empty.value())).empty());
    EXPECT_THROW(count_intermediate_and_output_tensors(empty.value()), AnalysisError) << "as TT-NN";
}

TEST(Truth, fills_in_cached_programs_from_the_first_run) {
    if (!fs::exists(kShared / "reports")) GTEST_SKIP() << "no shared data beside the repository";
    const auto first = load_node_list(kShared / "reports/decoder2.n150.NO_DISPATCH/report.json");
    const auto cached = load_node_list(kShared / "reports/decoder2_cached.n150.NORMAL/report.json");
    ASSERT_TRUE(first.ok() && cached.ok());
    const ProgramLibrary library = find_lifetimes(first.value()).library(first.value());
    const CorrectedUsage usage = corrected_usage(cached.value(), find_lifetimes(cached.value(), &library));
    EXPECT_EQ(usage.peak_cb, 63488U) << "TT-NN says 0";
    EXPECT_EQ(usage.unknown_programs, 0U);
    EXPECT_EQ(find_peak(cached.value(), &library).l1()->bytes, 299008U);
}

TEST(Truth, counts_all_calls_of_a_name_and_all_tensors_created) {
    if (!fs::exists(kShared / "reports")) GTEST_SKIP() << "no shared data beside the repository";
    const auto big = load_node_list(kShared / "reports/decoder24.n150.NORMAL/report.json");
    ASSERT_TRUE(big.ok());
    const auto times = operation_times(big.value(), find_scopes(big.value()));
    EXPECT_NEAR(static_cast<double>(times.at("ttnn.linear").total_ns) / 1e9, 0.0573, 0.0001);
    const auto small = load_node_list(kShared / "reports/decoder2.n150.NORMAL/report.json");
    const TensorCounts counts = corrected_tensor_counts(small.value(), find_scopes(small.value()));
    EXPECT_EQ(counts.created, 32U);
    EXPECT_EQ(counts.outputs, 1U);
    EXPECT_EQ(counts.intermediate, 31U);
}

// The same on a recording of the repository: figures added up from its JSON by hand.
TEST(Truth, counts_both_calls_of_linear_and_all_tensors_created_in_an_attention) {
    const auto list = load_node_list(recorded("attention_sdpa.n150.NORMAL"));
    ASSERT_TRUE(list.ok());
    const auto times = operation_times(list.value(), find_scopes(list.value()));
    EXPECT_EQ(times.at("ttnn.linear").calls, 2U);
    EXPECT_EQ(times.at("ttnn.linear").total_ns, 117592255U);
    const TensorCounts counts = corrected_tensor_counts(list.value(), find_scopes(list.value()));
    EXPECT_EQ(counts.created, 7U);
    EXPECT_EQ(counts.outputs, 1U);
    EXPECT_EQ(counts.intermediate, counts.created - 1);
}

/// Expects of each run in NORMAL below the folder that no core's peak is above physical L1, and that its
/// contributors add up to it. Returns how many runs there are.
std::size_t expect_peaks_within_l1(const fs::path& folder) {
    std::size_t seen = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().filename() != "report.json" ||
            entry.path().string().find("NO_DISPATCH") != std::string::npos)
            continue;
        const auto list = load_node_list(entry.path());
        EXPECT_TRUE(list.ok()) << entry.path();
        if (!list.ok()) continue;
        for (const DevicePeak& device : find_peak(list.value()).devices) {
            EXPECT_LE(device.l1.bytes, 1499136U) << entry.path();
            std::uint64_t sum = 0;
            for (const Contributor& it : device.l1.contributors)
                sum += it.bytes;
            EXPECT_EQ(sum, device.l1.bytes) << entry.path();
        }
        ++seen;
    }
    return seen;
}

TEST(Peak, never_exceeds_physical_l1_in_a_real_run_that_passed) {
    EXPECT_EQ(expect_peaks_within_l1(fs::path(test::data_folder()) / "reports"), 7U);
}

TEST(Peak, never_exceeds_physical_l1_in_all_real_runs_that_passed) {
    if (!fs::exists(kShared / "reports")) GTEST_SKIP() << "no shared data beside the repository";
    EXPECT_GT(expect_peaks_within_l1(kShared / "reports"), 40U);
}

}  // namespace
}  // namespace tilemeter::analysis
