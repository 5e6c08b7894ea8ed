// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/internal/gaps.hpp"

#include <algorithm>
#include <utility>

namespace tilemeter::analysis {
namespace {

using Kind = Reason::Kind;

/// The recorded addresses of tensors' buffers and program memory. What another run of a program says of it does not
/// count.
struct Addresses {
    std::uint32_t buffers = 0;
    std::uint32_t without = 0;
    void note(bool known) {
        ++buffers;
        without += known ? 0U : 1U;
    }
};
Addresses count_addresses(const MemoryLifetimes& lifetimes) {
    Addresses count;
    for (const BufferLifetime& lifetime : lifetimes.buffers)
        if (lifetime.memory != MemoryType::kSystemMemory && lifetime.size_bytes != 0)
            count.note(lifetime.address.value_or(0) > 0);
    for (const ProgramLifetime& program : lifetimes.programs) {
        if (program.record != ProgramRecord::kRecorded) continue;
        for (std::uint32_t i = 0; i < program.piece_count - program.added_pieces; ++i) {
            const ProgramPiece& piece = lifetimes.pieces[program.first_piece + i];
            if (!piece.shared && piece.size_bytes != 0) count.note(piece.address != 0);
        }
    }
    return count;
}

/// The least that lies in a bank beside what the list mentions: the first buffer that it allocates is not where the
/// devices' rule (first fit) would have put it.
std::uint64_t unmentioned_bytes(const MemoryLifetimes& lifetimes, std::uint16_t device,
                                const DeviceLimits& limits, MemoryType memory) {
    const bool from_top = memory == MemoryType::kL1;
    const std::uint64_t begin = from_top ? limits.l1_begin : limits.dram_begin;
    const std::uint64_t end = from_top ? limits.l1_end() : begin + limits.dram_bank_bytes;
    // Addresses as distances from where the bank is filled first.
    const auto distance = [&](std::uint64_t address, std::uint64_t bytes) {
        return from_top ? end - address - bytes : address - begin;
    };
    std::vector<std::pair<std::uint64_t, std::uint64_t>> older;
    for (const MemoryEvent& event : lifetimes.events) {
        if (event.kind != MemoryEvent::Kind::kAllocate) continue;
        const BufferLifetime& lifetime = lifetimes.buffers[event.index];
        if (lifetime.device != device || lifetime.memory != memory || lifetime.per_bank.bytes == 0) continue;
        const std::uint64_t address = lifetime.address.size_bytes();
        const std::uint64_t bytes = limits.rounded(lifetime.per_bank.bytes);
        if (begin == 0 || address < begin || address + bytes > end) return 0;
        const std::uint64_t from = distance(address, bytes);
        if (lifetime.before_window) {
            older.emplace_back(from, from + bytes);
            continue;
        }
        std::sort(older.begin(), older.end());
        std::uint64_t reached = 0;
        std::uint64_t taken = 0;
        for (const auto& [lower, upper] : older) {
            if (lower >= from) break;
            if (lower >= reached + bytes) taken += lower - reached - bytes + 1;  // it was no such hole
            reached = std::max(reached, upper);
        }
        return taken + (from > reached ? from - reached : 0);
    }
    return 0;
}

/// Outermost operations that released every buffer they had made, as their last deed, where neither a sidecar nor the
/// recorder itself would tell of an exception. An operation that Python refuses after its program ran leaves nothing
/// else in TT-NN's lists.
std::vector<std::uint32_t> operations_without_result(const NodeList& list, const MemoryLifetimes& lifetimes) {
    std::vector<std::uint32_t> found;
    if (list.source.sidecar == ListSource::Sidecar::kRead || list.program_memory_is_complete()) return found;
    const Scopes& scopes = lifetimes.scopes;
    std::vector<std::uint32_t> made(scopes.scopes.size(), 0);
    std::vector<std::uint32_t> released(scopes.scopes.size(), 0);
    std::vector<std::uint32_t> last_child(scopes.scopes.size(), kNoIndex);
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope)
        if (scopes.scopes[scope].parent != kNoIndex) last_child[scopes.scopes[scope].parent] = scope;
    for (const BufferLifetime& lifetime : lifetimes.buffers) {
        if (lifetime.before_window || lifetime.maker == kNoIndex) continue;
        const std::uint32_t top = scopes.scopes[lifetime.maker].top;
        ++made[top];
        const std::uint32_t end = scopes.scopes[top].end;
        if (lifetime.end != kNoIndex && lifetime.end <= end) ++released[top];
    }
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        if (made[scope] == 0 || made[scope] != released[scope] || last_child[scope] == kNoIndex) continue;
        if (list.name(scopes.scopes[last_child[scope]].start) == "Tensor::deallocate") found.push_back(scope);
    }
    return found;
}

/// The kinds of program memory that the recorder says it told not all of.
std::string untold_kinds(const NodeList& list) {
    std::string kinds;
    if (!list.program_memory_told) return kinds;
    const auto add = [&](record::Completeness kept, const char* kind) {
        if (kept != record::Completeness::kComplete) kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
    };
    add(list.program_memory_told->circular_buffers, "circular buffers");
    add(list.program_memory_told->dataflow_buffers, "dataflow buffers");
    add(list.program_memory_told->scratchpads, "scratchpads");
    return kinds;
}

}  // namespace

std::vector<Reason> find_gaps(const NodeList& list, const MemoryLifetimes& lifetimes) {
    return internal::find_gaps(list, lifetimes, find_failures(list, lifetimes),
                               internal::find_damage(list, lifetimes.scopes));
}

std::vector<Reason> internal::find_gaps(const NodeList& list, const MemoryLifetimes& lifetimes,
                                        const std::vector<RecordedFailure>& failures,
                                        const ListDamage& damage) {
    std::vector<Reason> gaps;
    const ListSource& source = list.source;
    if (!source.has_graph) {
        gaps.push_back(Reason::of(Kind::kNoGraph));
        gaps.back().file = source.file;
        return gaps;
    }
    if (!source.unknown_version.empty()) {
        gaps.push_back(Reason::of(Kind::kUnknownVersion));
        gaps.back().detail = source.unknown_version;
    }
    if (source.damaged_number_count != 0) {
        const DamagedNumber& first = source.damaged_numbers.front();
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kNumbersDamaged));
        gap.count = source.damaged_number_count;
        gap.node = first.node;
        gap.detail = text_of(first);
    }
    if (lifetimes.scopes.scopes.empty()) gaps.push_back(Reason::of(Kind::kNothingCaptured));

    if (damage.any()) {
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kNodesMissing));
        gap.count = damage.places;
        gap.detail = damage.text;
    }
    if (source.dropped_events.value_or(0) > 0) {
        gaps.push_back(Reason::of(Kind::kEventsDropped));
        gaps.back().count = source.dropped_events.size_bytes();
    }
    if (source.recovered) gaps.push_back(Reason::of(Kind::kProcessDied));
    if (!source.unseen_memory.empty()) {
        gaps.push_back(Reason::of(Kind::kMemoryNotSeen));
        gaps.back().detail = source.unseen_memory;
    }

    for (const RecordedFailure& failure : failures) {
        if (failure.cause() != FailureCause::kNotRecorded) continue;
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kMessageNotRecorded));
        gap.node = failure.node;
        gap.operation = failure.operation;
        gap.file = source.sidecar_file;
    }
    for (const std::uint32_t scope : operations_without_result(list, lifetimes)) {
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kMayHaveFailed));
        gap.node = lifetimes.scopes.scopes[scope].start;
        gap.operation = lifetimes.scopes.path(list, scope);
        gap.file = source.sidecar_file;
    }
    for (const UnlistedError& error : source.unlisted_errors) {
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kFailureNotInList));
        gap.operation = error.operation;
        gap.file = source.sidecar_file;
        gap.detail = short_message(error.message);
    }

    Reason programs = Reason::of(Kind::kProgramsNotRecorded);
    for (const ProgramLifetime& program : lifetimes.programs) {
        ++programs.total;
        programs.count += program.record == ProgramRecord::kUnknown || program.may_lack_pieces ? 1U : 0U;
    }
    const std::size_t unseen = internal::operations_without_program(list, lifetimes).size();
    programs.count += unseen;
    programs.total += unseen;
    programs.detail = untold_kinds(list);
    if (programs.count != 0) gaps.push_back(programs);

    if (const Addresses addresses = count_addresses(lifetimes); addresses.without != 0) {
        Reason& gap = gaps.emplace_back(Reason::of(Kind::kSizesWithoutAddresses));
        gap.count = addresses.without;
        gap.total = addresses.buffers;
    }
    Reason sizes = Reason::of(Kind::kSizesNotRecorded);
    for (const BufferLifetime& lifetime : lifetimes.buffers) {
        if (lifetime.memory == MemoryType::kSystemMemory) continue;
        ++sizes.total;
        sizes.count += lifetime.per_bank.origin == SizeOrigin::kWhole ? 1U : 0U;
    }
    if (sizes.count != 0) gaps.push_back(sizes);

    bool described = true;
    for (std::uint16_t device = 0; device < lifetimes.devices.size(); ++device) {
        const auto limits = limits_of(list, lifetimes, device);
        described = described && limits && limits->is_complete();
        if (!limits) continue;
        for (const MemoryType memory : {MemoryType::kL1, MemoryType::kDram}) {
            const std::uint64_t bytes = unmentioned_bytes(lifetimes, device, *limits, memory);
            if (bytes == 0) continue;
            Reason& gap = gaps.emplace_back(Reason::of(Kind::kOlderBuffersUnknown));
            gap.memory = memory;
            gap.bytes = bytes;
        }
    }
    if (!described && !lifetimes.devices.empty()) gaps.push_back(Reason::of(Kind::kNoDeviceRecord));

    Reason sections = Reason::of(Kind::kUnknownSections);
    for (const std::string& section : source.unknown_sections) {
        ++sections.count;
        sections.detail += (sections.detail.empty() ? "" : ", ") + section;
    }
    if (sections.count != 0) gaps.push_back(sections);
    return gaps;
}

std::uint32_t known_until(const NodeList& list, const Scopes& scopes) {
    const internal::ListDamage damage = internal::find_damage(list, scopes);
    if (damage.any() || list.source.is_damaged() || list.source.dropped_events.value_or(0) > 0 ||
        list.source.recovered || !list.source.unlisted_errors.empty())
        return 0;
    const auto failures = find_failures(list, scopes);
    if (failures.empty()) return static_cast<std::uint32_t>(list.size());
    return scopes.scopes[failures.front().scope].start;
}

}  // namespace tilemeter::analysis
