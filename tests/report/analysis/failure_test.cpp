// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Failures that people met, with the figures that were known of them.

#include "report/analysis/memory/failure.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/memory/bank_size.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/nodes/scopes.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

struct ClashCase {
    const char* what;
    std::uint64_t tensor, program_end, overlap;
};
constexpr std::array<ClashCase, 18> kClashes{{{"UNet 480x640", 102400, 102464, 64},
                                              {"DeepSeek MLA, 40 layers", 1563072, 1563264, 192},
                                              {"Stable Diffusion", 941952, 942848, 896},
                                              {"SD UNet 512", 950080, 951392, 1312},
                                              {"Phi-2", 104448, 107936, 3488},
                                              {"UNet p150", 1106944, 1110656, 3712},
                                              {"UNet-brain", 285312, 296160, 10848},
                                              {"YOLOv9c", 1236992, 1250432, 13440},
                                              {"ViT-large", 622592, 654368, 31776},
                                              {"wqkv resharding", 1378048, 1430656, 52608},
                                              {"YOLOv11m", 974336, 1089536, 115200},
                                              {"ResNet50", 267584, 435136, 167552},
                                              {"scatter_add", 567488, 754528, 187040},
                                              {"Gemma-1.1-2B", 665600, 890144, 224544},
                                              {"conv2d report test", 307200, 701376, 394176},
                                              {"MapTR conv2d", 660992, 1087328, 426336},
                                              {"conv2d 203x203", 801280, 1385632, 584352},
                                              {"EfficientNet-B4", 556928, 1143360, 586432}}};

TEST(Clash, overlaps_are_those_of_the_known_cases) {
    for (const ClashCase& it : kClashes) {
        const std::string message =
            "Statically allocated circular buffers in program 6 clash with L1 buffers on core range "
            "[(x=0,y=0) - (x=7,y=7)]. L1 buffer allocated at " +
            std::to_string(it.tensor) + " and static circular buffer region ends at " +
            std::to_string(it.program_end);
        const auto clash = parse_clash(message);
        ASSERT_TRUE(clash) << it.what;
        EXPECT_EQ(clash->overlap_bytes(), it.overlap) << it.what;
        EXPECT_EQ(clash->core_range, "[(x=0,y=0) - (x=7,y=7)]");
    }
}

struct BankCase {
    std::uint64_t total, banks, per_bank, page;
};
constexpr std::array<BankCase, 22> kBankSizes{{{117440512, 12, 9787392, 2048},
                                               {234881024, 12, 19574784, 2048},
                                               {499122176, 12, 41594240, 1088},
                                               {71999488, 12, 6000320, 1088},
                                               {1073741824, 12, 89479168, 2048},
                                               {1244659712, 12, 103723008, 2048},
                                               {141557760, 12, 11796480, 2048},
                                               {1027604480, 12, 85635072, 2048},
                                               {90177536, 12, 7516160, 2048},
                                               {146800640, 12, 12234752, 2048},
                                               {5805965312, 12, 483831808, 2048},
                                               {44493176832, 8, 5561647104, 2048},
                                               {3294625792, 12, 274686208, 201088},
                                               {12943360, 20, 647168, 2048},
                                               {26542080, 48, 552960, 2048},
                                               {48814080, 60, 813568, 64},
                                               {75669504, 64, 1182336, 64},
                                               {52760576, 64, 824384, 64},
                                               {49971200, 64, 780800, 64},
                                               {6214656, 56, 110976, 64},
                                               {1267712, 64, 19808, 32},
                                               {53477376, 64, 835584, 2048}}};

TEST(BankSize, is_what_the_known_out_of_memory_lines_say) {
    for (const BankCase& it : kBankSizes)
        EXPECT_EQ(size_per_bank(it.total, it.page, it.banks), it.per_bank) << it.total;
}

OutOfMemory line(std::uint64_t per_bank, std::uint64_t bank, std::uint64_t free, std::uint64_t largest) {
    const auto parsed = parse_out_of_memory(
        "Out of Memory: Not enough space to allocate 3294625792 B DRAM buffer across 12 banks, where each "
        "bank needs to store " +
        std::to_string(per_bank) + " B, but bank size is " + std::to_string(bank) +
        " B (allocated: " + std::to_string(bank - free) + " B, free: " + std::to_string(free) +
        " B, largest free block: " + std::to_string(largest) + " B).");
    EXPECT_TRUE(parsed);
    return parsed.value_or(OutOfMemory());
}

TEST(OutOfMemory, is_told_apart_as_fragmented_exhausted_or_never_fitting) {
    EXPECT_EQ(line(274686208, 1070773184, 286974112, 216504544).cause(), FailureCause::kFragmented);
    EXPECT_EQ(line(274686208, 1070773184, 286974112, 216504544).missing_bytes(), 274686208U - 216504544U);
    EXPECT_EQ(line(103723008, 1070773184, 15924544, 15924544).cause(), FailureCause::kExhausted);
    EXPECT_EQ(line(5561647104, 4273390016, 4273390016, 4273390016).cause(), FailureCause::kNeverFits);
}

TEST(NoRoomForProgram, is_a_lack_of_what_is_free_below_the_tensors) {
    const FailureMessage read = read_failure_message(
        "LayerNorm streaming circular buffers require 167936 bytes, but only 39550 bytes of the allocator's L1 "
        "span are available");
    EXPECT_EQ(read.cause, FailureCause::kExhausted);
    ASSERT_TRUE(read.no_room_for_program);
    EXPECT_EQ(read.no_room_for_program->missing_bytes(), 167936U - 39550U);
    EXPECT_TRUE(is_lack_of_memory(read.cause));
    EXPECT_EQ(read_failure_message("expected 130 values, but only 129 were given").cause,
              FailureCause::kOther);
}

std::vector<RecordedFailure> failures_of(ListMaker& maker) {
    maker.finish();
    const NodeList list = maker.take();
    return find_failures(list, find_scopes(list));
}

// As a recorder around TT-NN hears of it: what failed is aborted first, what the exception destroys is freed, and the reason
// comes with the outermost function.
TEST(RecordedFailure, within_the_function_that_tells_why_has_its_message) {
    ListMaker maker;
    maker.begin("ttnn.linear");
    maker.begin("TransposeDeviceOperation");
    maker.end();
    maker.begin("composite");
    maker.begin("MatmulDeviceOperation");
    maker.abort();
    maker.begin("Tensor::deallocate");
    maker.end();
    maker.abort();
    maker.fail("TT_FATAL @ file.cpp:79: a == b\ninfo:\nwidths differ\n");
    maker.abort();
    const std::vector<RecordedFailure> failures = failures_of(maker);
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures[0].operation, "ttnn.linear > composite > MatmulDeviceOperation");
    EXPECT_EQ(short_message(failures[0].message), "widths differ");
}

TEST(RecordedFailure, before_another_operation_has_no_message_of_what_failed_later) {
    ListMaker maker;
    maker.begin("model");
    maker.begin("ttnn.matmul");  // caught
    maker.abort();
    maker.begin("ttnn.add");
    maker.end();
    maker.fail("ValueError: mine");
    maker.abort();
    maker.begin("ttnn.relu");
    maker.abort();
    const std::vector<RecordedFailure> failures = failures_of(maker);
    ASSERT_EQ(failures.size(), 2U);
    EXPECT_EQ(failures[0].operation, "model > ttnn.matmul");
    EXPECT_EQ(failures[0].cause(), FailureCause::kNotRecorded) << failures[0].message;
    EXPECT_EQ(failures[1].operation, "ttnn.relu");
    EXPECT_EQ(failures[1].message, "");
}

}  // namespace
}  // namespace tilemeter::analysis
