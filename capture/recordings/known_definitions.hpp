// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Definitions of a recording, under the ids of the process that wrote it, and how those translate into ours.
//
// Thread safety: outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/events/ids.hpp"
#include "capture/events/internal/definitions.hpp"
#include "capture/record/tensor_info.hpp"

namespace tilemeter::record::internal {

class KnownDefinitions {
public:
    /// Takes a definition; what is malformed or of an unknown kind is left out. Texts, placements, stacks,
    /// modules and devices become known to this process at once.
    void add(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes);

    /// Takes the definitions of a stream, up to one that is not all there: the number of bytes taken.
    std::size_t add_all(std::span<const char> stream);

    /// Interns what needs all others: tensor types name texts.
    void make_known();

    /// Replaces the ids in `event`. Ids without a definition become none; texts, "(lost text)".
    void translate(Event& event) const;

private:
    TextId text(std::uint32_t id) const;
    std::uint32_t raw_text(std::uint32_t id) const { return static_cast<std::uint32_t>(text(id)); }
    std::uint32_t raw_tensor(std::uint32_t id) const;
    std::vector<std::uint64_t> frames_in(std::span<const char> bytes) const;
    DeviceId known_device(DeviceId device) const;

    std::array<EmitterId, kMostEmitters> emitters_{};  // by number in the file
    std::unordered_map<std::uint32_t, TextId> texts_;
    std::unordered_map<std::uint32_t, PlacementId> placements_;
    std::unordered_map<std::uint32_t, StackId> stacks_;
    std::unordered_map<std::uint32_t, TensorInfo> tensor_infos_;
    std::unordered_map<std::uint32_t, TensorSpecId> tensors_;
};

}  // namespace tilemeter::record::internal
