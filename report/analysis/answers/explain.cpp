// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/explain.hpp"

#include <utility>

namespace tilemeter::analysis {

std::uint16_t device_near(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t node,
                          MemoryType memory) {
    for (const ProgramLifetime& program : lifetimes.programs)
        if (program.begin <= node && node <= program.end) return program.device;
    if (lifetimes.devices.size() < 2) return 0;
    const PeakAnswer peak = find_peak(list, lifetimes);
    const auto bytes = [&](std::size_t slot) {
        return memory == MemoryType::kDram ? peak.devices[slot].dram.bytes : peak.devices[slot].l1.bytes;
    };
    std::uint16_t fullest = 0;
    for (std::uint16_t slot = 0; slot < peak.devices.size(); ++slot)
        if (bytes(slot) > bytes(fullest)) fullest = slot;
    return fullest;
}

const char* name_of(LaterUse use) {
    switch (use) {
        case LaterUse::kUsed:
            return "used";
        case LaterUse::kReleased:
            return "released";
        case LaterUse::kAliveAtTheEnd:
            return "alive_at_the_end";
        case LaterUse::kNotKnown:
            return "not_known";
    }
    return "";
}

const char* name_of(AddressOrigin origin) {
    switch (origin) {
        case AddressOrigin::kRecorded:
            return "recorded";
        case AddressOrigin::kPlaced:
            return "placed";
        case AddressOrigin::kNotKnown:
            return "not_known";
    }
    return "";
}

LaterUse later_use(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t known_until,
                   std::uint32_t buffer, std::uint32_t node) {
    const BufferLifetime& lifetime = lifetimes.buffers[buffer];
    if (lifetime.last_use != kNoIndex && lifetime.last_use >= node) return LaterUse::kUsed;
    // Without addresses mentions of a tensor are not joined for sure. A failure that only the sidecar has
    // unwinds as well.
    const ListSource::Sidecar sidecar = list.source.sidecar;
    const bool uses_known = lifetime.address.value_or(0) > 0 &&
                            (sidecar == ListSource::Sidecar::kNone || sidecar == ListSource::Sidecar::kRead);
    if (!uses_known) return LaterUse::kNotKnown;
    if (lifetime.end != kNoIndex && lifetime.end > node && lifetime.end < known_until)
        return LaterUse::kReleased;
    return known_until == list.size() && lifetime.end == kNoIndex ? LaterUse::kAliveAtTheEnd
                                                                  : LaterUse::kNotKnown;
}

std::optional<bool> MoveCandidate::can_be_released() const {
    if (later == LaterUse::kUsed) return false;
    if (later == LaterUse::kReleased) return true;
    return {};
}

Judgement judge_with_message(Judgement judgement, const std::string& message) {
    const FailureMessage read = read_failure_message(message);
    if (!is_lack_of_memory(read.cause)) return judgement;
    std::erase_if(judgement.reasons,
                  [](const Reason& reason) { return reason.kind == Reason::Kind::kRanToItsEnd; });
    judgement.verdict = Verdict::kDoesNotFit;
    judgement.reasons.insert(judgement.reasons.begin(), refusal_of(read));
    return judgement;
}

}  // namespace tilemeter::analysis
