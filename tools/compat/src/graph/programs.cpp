// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/graph/programs.hpp"

#include <charconv>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

tt::tt_metal::Program program_of(const CachedProgram& program) {
    std::vector<std::shared_ptr<tt::tt_metal::CircularBuffer>> circular_buffers;
    for (std::size_t i = 0; i < program.memory.size(); ++i) {
        const ProgramMemory& piece = program.memory[i];
        if (piece.kind != ProgramMemoryKind::kCircularBuffer) continue;
        circular_buffers.push_back(std::make_shared<tt::tt_metal::CircularBuffer>(
            from_model(piece.cores), program.placement.addresses[i],
            static_cast<std::uint32_t>(piece.size_bytes), piece.shared_with != ProgramMemory::kOwn));
    }
    return {program.program_id, std::move(circular_buffers)};
}

tt::tt_metal::CoreRangeSet cores_of_text(std::string_view text) {
    std::vector<std::size_t> numbers;
    for (const char* at = text.data(); at != text.data() + text.size();) {
        std::size_t number = 0;
        const auto read = std::from_chars(at, text.data() + text.size(), number);
        if (read.ec == std::errc()) numbers.push_back(number);
        at = read.ptr == at ? at + 1 : read.ptr;
    }
    std::vector<tt::tt_metal::CoreRange> ranges;
    for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
        ranges.emplace_back(tt::tt_metal::CoreCoord(numbers[i], numbers[i + 1]),
                            tt::tt_metal::CoreCoord(numbers[i + 2], numbers[i + 3]));
    return tt::tt_metal::CoreRangeSet(std::move(ranges));
}

}  // namespace tilemeter::compat
