// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The record of a traced function, as it was noted: its events, and what events do not say. The graph (call_graph.hpp)
// and the recipe (recipe.hpp) are made of it when they are first asked for, so that tracing pays for neither.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/events/thread_log.hpp"
#include "runtime/trace/device/record/internal/call_arguments.hpp"
#include "runtime/trace/device/record/internal/id_map.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"

namespace tilemeter::trace::internal {

/// Values of host tensors that were known while the function was traced.
using HostConstants = std::unordered_map<record::TensorId, std::shared_ptr<const ChipValues>>;

/// The events of a thread. A few are copied, so that they do not keep 64 KiB; of more the log's own memory is kept.
class EventList {
public:
    EventList() = default;
    explicit EventList(record::ThreadSlice slice);

    [[nodiscard]] std::size_t size() const { return slice_.end - slice_.begin + few_.size(); }

    template <typename Visit>
    void for_each(Visit visit) const {
        for (const record::Event& each : few_)
            visit(each);
        slice_.for_each(visit);
    }

private:
    record::ThreadSlice slice_;
    std::vector<record::Event> few_;
};

/// A tensor at one of the function's ends.
struct NamedTensor {
    record::TensorId tensor{};
    record::BufferId buffer{};  ///< kNone: on the host
    record::TensorSpecId spec{};
};

enum class Noted : std::uint8_t { kAllocated, kProgram, kMove, kPlace, kCall, kPass };

struct Note {
    std::uint64_t position;  ///< events before it
    Noted what;
    std::uint32_t index;  ///< the slot, program, move, place, call or CallPass
};

/// A program that ran: its operands, then its results, are uses in their order.
struct NotedProgram {
    const DeviceOperation* operation = nullptr;  ///< in the room of operations
    std::shared_ptr<const CachedProgram> program;
    std::uint32_t first_use = 0;
    std::uint32_t operand_count = 0;
    std::uint32_t result_count = 0;
    record::TextId call{};  ///< the user's
};

struct Use {
    Slot slot = kNoSlot;
    std::uint32_t spec = 0;  ///< its number among the specs
    std::uint32_t chip = kAllChips;

    static constexpr std::uint32_t kAllChips = ~0U;
};

/// A tensor's memory was written.
struct Write {
    std::uint32_t note = 0;  ///< by what was noted there
    record::BufferId buffer{};
    record::TensorSpecId spec{};
};

/// The place in the user's program of the call that is open, or else that begins next.
struct NotedPlace {
    std::uint32_t line = 0;
    std::uint32_t file = 0, scope = 0;  ///< numbers of texts
};

/// With what the call that begins next is called; its tensors are among those of all calls.
struct NotedCall {
    GivenArguments given;
    std::uint32_t first_tensor = 0;
    std::uint32_t tensor_count = 0;
};

struct RecordedCalls {
    std::string name;  ///< of the graph
    std::vector<std::string> input_names;
    std::shared_ptr<Recipe> recipe =
        std::make_shared<Recipe>();   ///< without programs, events, steps and tensors
    record::TensorId first_tensor{};  ///< of the function
    EventList events;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> hidden;  ///< events of tables, from and up to
    std::vector<Note> notes;
    std::shared_ptr<ObjectRoom> operations =
        std::make_shared<ObjectRoom>();  ///< of programs; recipes share it
    std::vector<NotedProgram> programs;
    std::vector<Use> uses;
    std::vector<TensorSpec> specs;
    std::vector<Write> writes;  ///< by note
    std::vector<NotedPlace> places;
    ObjectRoom arguments;  ///< of calls
    std::vector<NotedCall> calls;
    std::vector<TensorArgument> call_tensors;
    std::vector<std::string> texts;  ///< of places
    HostConstants constants;
    IdMap<record::BufferId> slots;
    std::vector<NamedTensor> inputs;
    std::vector<NamedTensor> results;
};

/// Visits notes, with their number, and events in the order in which they happened; not the events of tables.
template <typename VisitNote, typename VisitEvent>
void for_each_in_order(const RecordedCalls& recorded, VisitNote visit_note, VisitEvent visit_event) {
    std::uint64_t index = 0;
    std::size_t note = 0;
    auto hidden = recorded.hidden.cbegin();
    recorded.events.for_each([&](const record::Event& event) {
        for (; note < recorded.notes.size() && recorded.notes[note].position <= index; ++note)
            visit_note(recorded.notes[note], note);
        while (hidden != recorded.hidden.cend() && hidden->second <= index)
            ++hidden;
        const bool is_hidden = hidden != recorded.hidden.cend() && hidden->first <= index;
        ++index;
        if (!is_hidden) visit_event(event);
    });
    for (; note < recorded.notes.size(); ++note)
        visit_note(recorded.notes[note], note);
}

}  // namespace tilemeter::trace::internal
