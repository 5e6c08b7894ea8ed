// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/peak.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/captured_report.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

using test::load_captured;

using Buffer = ListMaker::BufferInfo;
using Piece = ListMaker::Piece;

std::uint64_t sum(const MemoryPeak& peak) {
    return std::accumulate(peak.contributors.begin(), peak.contributors.end(), std::uint64_t{0},
                           [](std::uint64_t bytes, const Contributor& it) { return bytes + it.bytes; });
}

TEST(Peak, of_a_real_add_is_three_circular_buffers_and_three_tensors) {
    const NodeList list = load_captured("add.n150.NORMAL");
    const PeakAnswer peak = find_peak(list);
    ASSERT_NE(peak.l1(), nullptr);
    EXPECT_EQ(peak.l1()->bytes, 18432U);
    EXPECT_EQ(peak.l1()->program_bytes, 12288U);
    EXPECT_EQ(peak.l1()->operation, "ttnn.add");
    EXPECT_EQ(peak.l1()->path, "ttnn.add > BinaryNgDeviceOperation");
    EXPECT_EQ(peak.l1()->limit_bytes, 1393312U);
    EXPECT_EQ(peak.l1()->physical_bytes, 1499136U);
    EXPECT_EQ(peak.l1()->bound, Bound::kExact);
    EXPECT_EQ(sum(*peak.l1()), peak.l1()->bytes);
    EXPECT_EQ(peak.dram(), nullptr);
    EXPECT_EQ(peak.devices.size(), 1U);
    EXPECT_EQ(peak.unknown_program_count, 0U);
}

TEST(Peak, takes_the_fuller_core_when_circular_buffers_lie_on_different_cores) {
    // 1 MiB on one core, 750 KiB on another, a tensor of 200 KiB on both: no core has 1.73 MiB.
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 200 * 1024});
    maker.deallocate_all();
    maker.piece({.size = 1024 * 1024, .cores = "{[0-0 - 0-0]}"});
    maker.piece({.size = 750 * 1024, .cores = "{[1-0 - 1-0]}"});
    maker.end();
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->bytes, 1224U * 1024U);
    EXPECT_EQ(peak.l1()->core, (Core{0, 0}));
    EXPECT_EQ(sum(*peak.l1()), peak.l1()->bytes);
}

TEST(Peak, releases_program_memory_when_its_function_ends) {
    ListMaker maker;
    maker.begin("first");
    maker.deallocate_all();
    maker.piece({.size = 1000});
    maker.end();
    maker.begin("second");
    maker.buffer({.per_bank = 500});
    maker.end();
    EXPECT_EQ(find_peak(maker.take()).l1()->bytes, 1000U);
}

TEST(Peak, of_a_mesh_is_that_of_one_chip) {
    for (const bool with_ids : {true, false}) {
        ListMaker maker;
        maker.begin("op");
        maker.deallocate_all(0);
        for (const std::uint64_t size : {100, 200, 300})
            for (std::int64_t chip = 0; chip < 8; ++chip)
                maker.piece({.size = size, .device = with_ids ? Number(7 - chip) : Number()});
        for (std::int64_t chip = 0; chip < 8; ++chip)
            maker.execute(0, chip);
        maker.end();
        const PeakAnswer peak = find_peak(maker.take());
        EXPECT_EQ(peak.l1()->bytes, 600U) << (with_ids ? "with" : "without") << " device ids";
        EXPECT_EQ(peak.devices.size(), 1U);
    }
}

TEST(Peak, counts_every_kind_once_and_shared_memory_not_at_all) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 64, .memory = MemoryType::kL1Small});
    maker.deallocate_all();
    maker.piece({.size = 1000});
    maker.piece({.size = 2000, .kind = ProgramMemoryKind::kDataflowBuffer});
    maker.piece({.size = 4000, .kind = ProgramMemoryKind::kScratchpad});
    maker.piece({.size = 8000, .kind = ProgramMemoryKind::kOther});
    maker.piece({.size = 16000, .shared = true});
    maker.piece({.size = 32000, .shared = true, .kind = ProgramMemoryKind::kDataflowBuffer});
    maker.end();
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->bytes, 15064U);
    EXPECT_EQ(peak.l1()->contributors.size(), 5U);
}

TEST(Peak, has_buffers_from_before_the_capture_until_they_are_released) {
    ListMaker maker;
    const Buffer old{.per_bank = 4096};
    const auto node = maker.buffer(old, true);
    maker.begin("op");
    maker.buffer({.per_bank = 1000});
    maker.free(node, old);
    maker.buffer({.per_bank = 2000});
    maker.end();
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->bytes, 5096U);
    EXPECT_EQ(peak.devices[0].window_only_l1_bytes, 3000U);
}

TEST(Peak, of_a_real_list_that_frees_an_older_buffer_does_not_wrap) {
    const PeakAnswer peak = find_peak(load_captured("edge_free_before_window.n150.NORMAL"));
    EXPECT_EQ(peak.devices[0].window_only_l1_bytes, 2048U);
    EXPECT_EQ(peak.l1()->bytes, 34816U);
}

TEST(Peak, adds_sizes_beyond_32_bits) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 5'000'000'000});
    maker.buffer({.per_bank = 5'000'000'000});
    maker.end();
    EXPECT_EQ(find_peak(maker.take()).l1()->bytes, 10'000'000'000U);
}

TEST(Peak, says_what_is_not_known_and_fills_in_the_same_programs_earlier_run) {
    ListMaker maker;
    const auto run = [&](std::string_view argument, bool recorded) {
        maker.begin("op");
        maker.argument(argument);
        maker.deallocate_all();
        if (recorded) maker.piece({.size = 700});
        maker.execute();
        maker.end();
    };
    run("0x55aa11", true);
    maker.begin("tensor");
    maker.buffer({.per_bank = 50});
    maker.end();
    run("0x7f0022", false);  // a cache hit of the same program: only a host address differs
    run("other", false);     // never seen
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->bytes, 750U);
    EXPECT_EQ(peak.filled_in_programs, 1U);
    EXPECT_EQ(peak.unknown_program_count, 1U);
    EXPECT_EQ(peak.programs_from_library, 0U);
    EXPECT_EQ(
        peak.caveats,
        (std::vector<std::string>{
            "1 of 3 programs ran without a record of what they took in L1: the L1 peak is a lower bound (a "
            "NO_DISPATCH capture has it all)",
            "1 program left no record of what it took (program-cache hits leave none): counted as in a "
            "recorded run of the same program in this capture"}));
}

TEST(Peak, says_which_programs_are_known_from_the_other_capture) {
    const auto list = [](bool first_recorded, bool others_recorded) {
        ListMaker maker;
        for (const char* const argument : {"a", "a", "b", "c", "d"}) {
            maker.begin("op");
            maker.argument(argument);
            maker.deallocate_all();
            const bool first = *argument == 'a';
            if (first ? first_recorded : others_recorded && *argument != 'd') maker.piece({.size = 700});
            first_recorded = first_recorded && !first;  // the second run comes from the cache
            maker.execute();
            maker.end();
        }
        return maker.take();
    };
    const NodeList planned = list(true, true);
    const ProgramLibrary library = find_lifetimes(planned).library(planned);
    const NodeList run = list(true, false);
    const MemoryLifetimes lifetimes = find_lifetimes(run, &library);
    std::vector<ProgramRecord> records;
    for (const ProgramLifetime& program : lifetimes.programs)
        records.push_back(program.record);
    EXPECT_EQ(records, (std::vector<ProgramRecord>{ProgramRecord::kRecorded, ProgramRecord::kFilledIn,
                                                   ProgramRecord::kFromLibrary, ProgramRecord::kFromLibrary,
                                                   ProgramRecord::kUnknown}));
    const PeakAnswer peak = find_peak(run, lifetimes);
    EXPECT_EQ(peak.filled_in_programs, 1U);
    EXPECT_EQ(peak.programs_from_library, 2U);
    EXPECT_EQ(peak.unknown_program_count, 1U);
    ASSERT_EQ(peak.caveats.size(), 3U);
    EXPECT_EQ(
        peak.caveats[1],
        "1 program left no record of what it took (program-cache hits leave none): counted as in a recorded "
        "run of the same program in this capture");
    EXPECT_EQ(
        peak.caveats[2],
        "2 programs left no record of what they took in this capture: counted as for the same program in "
        "the other capture");
}

// A recorder that tells of circular buffers only (layouts of other kinds are not known to it) leaves programs in
// part. A capture that tells all has the rest, and says of programs without memory that they take none.
TEST(Peak, takes_kinds_that_the_recorder_does_not_tell_of_from_the_other_capture) {
    const auto list = [](record::Completeness others, const char* last) {
        ListMaker maker;
        for (const char* const argument : {"both", "dataflow", "nothing", last}) {
            const std::string_view what = argument;
            const bool whole = others == record::Completeness::kComplete;
            maker.begin("op");
            maker.argument(argument);
            if (what == "both") maker.piece({.size = 700});
            if (whole && (what == "both" || what == "dataflow"))
                maker.piece({.size = 500, .kind = ProgramMemoryKind::kDataflowBuffer});
            if (whole && what == "both")
                maker.piece({.size = 500, .kind = ProgramMemoryKind::kDataflowBuffer});
            maker.execute();
            maker.end();
        }
        maker.finish();
        NodeList made = maker.take();
        made.program_memory_told =
            record::ProgramMemoryKept{.dataflow_buffers = others, .scratchpads = others};
        return made;
    };
    const NodeList planned = list(record::Completeness::kComplete, "nothing");
    const NodeList run = list(record::Completeness::kNone, "nothing");
    const auto gap = [](const PeakAnswer& answer) {
        return answer.judgement.find(Reason::Kind::kProgramsNotRecorded);
    };
    const PeakAnswer alone = find_peak(run);
    EXPECT_EQ(alone.l1()->bytes, 700U);
    EXPECT_EQ(alone.l1()->bound, Bound::kAtLeast);
    ASSERT_NE(gap(alone), nullptr);
    EXPECT_EQ(gap(alone)->count, 4U);
    EXPECT_EQ(gap(alone)->detail, "dataflow buffers, scratchpads");

    const ProgramLibrary library = find_lifetimes(planned).library(planned);
    const PeakAnswer whole = find_peak(run, &library);
    EXPECT_EQ(find_peak(planned).l1()->bytes, 1700U);
    EXPECT_EQ(whole.l1()->bytes, 1700U);
    EXPECT_EQ(whole.l1()->bound, Bound::kExact);
    EXPECT_EQ(gap(whole), nullptr);
    EXPECT_EQ(whole.programs_from_library, 4U);
    EXPECT_EQ(whole.caveats.back(),
              "1 program left no record of all that it took in this capture: the rest is counted as for the "
              "same program in the other capture");

    // A program that the other capture lacks, or a capture that lacks the same kinds, leaves it a lower bound.
    const NodeList longer = list(record::Completeness::kNone, "unseen");
    const PeakAnswer lower = find_peak(longer, &library);
    EXPECT_EQ(lower.l1()->bound, Bound::kAtLeast);
    ASSERT_NE(gap(lower), nullptr);
    EXPECT_EQ(gap(lower)->count, 1U);
    const ProgramLibrary same = find_lifetimes(run).library(run);
    EXPECT_EQ(find_peak(run, &same).l1()->bound, Bound::kAtLeast);
}

TEST(Peak, counts_bytes_under_two_circular_buffers_once_where_addresses_are_known) {
    ListMaker maker;
    maker.begin("op");
    maker.deallocate_all();
    maker.piece({.size = 1000, .address = 100000});
    maker.piece({.size = 1000, .address = 100500});
    maker.piece({.size = 400, .address = 100100});
    maker.end();
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->bytes, 1500U);
    EXPECT_EQ(sum(*peak.l1()), 1500U);
}

TEST(Peak, tells_temporary_persistent_and_stale_apart) {
    ListMaker maker;
    const Buffer small{.per_bank = 10};
    maker.begin("first");
    const auto stale = maker.buffer(small);
    maker.buffer({.per_bank = 20});  // alive at the end: an output of the capture, for all that is known
    maker.end();
    maker.begin("second");
    const auto temporary = maker.buffer({.per_bank = 1000});
    maker.buffer({.per_bank = 100});
    maker.free(temporary, {.per_bank = 1000});
    maker.end();
    maker.free(stale, small);
    maker.finish();
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->temporary_bytes, 1000U);
    EXPECT_EQ(peak.l1()->persistent_bytes, 120U);
    EXPECT_EQ(peak.l1()->stale_bytes, 10U);
}

/// Four tensors of 100 bytes each; the matmul fails while all are there, and the caller uses them afterwards
/// or does not get to it.
NodeList failed_with_four_tensors(bool caught_within) {
    ListMaker maker;
    const Buffer hundred{.per_bank = 100};
    std::vector<std::int64_t> tensors;
    for (int i = 0; i < 4; ++i) {
        maker.begin("ttnn.relu");
        tensors.push_back(maker.buffer(hundred));
        maker.end();
    }
    // This one was over before anything failed.
    maker.begin("ttnn.relu");
    const auto released = maker.buffer({.per_bank = 7});
    maker.end();
    maker.begin("ttnn.exp");
    const auto most = maker.buffer({.per_bank = 5000});
    maker.free(most, {.per_bank = 5000});
    maker.end();
    maker.free(released, {.per_bank = 7});
    maker.begin("ttnn.matmul");
    const auto output = maker.buffer({.per_bank = 6000});
    maker.free(output, {.per_bank = 6000});
    maker.fail("Out of Memory");
    maker.end();
    if (caught_within) {
        for (int i = 0; i < 3; ++i) {
            maker.begin("ttnn.add");
            maker.end();
        }
    }
    for (const auto tensor : tensors)  // by the caller, or by the exception that unwinds it
        maker.free(tensor, hundred);
    maker.finish();
    return maker.take();
}

TEST(Peak, takes_nothing_for_stale_that_only_a_failure_ended) {
    for (const bool caught_within : {true, false}) {
        const NodeList list = failed_with_four_tensors(caught_within);
        const PeakAnswer peak = find_peak(list);
        EXPECT_EQ(peak.l1()->operation, "ttnn.matmul");
        EXPECT_EQ(peak.l1()->stale_bytes, 0U) << caught_within;
        EXPECT_EQ(peak.l1()->persistent_bytes, 400U);
        EXPECT_EQ(peak.l1()->temporary_bytes, 6000U);
        EXPECT_EQ(peak.judgement.verdict, Verdict::kFailed);
        EXPECT_EQ(peak.l1()->bound, Bound::kAtLeast);
        // A tensor that the program released before is evidence, failure or not.
        const MemoryLifetimes lifetimes = find_lifetimes(list);
        std::uint32_t before = 0;
        while (list.name(before) != "ttnn.exp")
            ++before;
        EXPECT_EQ(l1_at(list, lifetimes, 0, before + 2).stale_bytes, 7U);
        EXPECT_EQ(l1_at(list, lifetimes, 0, before + 2).persistent_bytes, 400U);
    }
}

TEST(Peak, of_a_list_that_is_cut_off_has_nothing_stale) {
    ListMaker maker;
    maker.begin("first");
    const auto tensor = maker.buffer({.per_bank = 10});
    maker.end();
    maker.begin("second");
    maker.buffer({.per_bank = 1000});
    maker.end();
    maker.free(tensor, {.per_bank = 10});
    const PeakAnswer peak = find_peak(maker.take());
    EXPECT_EQ(peak.l1()->stale_bytes, 0U);
    EXPECT_EQ(peak.l1()->persistent_bytes, 1010U);
    EXPECT_NE(peak.judgement.find(Reason::Kind::kNodesMissing), nullptr);
}

TEST(Peak, names_tensors_as_the_viewer_does_too) {
    const auto report = load_node_list(test::data_folder() + "/reports/error_oom.n150.NORMAL/report.json");
    ASSERT_TRUE(report.ok());
    const NodeList& list = report.value();
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < lifetimes.buffers.size(); ++i)
        if (lifetimes.buffers[i].memory == MemoryType::kL1)
            names.push_back(describe_buffer(list, lifetimes, i).name);
    // The viewer's are the sidecar's output_tensor_ids: 8, 11, 14, ...
    ASSERT_EQ(names.size(), 5U);
    EXPECT_EQ(names[0], "tensor 7 (8 in the viewer)");
    EXPECT_EQ(names[1], "tensor 10 (11 in the viewer)");
    EXPECT_EQ(names[4], "tensor 19 (20 in the viewer)");
    EXPECT_EQ(describe_buffer(list, lifetimes, lifetimes.events.front().index).name, "tensor 1")
        << "what is older has one id";
}

TEST(Peak, without_a_sidecar_has_the_ids_of_the_list) {
    const NodeList list = load_captured("add.n150.NORMAL");
    const PeakAnswer peak = find_peak(list);
    for (const Contributor& it : peak.l1()->contributors) {
        if (it.share == Share::kProgram) continue;
        EXPECT_TRUE(it.tensor_id.given());
        EXPECT_EQ(it.viewer_tensor_id, it.tensor_id);
        EXPECT_EQ(it.name, "tensor " + std::to_string(it.tensor_id.value_or(-1)));
    }
}

TEST(Peak, knows_the_line_that_called_what_made_a_tensor) {
    NodeList list = load_captured("add.n150.NORMAL");
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    ASSERT_NE(lifetimes.buffers.back().maker, kNoIndex);
    const Scope& operation =
        lifetimes.scopes.scopes[lifetimes.scopes.scopes[lifetimes.buffers.back().maker].top];
    PythonCall call;
    call.node = operation.start;
    call.frames = {"  File \"model.py\", line 51, in forward\n    x + y",
                   "  File \"main.py\", line 3, in main"};
    list.source.python_calls = {call};
    const auto last = static_cast<std::uint32_t>(lifetimes.buffers.size() - 1);
    EXPECT_EQ(describe_buffer(list, lifetimes, last).source_line, "model.py:51");
    EXPECT_EQ(find_peak(list).l1()->source_line, "model.py:51");
    list.source.python_calls.clear();
    EXPECT_EQ(describe_buffer(list, lifetimes, last).source_line, "");
    // A bare list has it in the node.
    list.functions[list.nodes[operation.start].detail].source_line = list.texts.intern("other.py:7");
    EXPECT_EQ(describe_buffer(list, lifetimes, last).source_line, "other.py:7");
}

/// The reports of the folder of tests and, where it is there, of the shared one.
std::vector<std::filesystem::path> all_reports() {
    std::vector<std::filesystem::path> reports;
    for (const std::string& folder : {test::data_folder(), test::shared_folder() + "/reports"}) {
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().filename().string().ends_with("report.json")) reports.push_back(entry.path());
    }
    std::sort(reports.begin(), reports.end());
    return reports;
}

/// A buffer that is stale at a moment of the list, or a part of it from its beginning, must not be used afterwards in
/// the whole list. Gives how many it looked at.
std::size_t expect_stale_is_unused(const NodeList& list, const NodeList& whole,
                                   const MemoryLifetimes& truth) {
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    std::size_t stale = 0;
    const auto look = [&](const MemoryPeak& peak) {
        for (const Contributor& it : peak.contributors) {
            if (it.share != Share::kStale) continue;
            ++stale;
            for (std::uint32_t node = peak.node + 1; node < whole.size(); ++node) {
                const NodeList::Function* function = whole.function(node);
                if (function == nullptr) continue;
                for (const std::int64_t input : whole.of_pool(function->input_tensors)) {
                    if (!whole.holds(input) || whole.tensor(static_cast<std::size_t>(input)) == nullptr)
                        continue;
                    const std::uint32_t lifetime = truth.lifetime_of_tensor[static_cast<std::size_t>(input)];
                    ASSERT_FALSE(lifetime != kNoIndex &&
                                 truth.buffers[lifetime].node == lifetimes.buffers[it.buffer].node)
                        << it.name << " is stale at " << peak.node << " and used at " << node;
                }
            }
        }
    };
    for (const DevicePeak& device : find_peak(list, lifetimes).devices) {
        look(device.l1);
        look(device.dram);
    }
    std::mt19937 random(static_cast<std::uint32_t>(list.size()));
    for (int i = 0; i < 8 && !lifetimes.devices.empty(); ++i)
        look(l1_at(list, lifetimes, 0, static_cast<std::uint32_t>(random() % list.size())));
    return stale;
}

TEST(Peak, never_calls_stale_what_is_used_later_in_any_report_also_when_it_is_cut) {
    std::mt19937 random(7);
    std::size_t stale = 0;
    for (const std::filesystem::path& path : all_reports()) {
        SCOPED_TRACE(path.string());
        const auto whole = load_node_list(path);
        if (!whole || whole.value().size() == 0) continue;  // some are damaged on purpose
        const MemoryLifetimes truth = find_lifetimes(whole.value());
        stale += expect_stale_is_unused(whole.value(), whole.value(), truth);
        for (int i = 0; i < 4; ++i) {
            NodeList cut = whole.value();
            cut.nodes.resize(1 + random() % cut.nodes.size());
            expect_stale_is_unused(cut, whole.value(), truth);
        }
    }
    EXPECT_GT(stale, 0U) << "else nothing was tried";
}

}  // namespace
}  // namespace tilemeter::analysis
