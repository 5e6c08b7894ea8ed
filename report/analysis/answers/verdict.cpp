// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/verdict.hpp"

#include <algorithm>
#include <utility>

#include "report/analysis/memory/failure.hpp"
#include "report/analysis/memory/failures.hpp"

namespace tilemeter::analysis {

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kFits:
            return "fits";
        case Verdict::kDoesNotFit:
            return "does_not_fit";
        case Verdict::kFailed:
            return "failed";
        case Verdict::kUnknown:
            return "unknown";
    }
    return "";
}

const char* words_of(Verdict verdict) {
    return verdict == Verdict::kDoesNotFit ? "does not fit" : name_of(verdict);
}

const char* name_of(Bound bound) {
    switch (bound) {
        case Bound::kExact:
            return "exact";
        case Bound::kAtLeast:
            return "at_least";
        case Bound::kUncertain:
            return "uncertain";
    }
    return "";
}

const char* prefix_of(Bound bound) {
    switch (bound) {
        case Bound::kExact:
            return "";
        case Bound::kAtLeast:
            return "at least ";
        case Bound::kUncertain:
            return "about ";
    }
    return "";
}

const Reason* Judgement::find(Reason::Kind kind) const {
    const auto found =
        std::find_if(reasons.begin(), reasons.end(), [kind](const Reason& it) { return it.kind == kind; });
    return found == reasons.end() ? nullptr : &*found;
}

Reason MemoryUse::beyond(Reason::Kind kind, MemoryType memory, std::string counted) const {
    Reason it = Reason::of(kind);
    it.memory = memory;
    it.bytes = peak_bytes;
    it.limit_bytes = limit_bytes;
    it.node = first_beyond_node;
    it.operation = first_beyond_operation;
    it.detail = std::move(counted);
    return it;
}

Reason refusal_of(const FailureMessage& message) {
    Reason it = Reason::of(Reason::Kind::kMemoryRefused);
    it.detail = name_of(message.cause);
    it.memory = MemoryType::kL1;
    if (const auto& full = message.out_of_memory) {
        it.bytes = full->per_bank_bytes;
        it.limit_bytes = full->largest_free_bytes ? full->largest_free_bytes : full->free_bytes;
        it.memory = memory_of(*full);
    } else if (const auto& clash = message.clash) {
        it.bytes = clash->program_end;
        it.limit_bytes = clash->tensor_address;
    } else if (const auto& large = message.program_too_large) {
        it.bytes = large->program_bytes;
        it.limit_bytes = large->l1_bytes;
    } else if (const auto& no_room = message.no_room_for_program) {
        it.bytes = no_room->program_bytes;
        it.limit_bytes = no_room->free_bytes;
    }
    return it;
}

}  // namespace tilemeter::analysis
