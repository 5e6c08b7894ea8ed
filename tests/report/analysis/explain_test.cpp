// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/explain.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/memory/failures.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/render/explain_render.hpp"
#include "tests/paths.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

NodeList with_device(ListMaker& maker) {
    NodeList list = maker.take();
    ListedDevice device;
    device.id = 0;
    device.first_program_address = 1000;
    device.l1_bank_bytes = 9000;
    device.worker_l1_bytes = 11000;  // 1000 of it for L1_SMALL, from 10000 on
    device.dram_banks = 12;
    device.dram_bank_bytes = 8000;
    list.devices.push_back(device);
    return list;
}

TEST(Explain, names_every_tensor_below_the_programs_end_and_no_other) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 1000, .address = 9000});
    maker.buffer({.per_bank = 500, .address = 3000});
    maker.buffer({.per_bank = 700, .address = 3500});
    maker.deallocate_all();
    maker.piece({.size = 2600, .address = 1000});
    maker.end();
    const NodeList list = with_device(maker);
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const Explanation it = explain_moment(list, lifetimes, 0, static_cast<std::uint32_t>(list.size() - 2));
    EXPECT_EQ(it.cause, FailureCause::kClash);
    EXPECT_EQ(it.overlap_bytes, 600U);
    ASSERT_EQ(it.clearing_set.size(), 2U);
    EXPECT_EQ(it.clearing_set[0].tensor.address.value_or(0), 3000);
    EXPECT_EQ(it.free_bytes, 4800U);
    EXPECT_EQ(it.largest_hole_bytes, 4800U);
}

TEST(Explain, finds_the_cheapest_neighbours_that_make_a_hole) {
    // Holes of 1000 between tensors; 2500 are wanted: the smallest tensor between two holes is enough.
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 4000, .address = 6000});
    maker.buffer({.per_bank = 500, .address = 4500});
    maker.buffer({.per_bank = 1500, .address = 2000});
    maker.end();
    const NodeList list = with_device(maker);
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const Explanation it = explain_failure(
        list, lifetimes, 0, static_cast<std::uint32_t>(list.size() - 1),
        "Out of Memory: Not enough space to allocate 160000 B L1 buffer across 64 banks, where each bank "
        "needs to store 2500 B, but bank size is 9000 B (allocated: 6000 B, free: 3000 B, largest free "
        "block: 1000 B).");
    EXPECT_EQ(it.cause, FailureCause::kFragmented);
    EXPECT_EQ(it.missing_bytes, 1500U);
    ASSERT_EQ(it.clearing_set.size(), 1U);
    EXPECT_EQ(it.clearing_set[0].tensor.address.value_or(0), 4500);
}

TEST(Explain, of_a_real_out_of_memory_gives_the_runtimes_figures) {
    auto list = load_node_list(test::data_folder() + "/capture/error_oom.n150.NORMAL.report.json");
    ASSERT_TRUE(list.ok());
    const MemoryLifetimes lifetimes = find_lifetimes(list.value());
    const auto places = find_failures(list.value(), lifetimes.scopes);
    ASSERT_EQ(places.size(), 1U);
    const Explanation it = explain_failure(
        list.value(), lifetimes, 0, places[0].node,
        "Out of Memory: Not enough space to allocate 16777216 B L1 buffer across 64 banks, where each bank "
        "needs to store 262144 B, but bank size is 1393312 B (allocated: 1310720 B, free: 82592 B, largest "
        "free block: 82592 B).");
    EXPECT_EQ(it.cause, FailureCause::kExhausted);
    EXPECT_EQ(it.missing_bytes, 179552U);
    EXPECT_EQ(it.tensor_bytes, 1310720U);
    EXPECT_EQ(it.free_bytes, 82592U);
    EXPECT_EQ(it.largest_hole_bytes, 82592U);
    EXPECT_EQ(it.clearing_set.size(), 1U);
}

// The clash that ANSWERS.md explains step by step.
TEST(Explain, of_a_real_clash_knows_the_refused_programs_parts_from_another_capture) {
    const std::string folder = test::data_folder() + "/capture/";
    const auto planned = load_node_list(folder + "error_clash.n150.NO_DISPATCH.report.json");
    const auto refused = load_node_list(folder + "error_clash.n150.NORMAL.report.json");
    ASSERT_TRUE(planned.ok() && refused.ok());
    const ProgramLibrary library = find_lifetimes(planned.value()).library(planned.value());
    const MemoryLifetimes lifetimes = find_lifetimes(refused.value());
    const auto places = find_failures(refused.value(), lifetimes.scopes);
    ASSERT_EQ(places.size(), 1U);
    const Explanation it =
        explain_failure(refused.value(), lifetimes, 0, places[0].node,
                        "Statically allocated dataflow buffers in program 6 clash with L1 buffers on core "
                        "range [0-0 - 7-7]. L1 buffer allocated at 319488 and static dataflow buffer region "
                        "ends at 761184",
                        &library);
    EXPECT_EQ(it.cause, FailureCause::kClash);
    EXPECT_EQ(it.overlap_bytes, 441696U);
    EXPECT_EQ(it.program_bytes, 655360U);
    std::uint64_t program_end = 0;
    for (const MapPart& part : it.map)
        if (part.kind == MapPart::Kind::kProgram) program_end = std::max(program_end, part.end);
    EXPECT_EQ(program_end, 761184U);
    ASSERT_EQ(it.clearing_set.size(), 3U);
    // The script returns them; after a failure nothing can tell.
    for (const MoveCandidate& move : it.clearing_set)
        EXPECT_EQ(move.can_be_released(), std::nullopt);
}

nlohmann::ordered_json one_json(const std::vector<Explanation>& all) {
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? nlohmann::ordered_json() : explanation_json(all.front());
}

std::vector<Explanation> explained(const NodeList& list, const ExplainQuestion& question = {}) {
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    return explain(list, lifetimes, judge(list, lifetimes), question);
}

NodeList captured(const std::string& name) {
    auto list = load_node_list(test::data_folder() + "/capture/" + name + ".report.json");
    EXPECT_TRUE(list.ok()) << name;
    return list.ok() ? std::move(list.value()) : NodeList();
}

std::uint32_t last_node(const NodeList& list) {
    return static_cast<std::uint32_t>(list.size() - 1);
}

std::string dram_lack(std::uint64_t wanted, std::uint64_t allocated, std::uint64_t largest) {
    return "TT_FATAL @ bank_manager.cpp:514: false\ninfo:\nOut of Memory: Not enough space to allocate " +
           std::to_string(wanted * 12) + " B DRAM buffer across 12 banks, where each bank needs to store " +
           std::to_string(wanted) + " B, but bank size is 8000 B (allocated: " + std::to_string(allocated) +
           " B, free: " + std::to_string(8000 - allocated) +
           " B, largest free block: " + std::to_string(largest) + " B).\n";
}

/// A bank of DRAM: 0 [3000] 3000 - 4000 [500] 4500 - 5500 [1500] 7000 - 8000
NodeList dram_in_pieces(ListMaker& maker) {
    maker.begin("op");
    maker.buffer({.per_bank = 3000, .address = 0x1, .memory = MemoryType::kDram});
    maker.buffer({.per_bank = 500, .address = 4000, .memory = MemoryType::kDram});
    maker.buffer({.per_bank = 1500, .address = 5500, .memory = MemoryType::kDram});
    maker.buffer({.per_bank = 700, .address = 5000});
    maker.end();
    return with_device(maker);
}

TEST(Explain, of_dram_draws_the_bank_and_finds_what_to_move) {
    ListMaker maker;
    const NodeList list = dram_in_pieces(maker);
    const Explanation it =
        explain_failure(list, find_lifetimes(list), 0, last_node(list), dram_lack(2400, 5000, 1000));
    EXPECT_EQ(it.cause, FailureCause::kFragmented);
    EXPECT_EQ(it.memory, MemoryType::kDram);
    EXPECT_EQ(it.tensor_bytes, 5000U) << "L1 does not count";
    EXPECT_EQ(it.program_bytes, 0U);
    ASSERT_EQ(it.contributors.size(), 3U);
    EXPECT_EQ(it.contributors.front().bytes, 3000U);
    ASSERT_EQ(it.clearing_set.size(), 1U);
    EXPECT_EQ(it.clearing_set[0].tensor.address.value_or(0), 4000);
    const auto json = explanation_json(it);
    EXPECT_EQ(json["memory"], "DRAM");
    EXPECT_EQ(json["request"]["bytes_per_bank"], 2400);
    EXPECT_EQ(json["missing_bytes_per_bank"], 1400);
    EXPECT_EQ(json["map"].back()["kind"], "free");
    EXPECT_EQ(json["map"].back()["end"], 8000);
    EXPECT_NE(explanation_text(it).find("DRAM from above"), std::string::npos);
}

// A tensor that is older than the capture may lie in what looks free: only what lies together is cleared for sure.
TEST(Explain, of_dram_trusts_no_hole_where_the_list_lacks_buffers) {
    ListMaker maker;
    const NodeList list = dram_in_pieces(maker);
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const Explanation small =
        explain_failure(list, lifetimes, 0, last_node(list), dram_lack(1400, 6000, 1000));
    ASSERT_EQ(small.clearing_set.size(), 1U);
    EXPECT_EQ(small.clearing_set[0].tensor.bytes, 1500U) << "500 between two holes may not do";
    const Explanation large =
        explain_failure(list, lifetimes, 0, last_node(list), dram_lack(3500, 6000, 1000));
    EXPECT_TRUE(large.clearing_set.empty());
    ASSERT_EQ(large.notes.size(), 2U);
    EXPECT_EQ(large.notes[0].substr(0, 6), "976 B ") << "in steps of 32, the three take 5,024";
}

TEST(Explain, of_l1_small_draws_its_own_region) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 700, .address = 5000});
    maker.buffer({.per_bank = 800, .address = 10200, .memory = MemoryType::kL1Small});
    maker.end();
    const NodeList list = with_device(maker);
    const Explanation it = explain_failure(
        list, find_lifetimes(list), 0, last_node(list),
        "Out of Memory: Not enough space to allocate 32000 B L1_SMALL buffer across 64 banks, where each "
        "bank needs to store 500 B, but bank size is 1000 B");
    EXPECT_EQ(it.memory, MemoryType::kL1Small);
    EXPECT_EQ(it.region_begin, 10000U);
    EXPECT_EQ(it.region_end, 11000U);
    EXPECT_EQ(it.free_bytes, 200U);
    ASSERT_EQ(it.clearing_set.size(), 1U);
    EXPECT_EQ(it.clearing_set[0].tensor.bytes, 800U);
}

TEST(Explain, of_a_failure_without_its_message_names_the_sidecar) {
    for (const char* name : {"error_oom.n150.NORMAL", "error_clash.n150.NORMAL"}) {
        const auto json = one_json(explained(captured(name)));
        EXPECT_EQ(json["cause"], "not recorded") << name;
        ASSERT_EQ(json["notes"].size(), 1U) << name;
        EXPECT_NE(json["notes"][0].get<std::string>().find(std::string(name) + ".report.python_io.json"),
                  std::string::npos)
            << json["notes"];
        EXPECT_TRUE(json["clearing_set"].empty());
        EXPECT_FALSE(json["contributors"].empty());
    }
}

TEST(Explain, of_another_failure_says_its_message_and_what_was_alive) {
    ListMaker maker;
    const NodeList list = dram_in_pieces(maker);
    const Explanation it =
        explain_failure(list, find_lifetimes(list), 0, last_node(list),
                        "TT_FATAL @ a.cpp:79: x == y\ninfo:\nwidths differ\nbacktrace:\n 1");
    EXPECT_EQ(it.cause, FailureCause::kOther);
    EXPECT_EQ(it.contributors.size(), 4U) << "L1 and DRAM";
    EXPECT_EQ(explanation_json(it)["message"], "widths differ");
    EXPECT_NE(explanation_text(it).find("not for lack of memory: widths differ"), std::string::npos);
}

TEST(Explain, places_what_has_no_address) {
    const std::vector<Explanation> all = explained(captured("edge_huge.n150.NO_DISPATCH"));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].cause, FailureCause::kNeverFits);
    EXPECT_EQ(all[0].addresses, AddressOrigin::kPlaced);
    ASSERT_TRUE(all[0].refused);
    EXPECT_EQ(all[0].refused->bytes, 83886080U);
    EXPECT_EQ(all[0].missing_bytes, 83886080U - 1393312U);
    EXPECT_EQ(std::count_if(all[1].contributors.begin(), all[1].contributors.end(),
                            [](const Contributor& it) { return it.bytes == 83886080U; }),
              2)
        << "both tensors are listed";

    // The same as the device said of the same script, to the byte.
    const std::vector<Explanation> clash = explained(captured("error_clash.n150.NO_DISPATCH"));
    ASSERT_EQ(clash.size(), 1U);
    EXPECT_EQ(clash[0].cause, FailureCause::kClash);
    ASSERT_TRUE(clash[0].clash);
    EXPECT_EQ(clash[0].clash->program_end, 761184U);
    EXPECT_EQ(clash[0].clash->tensor_address, 319488U);
    ASSERT_EQ(clash[0].clearing_set.size(), 3U);
    for (const MoveCandidate& move : clash[0].clearing_set)
        EXPECT_EQ(move.can_be_released(), std::nullopt) << "uses without addresses are not known";
}

TEST(Explain, lists_sizes_where_the_device_is_not_described) {
    NodeList list = captured("edge_huge.n150.NO_DISPATCH");
    list.devices.clear();
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const Explanation it = explain_moment(list, lifetimes, 0, judge(list, lifetimes).l1.node);
    EXPECT_EQ(it.addresses, AddressOrigin::kNotKnown);
    EXPECT_EQ(it.cause, FailureCause::kNone);
    EXPECT_TRUE(it.map.empty());
    EXPECT_FALSE(it.free_bytes);
    EXPECT_EQ(it.tensor_bytes, 2 * 83886080U);
    EXPECT_NE(explanation_text(it).find("no conflict is known"), std::string::npos);
}

TEST(Explain, of_a_moment_without_conflict_says_what_is_free) {
    ListMaker maker;
    maker.begin("op");
    maker.buffer({.per_bank = 1000, .address = 9000});
    maker.end();
    maker.finish();
    const NodeList list = with_device(maker);
    const std::vector<Explanation> all = explained(list, {.at = last_node(list)});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].cause, FailureCause::kNone);
    EXPECT_EQ(all[0].free_bytes, 8000U);
    EXPECT_EQ(explanation_text(all[0]).find("fits"), std::string::npos);
    EXPECT_NE(explanation_text(all[0]).find("nothing in conflict, 8,000 B of L1 per core free"),
              std::string::npos);
}

TEST(Explain, of_a_message_alone_has_its_figures_and_no_place) {
    const std::string message =
        "Statically allocated dataflow buffers in program 6 clash with L1 buffers on core range [0-0 - 7-7]. "
        "L1 buffer allocated at 319488 and static dataflow buffer region ends at 761184";
    const NodeList list;
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const auto all = explain(list, lifetimes, judge(list, lifetimes), {.message = message});
    const auto json = one_json(all);
    EXPECT_EQ(json["cause"], "clash");
    EXPECT_TRUE(json["node"].is_null());
    EXPECT_TRUE(json["region_begin"].is_null());
    EXPECT_TRUE(json["map"].empty());
    EXPECT_TRUE(json["notes"].empty());
    EXPECT_EQ(json["overlap_bytes_per_core"], 441696);
    EXPECT_EQ(json["request"]["program_end"], 761184);
    const Judgement judgement = judge_with_message({}, message);
    EXPECT_EQ(judgement.verdict, Verdict::kDoesNotFit);
    ASSERT_EQ(judgement.reasons.size(), 1U);
    EXPECT_EQ(judgement.reasons[0].bytes, 761184U);
}

TEST(Explain, of_a_message_and_a_report_draws_the_last_operations_map) {
    const auto all = explained(
        captured("error_oom.n150.NORMAL"),
        {.message = "Out of Memory: Not enough space to allocate 16777216 B L1 buffer across 64 banks, where "
                    "each bank needs to store 262144 B, but bank size is 1393312 B (allocated: 1310720 B, "
                    "free: 82592 B, largest free block: 82592 B)."});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].node, 72U);
    EXPECT_EQ(all[0].map.size(), 6U);
    EXPECT_EQ(all[0].clearing_set.size(), 1U);
}

/// A tensor made by one operation, used by the next, and released by the program; another program clashes
/// with it in between.
struct Released {
    NodeList list;
    std::uint32_t clash = 0;
};
Released released_later() {
    ListMaker maker;
    maker.begin("make");
    const ListMaker::BufferInfo info{.per_bank = 500, .address = 3000};
    const std::int64_t buffer = maker.buffer(info);
    maker.end();
    maker.begin("clash");
    maker.deallocate_all();
    maker.piece({.size = 2600, .address = 1000});
    maker.end();
    Released made;
    maker.begin("free");
    maker.free(buffer, info);
    maker.end();
    maker.finish();
    made.list = with_device(maker);
    while (made.list.nodes[made.clash].kind != NodeType::kCircularBufferAllocate)
        ++made.clash;
    return made;
}

TEST(Explain, advises_to_release_with_evidence_only) {
    Released made = released_later();
    const auto advice = [&] {
        const MemoryLifetimes lifetimes = find_lifetimes(made.list);
        const Explanation it = explain_moment(made.list, lifetimes, 0, made.clash);
        EXPECT_EQ(it.clearing_set.size(), 1U);
        return it.clearing_set.empty() ? MoveCandidate() : it.clearing_set[0];
    };
    EXPECT_EQ(advice().later, LaterUse::kReleased);
    EXPECT_EQ(advice().can_be_released(), true);
    EXPECT_EQ(advice().cost_bytes, 500U * 64);

    made.list.source.sidecar = ListSource::Sidecar::kMissing;  // it may have a failure that unwinds
    EXPECT_EQ(advice().can_be_released(), std::nullopt);

    made = released_later();
    made.list.ends.back().aborted = false;
    made.list.ends[made.list.ends.size() - 3].aborted = true;  // of the clash: what follows is unwinding
    EXPECT_EQ(advice().can_be_released(), std::nullopt);

    made = released_later();
    made.list.nodes.resize(made.list.size() - 1);  // its end is missing
    EXPECT_EQ(advice().can_be_released(), std::nullopt);

    made = released_later();
    const MemoryLifetimes lifetimes = find_lifetimes(made.list);
    const auto at_failure = explain_failure(
        made.list, lifetimes, 0, made.clash,
        "Statically allocated circular buffers in program 6 clash with L1 buffers on core range [(x=0,y=0)]. "
        "L1 buffer allocated at 3000 and static circular buffer region ends at 3600");
    ASSERT_EQ(at_failure.clearing_set.size(), 1U);
    EXPECT_EQ(at_failure.clearing_set[0].can_be_released(), std::nullopt) << "never at a failure";
}

/// Every report at hand, as JSON lists of nodes.
std::vector<nlohmann::json> all_graphs() {
    std::vector<nlohmann::json> graphs;
    for (const std::string& folder : {test::data_folder() + "/capture", test::data_folder() + "/reports",
                                      test::shared_folder() + "/reports"}) {
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (!name.ends_with("report.json") || std::filesystem::file_size(entry.path()) > 2'000'000)
                continue;
            std::ifstream file(entry.path());
            const auto report = nlohmann::json::parse(file, nullptr, false);
            if (report.is_object() && report.contains("graph")) graphs.push_back(report["graph"]);
        }
    }
    return graphs;
}

/// Places (buffer node, moment) at which a release is advised.
std::vector<std::pair<std::uint32_t, std::uint32_t>> advised(const NodeList& list) {
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const std::uint32_t until = known_until(list, lifetimes.scopes);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    const auto step = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(list.size() / 50));
    for (std::uint32_t node = 0; node < list.size(); node += step)
        for (std::uint32_t buffer = 0; buffer < lifetimes.buffers.size(); ++buffer) {
            const BufferLifetime& lifetime = lifetimes.buffers[buffer];
            if (lifetime.begin > node || (lifetime.end != kNoIndex && lifetime.end <= node)) continue;
            if (later_use(list, lifetimes, until, buffer, node) == LaterUse::kReleased)
                all.emplace_back(lifetime.node, node);
        }
    return all;
}

// The truth is the whole list's; what is taken away must not make it look unused.
TEST(Explain, no_tensor_that_may_be_released_is_used_by_a_later_node) {
    const std::vector<nlohmann::json> graphs = all_graphs();
    ASSERT_GE(graphs.size(), 10U);
    std::mt19937 random(7);
    std::size_t advices = 0;
    std::size_t of_cut_lists = 0;
    for (const nlohmann::json& graph : graphs) {
        const auto whole = node_list_of(graph);
        if (!whole.ok() || whole.value().size() < 4) continue;
        const MemoryLifetimes truth = find_lifetimes(whole.value());
        std::map<std::uint32_t, std::uint32_t> last_use;  // by buffer node
        for (const BufferLifetime& lifetime : truth.buffers)
            if (lifetime.last_use != kNoIndex) last_use[lifetime.node] = lifetime.last_use;
        const auto check = [&](const NodeList& list) {
            const auto all = advised(list);
            for (const auto& [buffer, node] : all) {
                const auto use = last_use.find(buffer);
                EXPECT_TRUE(use == last_use.end() || use->second < node) << "buffer of node " << buffer;
            }
            return all.size();
        };
        advices += check(whole.value());
        for (int trial = 0; trial < 8; ++trial) {
            nlohmann::json cut = graph;
            const std::size_t at = 2 + random() % (graph.size() - 2);
            cut.erase(cut.begin() + static_cast<std::ptrdiff_t>(at), cut.end());
            if (const auto list = node_list_of(cut); list.ok()) of_cut_lists += check(list.value());
        }
        nlohmann::json without_addresses = graph;
        for (nlohmann::json& node : without_addresses)
            if (node.contains("params") && node["params"].contains("address"))
                node["params"]["address"] = "0";
        if (const auto list = node_list_of(without_addresses); list.ok()) {
            EXPECT_EQ(check(list.value()), 0U);
        }
    }
    EXPECT_GT(advices, 100U) << "the property is not vacuous";
    EXPECT_EQ(of_cut_lists, 0U);
}

}  // namespace
}  // namespace tilemeter::analysis
