// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/program_tracker.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tilemeter::analysis::internal {
namespace {

using Identity = std::tuple<ProgramMemoryKind, std::int64_t, std::int64_t, TextRef, bool>;

Identity identity_of(const NodeList::ProgramMemory& piece) {
    return {piece.kind, piece.address.value_or(0), piece.size_bytes.value_or(0), piece.core_ranges,
            piece.shared};
}

}  // namespace

ProgramTracker::ProgramTracker(const NodeList& list, MemoryLifetimes& lifetimes, DeviceTable& devices,
                               const ProgramLibrary* known_programs)
    : list_(list),
      lifetimes_(lifetimes),
      devices_(devices),
      known_programs_(known_programs),
      signature_(list) {}

ProgramTracker::Open& ProgramTracker::open_in(std::uint32_t scope, std::uint32_t node) {
    for (Open& open : open_)
        if (open.scope == scope) return open;
    return open_.emplace_back(Open{.scope = scope, .begin = node, .device = {}, .pieces = {}});
}

void ProgramTracker::on_deallocate_all(std::uint32_t node) {
    const std::uint16_t device = devices_.slot_of_device(list_.program_event(node)->device);
    const std::uint32_t scope = lifetimes_.scopes.of_node[node];
    std::erase_if(open_, [&](Open& open) {
        if (open.scope != scope && device_of(open) != device) return false;
        close(open, node);
        return true;
    });
    Open& next = open_in(scope, node);
    next.device = device;
    // A list that is complete has its pieces, or an execution; another may lack both (a cached program).
    next.executed = next.executed || !list_.program_memory_is_complete();
}

void ProgramTracker::on_piece(std::uint32_t node) {
    open_in(lifetimes_.scopes.of_node[node], node).pieces.push_back(node);
}

void ProgramTracker::on_execution(std::uint32_t node) {
    const NodeList::ProgramEvent& event = *list_.program_event(node);
    Open& open = open_in(lifetimes_.scopes.of_node[node], node);
    open.executed = true;
    if (!open.device && event.device.given()) open.device = devices_.slot_of_device(event.device);
}

void ProgramTracker::on_function_end(std::uint32_t node, std::uint32_t scope) {
    std::erase_if(open_, [&](Open& open) {
        if (open.scope != scope || scope == kNoIndex) return false;
        close(open, node);
        return true;
    });
}

std::uint16_t ProgramTracker::device_of(const Open& open) {
    const Number id = open.pieces.empty() ? Number() : list_.program_piece(open.pieces.front())->device;
    return devices_.slot_of_piece(id, open.device);
}

std::uint16_t ProgramTracker::collapse_chips(std::vector<std::uint32_t>& pieces, std::uint16_t device) const {
    std::set<std::int64_t> ids;
    bool some_unknown = false;
    for (const std::uint32_t node : pieces) {
        const Number id = list_.program_piece(node)->device;
        if (id.given())
            ids.insert(id.value_or(0));
        else
            some_unknown = true;
    }
    std::size_t chips = ids.size();
    if (some_unknown) chips = std::max(chips, devices_.chip_count(device));
    if (chips <= 1) return 1;

    std::map<Identity, std::size_t> counts;
    for (const std::uint32_t node : pieces)
        ++counts[identity_of(*list_.program_piece(node))];
    for (auto& [identity, count] : counts) {
        if (count % chips != 0) return 0;
        count /= chips;
    }
    std::erase_if(pieces, [&](std::uint32_t node) {
        std::size_t& left = counts[identity_of(*list_.program_piece(node))];
        if (left == 0) return true;
        --left;
        return false;
    });
    return static_cast<std::uint16_t>(chips);
}

std::uint32_t ProgramTracker::core_set(std::string_view text) {
    const auto [known, is_new] = core_sets_by_text_.try_emplace(
        std::string(text), static_cast<std::uint32_t>(lifetimes_.core_sets.size()));
    if (is_new) lifetimes_.core_sets.push_back(parse_core_set(text));
    return known->second;
}

void ProgramTracker::append_pieces(ProgramLifetime& program, const std::vector<std::uint32_t>& nodes) {
    program.first_piece = static_cast<std::uint32_t>(lifetimes_.pieces.size());
    program.piece_count = static_cast<std::uint32_t>(nodes.size());
    std::map<std::int64_t, std::uint16_t> place_of_chip;
    for (const std::uint32_t node : nodes) {
        const NodeList::ProgramMemory& row = *list_.program_piece(node);
        const auto [known, is_new] = core_sets_by_ref_.try_emplace(row.core_ranges, 0);
        if (is_new) known->second = core_set(list_.text(row.core_ranges));
        std::uint16_t chip = 0;
        if (program.chips == 0) {  // chips differ: each has its own
            const auto place = static_cast<std::uint16_t>(place_of_chip.size() + 1);
            chip = place_of_chip.try_emplace(row.device.value_or(-1), place).first->second;
        }
        lifetimes_.pieces.push_back({node, row.kind, row.shared, chip, known->second,
                                     row.size_bytes.size_bytes(), row.address.size_bytes()});
    }
    if (program.chips == 0) program.chips = static_cast<std::uint16_t>(place_of_chip.size());
}

void ProgramTracker::close(Open& open, std::uint32_t end) {
    if (open.pieces.empty() && !open.executed) return;
    const auto index = static_cast<std::uint32_t>(lifetimes_.programs.size());
    ProgramLifetime& program = lifetimes_.programs.emplace_back();
    program.scope = open.scope;
    program.begin = open.begin;
    program.end = end;
    program.device = device_of(open);
    if (open.pieces.empty()) {
        if (!list_.program_memory_is_complete()) program.record = ProgramRecord::kUnknown;
        return;
    }
    program.chips = collapse_chips(open.pieces, program.device);
    append_pieces(program, open.pieces);
    for (std::uint32_t i = 0; i < program.piece_count; ++i)
        lifetimes_.events.push_back({lifetimes_.pieces[program.first_piece + i].node,
                                     MemoryEvent::Kind::kPiece, index, program.first_piece + i});
    add_untold(index);
    lifetimes_.events.push_back({end, MemoryEvent::Kind::kProgramEnd, index});
}

void ProgramTracker::fill_in(std::uint32_t index, ProgramRecord record,
                             const std::vector<ProgramLibrary::Piece>& pieces) {
    ProgramLifetime& program = lifetimes_.programs[index];
    program.record = record;
    program.first_piece = static_cast<std::uint32_t>(lifetimes_.pieces.size());
    program.piece_count = 0;
    for (const ProgramLibrary::Piece& piece : pieces)
        append_piece(index, piece);
    if (record == ProgramRecord::kFromLibrary)
        program.may_lack_pieces = known_programs_->may_lack_pieces;
    else
        add_untold(index);
    lifetimes_.events.push_back({program.end, MemoryEvent::Kind::kProgramEnd, index});
}

std::uint64_t ProgramTracker::signature_of(const ProgramLifetime& program) {
    return program.scope == kNoIndex ? 0 : signature_.of(lifetimes_.scopes.scopes[program.scope].start);
}

void ProgramTracker::append_piece(std::uint32_t index, const ProgramLibrary::Piece& piece) {
    ProgramLifetime& program = lifetimes_.programs[index];
    const auto at = static_cast<std::uint32_t>(lifetimes_.pieces.size());
    lifetimes_.pieces.push_back({program.begin, piece.kind, piece.shared, 0, core_set(piece.core_ranges),
                                 piece.size_bytes, piece.address});
    ++program.piece_count;
    lifetimes_.events.push_back({program.begin, MemoryEvent::Kind::kPiece, index, at});
}

void ProgramTracker::add_untold(std::uint32_t index) {
    if (!list_.some_program_memory_is_untold()) return;
    ProgramLifetime& program = lifetimes_.programs[index];
    program.may_lack_pieces = true;
    const auto* others = known_programs_ == nullptr ? nullptr : known_programs_->find(signature_of(program));
    if (others == nullptr) return;
    // Addresses tell pieces apart of one run only: the other one may lack them.
    using Sort = std::tuple<ProgramMemoryKind, bool, std::uint64_t, std::uint32_t>;
    std::map<Sort, std::size_t> there;
    for (std::uint32_t i = 0; i < program.piece_count; ++i) {
        const ProgramPiece& piece = lifetimes_.pieces[program.first_piece + i];
        if (piece.chip <= 1) ++there[{piece.kind, piece.shared, piece.size_bytes, piece.cores}];
    }
    for (const ProgramLibrary::Piece& piece : *others) {
        if (list_.is_told(piece.kind)) continue;
        std::size_t& left = there[{piece.kind, piece.shared, piece.size_bytes, core_set(piece.core_ranges)}];
        if (left != 0) {
            --left;
            continue;
        }
        append_piece(index, piece);
        ++program.added_pieces;
    }
    program.may_lack_pieces = known_programs_->may_lack_pieces;
}

void ProgramTracker::finish() {
    for (Open& open : open_)
        close(open, static_cast<std::uint32_t>(list_.size() - 1));
    open_.clear();
    const bool any_unknown =
        std::any_of(lifetimes_.programs.begin(), lifetimes_.programs.end(),
                    [](const ProgramLifetime& program) { return program.record == ProgramRecord::kUnknown; });
    if (!any_unknown) return;
    const ProgramLibrary own = lifetimes_.library(list_);
    for (std::uint32_t index = 0; index < lifetimes_.programs.size(); ++index) {
        const ProgramLifetime& program = lifetimes_.programs[index];
        if (program.record != ProgramRecord::kUnknown) continue;
        const std::uint64_t signature = signature_of(program);
        if (const auto* pieces = own.find(signature); pieces != nullptr)
            fill_in(index, ProgramRecord::kFilledIn, *pieces);
        else if (known_programs_ != nullptr)
            if (const auto* others = known_programs_->find(signature); others != nullptr)
                fill_in(index, ProgramRecord::kFromLibrary, *others);
    }
}

}  // namespace tilemeter::analysis::internal
