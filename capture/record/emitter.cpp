// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/emitter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record {

namespace {

struct KnownEmitters {
    std::mutex mutex;
    std::vector<EmitterInfo> emitters = std::vector<EmitterInfo>(1);  // by id; the first is the runtime
};

KnownEmitters& known_emitters() {
    static auto& the_known_emitters = *new KnownEmitters;  // never destroyed, as the texts
    return the_known_emitters;
}

void publish(std::size_t id, const EmitterInfo& info) {
    internal::publish_definition(internal::DefinitionKind::kEmitter, static_cast<std::uint32_t>(id),
                                 internal::encode(info));
}

}  // namespace

std::string_view name_of(Completeness completeness) {
    constexpr std::array<std::string_view, 3> kNames = {"none", "partial", "complete"};
    const auto index = static_cast<std::size_t>(completeness);
    return index < kNames.size() ? kNames[index] : "unknown";
}

std::optional<EmitterId> register_emitter(EmitterInfo info) {
    KnownEmitters& all = known_emitters();
    const std::scoped_lock lock(all.mutex);
    auto place = std::find_if(all.emitters.begin(), all.emitters.end(),
                              [&](const EmitterInfo& each) { return each.name == info.name; });
    if (place == all.emitters.begin()) return EmitterId::kRuntime;  // which has no name
    if (place == all.emitters.end()) {
        if (all.emitters.size() == kMostEmitters) return std::nullopt;
        place = all.emitters.insert(all.emitters.end(), EmitterInfo{});
    }
    const auto id = static_cast<std::size_t>(place - all.emitters.begin());
    if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, info);
    *place = std::move(info);
    return static_cast<EmitterId>(id);
}

EmitterInfo emitter_info(EmitterId emitter) {
    KnownEmitters& all = known_emitters();
    const std::scoped_lock lock(all.mutex);
    const auto index = static_cast<std::size_t>(emitter);
    return index < all.emitters.size() ? all.emitters[index] : EmitterInfo{};
}

std::vector<EmitterId> emitters_in(const Recording& recording) {
    std::uint32_t seen = 0;
    for (const ThreadSlice& slice : recording.threads)
        slice.for_each(
            [&](const Event& event) { seen |= 1U << static_cast<unsigned>(emitter_of(event.device)); });
    std::vector<EmitterId> emitters;
    for (std::uint8_t i = 0; i < kMostEmitters; ++i) {
        if ((seen >> i & 1U) != 0) emitters.push_back(static_cast<EmitterId>(i));
    }
    return emitters;
}

ProgramMemoryKept program_memory_kept(const Recording& recording) {
    ProgramMemoryKept kept;
    for (const EmitterId emitter : emitters_in(recording)) {
        const EmitterInfo info = emitter_info(emitter);
        const ProgramMemoryKept& its = info.kept(recording.mode);
        kept.circular_buffers = std::min(kept.circular_buffers, its.circular_buffers);
        kept.dataflow_buffers = std::min(kept.dataflow_buffers, its.dataflow_buffers);
        kept.scratchpads = std::min(kept.scratchpads, its.scratchpads);
    }
    return kept;
}

namespace internal {
void publish_emitters() {
    KnownEmitters& all = known_emitters();
    const std::scoped_lock lock(all.mutex);
    for (std::size_t id = 1; id < all.emitters.size(); ++id)
        publish(id, all.emitters[id]);
}
}  // namespace internal

}  // namespace tilemeter::record
