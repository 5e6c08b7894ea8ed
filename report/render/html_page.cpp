// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/html_page.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/call_tree.hpp"
#include "report/analysis/l1_region.hpp"
#include "report/analysis/occupancy.hpp"
#include "report/analysis/peak.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::graph {
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
    PageData(const NodeList& list, const MemoryLives& lives) : list_(list), lives_(lives) {}

    json make(const std::string& title) {
        json data;
        data["title"] = title;
        data["nodes"] = list_.size();
        data["calls"] = calls();
        data["buffers"] = buffers();
        data["programs"] = programs();
        data["devices"] = devices();
        data["caveats"] = find_peak(list_, lives_).caveats;
        data["texts"] = texts_.take();
        return data;
    }

private:
    // [start node, end node or -1, parent or -1, name, duration ns, L1 peak, change, aborted]
    json calls() {
        json rows = json::array();
        for (const CallNode& call : call_nodes(list_, lives_)) {
            const Scope& scope = lives_.scopes.scopes[call.scope];
            rows.push_back({scope.start, scope.end == kNoIndex ? -1 : static_cast<std::int64_t>(scope.end),
                            scope.parent == kNoIndex ? -1 : static_cast<std::int64_t>(scope.parent),
                            texts_.id(std::string(list_.name(scope.start))), call.duration_ns,
                            call.l1_peak_bytes, call.l1_change_bytes, call.aborted ? 1 : 0});
        }
        return rows;
    }

    // [begin, end or -1, device, memory, bytes per bank, whole bytes, address, name, shape, maker, last use
    // or -1]
    json buffers() {
        json rows = json::array();
        for (std::uint32_t index = 0; index < lives_.buffers.size(); ++index) {
            const BufferLife& life = lives_.buffers[index];
            const Contributor it = describe_buffer(list_, lives_, index);
            rows.push_back({life.begin, life.end == kNoIndex ? -1 : static_cast<std::int64_t>(life.end),
                            life.device, static_cast<int>(life.memory), life.per_bank.bytes, life.size_bytes,
                            life.address.value_or(0), texts_.id(it.name), texts_.id(it.shape),
                            texts_.id(it.before_window ? "before the capture" : it.made_by),
                            life.last_use == kNoIndex ? -1 : static_cast<std::int64_t>(life.last_use)});
        }
        return rows;
    }

    // [begin, end, device, bytes on the fullest core, path, record, [[kind, size, address, cores]..]]
    json programs() {
        std::vector<std::uint64_t> most(lives_.programs.size(), 0);
        Occupancy occupancy(lives_);
        for (const MemoryEvent& event : lives_.events) {
            occupancy.apply(event);
            if (event.kind != MemoryEvent::Kind::kPiece) continue;
            const std::uint16_t device = lives_.programs[event.index].device;
            most[event.index] = std::max(most[event.index], occupancy.fullest_core(device).program_bytes);
        }
        json rows = json::array();
        for (std::size_t index = 0; index < lives_.programs.size(); ++index) {
            const ProgramLife& program = lives_.programs[index];
            json pieces = json::array();
            for (std::uint32_t i = 0; i < program.piece_count; ++i) {
                const ProgramPiece& piece = lives_.pieces[program.first_piece + i];
                if (piece.shared) continue;
                const NodeList::ProgramMemory* row = list_.program_piece(piece.node);
                pieces.push_back({texts_.id(name_of(piece.kind)), piece.size_bytes, piece.address,
                                  texts_.id(row ? std::string(list_.text(row->core_ranges)) : "")});
            }
            rows.push_back({program.begin, program.end, program.device, most[index],
                            texts_.id(lives_.scopes.path(list_, program.scope)),
                            static_cast<int>(program.record), std::move(pieces)});
        }
        return rows;
    }

    json devices() {
        json rows = json::array();
        for (std::uint16_t slot = 0; slot < lives_.devices.size(); ++slot) {
            const L1Region region = l1_region_of(list_, lives_, slot);
            const ListedDevice* facts = device_facts(list_, lives_, slot);
            rows.push_back(
                {{"id", lives_.devices[slot].id.given() ? json(lives_.devices[slot].id.value_or(0)) : json()},
                 {"arch", facts ? facts->arch : ""},
                 {"l1_begin", region.begin},
                 {"l1_end", region.end},
                 {"l1_bytes", facts ? facts->worker_l1_bytes.size_bytes() : 0},
                 {"dram_bank_bytes", facts ? facts->dram_bank_bytes.size_bytes() : 0}});
        }
        return rows;
    }

    const NodeList& list_;
    const MemoryLives& lives_;
    Texts texts_;
};

/// JSON that cannot end the script element it stands in.
std::string embedded(const json& data) {
    const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

}  // namespace

std::string html_page(const NodeList& list, const MemoryLives& lives, const std::string& title) {
    constexpr std::string_view kMark = "/*DATA*/";
    std::string page = kPageText;
    page.replace(page.find(kMark), kMark.size(), embedded(PageData(list, lives).make(title)));
    return page;
}

}  // namespace tilemeter::graph
