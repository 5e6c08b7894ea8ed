// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Every explanation that a question has.

#include <algorithm>
#include <utility>

#include "report/analysis/answers/explain.hpp"
#include "report/analysis/answers/internal/explainer.hpp"
#include "report/analysis/memory/failures.hpp"

namespace tilemeter::analysis {
namespace {

/// The place of a message from elsewhere: the last failure, else the last operation.
std::uint32_t last_place(const NodeList& list, const MemoryLifetimes& lifetimes, const std::string& message) {
    if (list.size() == 0) return kNoIndex;
    const Scopes& scopes = lifetimes.scopes;
    if (const auto failures = find_failures(list, scopes); !failures.empty())
        return moment_of_failure(list, lifetimes, failures.back().scope, read_failure_message(message));
    for (auto scope = scopes.scopes.size(); scope-- > 0;) {
        const Scope& it = scopes.scopes[scope];
        if (it.parent == kNoIndex && it.end != kNoIndex && list.name(it.start) != "Tensor::deallocate")
            return it.end;
    }
    return static_cast<std::uint32_t>(list.size() - 1);
}

/// Gaps of the list make figures of a moment lower bounds, or worse.
void set_bound(const Judgement& judgement, Explanation& it) {
    for (const Reason& gap : judgement.reasons) {
        switch (gap.kind) {
            case Reason::Kind::kNumbersDamaged:
            case Reason::Kind::kUnknownVersion:
            case Reason::Kind::kContradiction:
            case Reason::Kind::kNodesMissing:
            case Reason::Kind::kEventsDropped:
            case Reason::Kind::kSizesNotRecorded:
                it.bound = Bound::kUncertain;
                break;
            case Reason::Kind::kMemoryNotSeen:
                if (it.bound == Bound::kExact) it.bound = Bound::kAtLeast;
                break;
            case Reason::Kind::kOlderBuffersUnknown:
                // The message of an allocation counts what the list does not have.
                if (gap.memory == it.memory && it.bound == Bound::kExact &&
                    !(it.out_of_memory && it.out_of_memory->allocated_bytes))
                    it.bound = Bound::kAtLeast;
                break;
            default:
                break;
        }
    }
}

/// Adds requests that are too much for the device, as the judgement says.
void add_what_finds_no_place(const NodeList& list, const MemoryLifetimes& lifetimes,
                             const Judgement& judgement, std::vector<Explanation>& all) {
    const Reason* lack = judgement.find(Reason::Kind::kFindsNoPlace);
    if (lack == nullptr) lack = judgement.find(Reason::Kind::kExceedsLimit);
    if (lack == nullptr) return;
    const bool by_sizes = judgement.find(Reason::Kind::kSizesWithoutAddresses) != nullptr;
    std::optional<Explanation> first;
    for (std::uint16_t device = 0; by_sizes && !first && device < lifetimes.devices.size(); ++device)
        first = internal::explain_first_without_place(list, lifetimes, device);
    if (!first) {
        const std::uint16_t device = device_near(list, lifetimes, lack->node);
        all.push_back(
            explain_moment(list, lifetimes, device, lack->node, lack->memory.value_or(MemoryType::kL1)));
        return;
    }
    const MemoryType memory = first->memory.value_or(MemoryType::kL1);
    const std::uint32_t fullest = memory == MemoryType::kDram ? judgement.dram.node : judgement.l1.node;
    // The clash is told with the whole program.
    const bool is_fullest = fullest == kNoIndex || fullest == first->node ||
                            (first->clash && fullest < lifetimes.scopes.of_node.size() &&
                             lifetimes.scopes.of_node[fullest] == lifetimes.scopes.of_node[first->node]);
    all.push_back(std::move(*first));
    // The whole number of bytes.
    if (!is_fullest)
        all.push_back(
            explain_moment(list, lifetimes, device_near(list, lifetimes, fullest), fullest, memory));
}

std::vector<Explanation> explanations_of(const NodeList& list, const MemoryLifetimes& lifetimes,
                                         const Judgement& judgement, const ExplainQuestion& question) {
    const auto failure = [&](std::uint32_t node, const std::string& message) {
        return explain_failure(list, lifetimes,
                               node == kNoIndex ? std::uint16_t{0} : device_near(list, lifetimes, node), node,
                               message, question.known_programs);
    };
    const auto moment = [&](std::uint32_t node) {
        const std::uint16_t device = device_near(list, lifetimes, node);
        return explain_moment(list, lifetimes, device, node,
                              internal::memory_in_use(lifetimes, device, node));
    };
    if (!question.message.empty())
        return {failure(question.at ? *question.at : last_place(list, lifetimes, question.message),
                        question.message)};
    const std::vector<RecordedFailure> failures = find_failures(list, lifetimes);
    const auto recorded = [&](const RecordedFailure& it) {
        Explanation told = failure(it.node, it.message);
        told.operation = it.operation;
        return told;
    };
    if (question.at) {
        for (const RecordedFailure& it : failures)
            if (it.node == *question.at) return {recorded(it)};
        return {moment(*question.at)};
    }
    std::vector<Explanation> all;
    for (const RecordedFailure& it : failures)
        all.push_back(recorded(it));
    add_what_finds_no_place(list, lifetimes, judgement, all);
    if (!all.empty()) return all;
    if (judgement.l1.node != kNoIndex)
        all.push_back(explain_moment(list, lifetimes, device_near(list, lifetimes, judgement.l1.node),
                                     judgement.l1.node, MemoryType::kL1));
    else if (judgement.dram.node != kNoIndex)
        all.push_back(explain_moment(list, lifetimes, device_near(list, lifetimes, judgement.dram.node),
                                     judgement.dram.node, MemoryType::kDram));
    return all;
}

}  // namespace

std::vector<Explanation> explain(const NodeList& list, const MemoryLifetimes& lifetimes,
                                 const Judgement& judgement, const ExplainQuestion& question) {
    std::vector<Explanation> all = explanations_of(list, lifetimes, judgement, question);
    for (Explanation& it : all)
        set_bound(judgement, it);
    return all;
}

}  // namespace tilemeter::analysis
