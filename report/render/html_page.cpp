// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/html_page.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/l1_region.hpp"
#include "report/analysis/memory/occupancy.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/render/internal/embedded_data.hpp"
#include "report/render/page_head.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

/// Texts once, named by number: paths and shapes repeat.
class Texts {
public:
    std::size_t id(const std::string& text) {
        const auto [known, is_new] = ids_.try_emplace(text, all_.size());
        if (is_new) all_.push_back(text);
        return known->second;
    }
    json take() { return std::move(all_); }

private:
    std::map<std::string, std::size_t> ids_;
    json all_ = json::array();
};

class PageData {
public:
    PageData(const NodeList& list, const MemoryLifetimes& lifetimes) : list_(list), lifetimes_(lifetimes) {}

    json make(const std::string& name, const ProgramLibrary* known_programs) {
        const PeakAnswer peak = find_peak(list_, lifetimes_);
        const Judgement& judgement = peak.judgement;
        json data;
        data["name"] = name;
        data["head"] = page_head(list_, lifetimes_, judgement);
        data["failures"] = page_failures(list_, lifetimes_, known_programs);
        data["opening"] = page_opening(list_, lifetimes_, judgement);
        data["nodes"] = list_.size();
        data["calls"] = calls();
        data["buffers"] = buffers();
        data["programs"] = programs();
        data["devices"] = devices(peak, judgement);
        data["caveats"] = peak.caveats;
        data["texts"] = texts_.take();
        answer_ = page_answer(judgement, peak, data["opening"]["memory"]);
        return data;
    }
    /// Attributes of the page's element `main`, once it is made.
    const std::string& answer() const { return answer_; }

private:
    static json end_or_none(std::uint32_t node) {
        return node == kNoIndex ? -1 : static_cast<std::int64_t>(node);
    }

    // [start node, end node or -1, parent or -1, name, duration ns, aborted, [L1 peak, change], [DRAM peak,
    // change], line of Python]
    json calls() {
        json rows = json::array();
        for (const CallNode& call : call_nodes(list_, lifetimes_)) {
            const Scope& scope = lifetimes_.scopes.scopes[call.scope];
            rows.push_back({scope.start, end_or_none(scope.end), end_or_none(scope.parent),
                            texts_.id(std::string(list_.name(scope.start))), call.duration_ns,
                            call.aborted ? 1 : 0, json::array({call.l1_peak_bytes, call.l1_change_bytes}),
                            json::array({call.dram_peak_bytes, call.dram_change_bytes}),
                            texts_.id(source_of(list_, lifetimes_.scopes, call.scope))});
        }
        return rows;
    }

    // [begin, end or -1, device, memory, bytes per bank, whole bytes, address, name, shape, maker, class,
    // node from which it is stale or -1]
    json buffers() {
        // Uses after a failure are not known, and what is alive at the end may be wanted: neither is stale.
        const bool all_uses_known = known_until(list_, lifetimes_.scopes) == list_.size();
        json rows = json::array();
        for (std::uint32_t index = 0; index < lifetimes_.buffers.size(); ++index) {
            const BufferLifetime& lifetime = lifetimes_.buffers[index];
            const Contributor it = describe_buffer(list_, lifetimes_, index);
            std::string maker = it.before_window ? "older than the capture" : "by " + it.made_by;
            if (const std::string line = source_of(list_, lifetimes_.scopes, lifetime.maker); !line.empty())
                maker += "  (" + line + ")";
            const bool stale = all_uses_known && lifetime.end != kNoIndex && lifetime.last_use != kNoIndex;
            rows.push_back({lifetime.begin, end_or_none(lifetime.end), lifetime.device,
                            static_cast<int>(lifetime.memory), lifetime.per_bank.bytes, lifetime.size_bytes,
                            lifetime.address.size_bytes(), texts_.id(it.name), texts_.id(it.shape),
                            texts_.id(maker), class_of(lifetime),
                            end_or_none(stale ? lifetime.last_use : kNoIndex)});
        }
        return rows;
    }

    /// As `peak` counts: made and released within one outermost operation, or longer.
    const char* class_of(const BufferLifetime& lifetime) const {
        if (lifetime.before_window || lifetime.maker == kNoIndex || lifetime.end == kNoIndex)
            return name_of(Share::kPersistent);
        const Scope& operation = lifetimes_.scopes.scopes[lifetimes_.scopes.scopes[lifetime.maker].top];
        return name_of(lifetime.end <= operation.end ? Share::kTemporary : Share::kPersistent);
    }

    // [begin, end or -1, device, path, [[node, bytes on the fullest core from then on]..], [[kind, size,
    // address, cores, node]..]]
    json programs() {
        std::vector<json> steps(lifetimes_.programs.size(), json::array());
        std::vector<json> pieces(lifetimes_.programs.size(), json::array());
        Occupancy occupancy(lifetimes_);
        for (const MemoryEvent& event : lifetimes_.events) {
            occupancy.apply(event);
            if (event.kind != MemoryEvent::Kind::kPiece) continue;
            const std::uint16_t device = lifetimes_.programs[event.index].device;
            const json step = json::array({event.node, occupancy.fullest_core(device).program_bytes});
            if (!steps[event.index].empty() && steps[event.index].back()[0] == event.node)
                steps[event.index].back() = step;
            else
                steps[event.index].push_back(step);
            const ProgramPiece& piece = lifetimes_.pieces[event.piece];
            if (piece.shared) continue;
            const NodeList::ProgramMemory* row = list_.program_piece(piece.node);
            pieces[event.index].push_back({texts_.id(name_of(piece.kind)), piece.size_bytes, piece.address,
                                           texts_.id(row ? std::string(list_.text(row->core_ranges)) : ""),
                                           event.node});
        }
        json rows = json::array();
        for (std::size_t index = 0; index < lifetimes_.programs.size(); ++index) {
            const ProgramLifetime& program = lifetimes_.programs[index];
            rows.push_back({program.begin, end_or_none(program.end), program.device,
                            texts_.id(lifetimes_.scopes.path(list_, program.scope)), std::move(steps[index]),
                            std::move(pieces[index])});
        }
        return rows;
    }

    json devices(const PeakAnswer& peak, const Judgement& judgement) {
        json rows = json::array();
        for (std::uint16_t slot = 0; slot < lifetimes_.devices.size(); ++slot) {
            const L1Region region = l1_region_of(list_, lifetimes_, slot);
            const DeviceLimits limits = limits_of(list_, lifetimes_, slot).value_or(DeviceLimits());
            const auto memory = [](std::uint64_t begin, std::uint64_t end, std::uint64_t limit,
                                   const MemoryPeak& highest) {
                return json{{"begin", begin},
                            {"end", end},
                            {"limit_bytes", limit},
                            {"peak_bytes", highest.bytes},
                            {"peak_node", end_or_none(highest.node)}};
            };
            rows.push_back(
                {{"id", lifetimes_.devices[slot].id.given() ? json(lifetimes_.devices[slot].id.value_or(0))
                                                            : json()},
                 {"arch", limits.arch},
                 {"l1", memory(region.begin, region.end, limits.l1_bytes, peak.devices[slot].l1)},
                 {"dram", memory(limits.dram_begin, limits.dram_begin + limits.dram_bank_bytes,
                                 limits.dram_bank_bytes, peak.devices[slot].dram)}});
            for (const char* key : {"l1", "dram"})
                rows.back()[key]["older_unknown"] = false;
            for (const Reason& reason : judgement.reasons)
                if (reason.kind == Reason::Kind::kOlderBuffersUnknown)
                    rows.back()[reason.memory == MemoryType::kDram ? "dram" : "l1"]["older_unknown"] = true;
        }
        return rows;
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    Texts texts_;
    std::string answer_;
};

}  // namespace

std::string html_page(const NodeList& list, const MemoryLifetimes& lifetimes, const std::string& name,
                      const ProgramLibrary* known_programs) {
    PageData data(list, lifetimes);
    std::string page = internal::page_with(kPageText, data.make(name, known_programs));
    constexpr std::string_view kMain = "<main";
    return page.insert(page.find(kMain) + kMain.size(), data.answer());
}

}  // namespace tilemeter::analysis
