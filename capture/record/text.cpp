// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/text.hpp"

#include <cstdint>
#include <string_view>

#include "capture/record/internal/definition_table.hpp"

namespace tilemeter::record {

namespace {

internal::DefinitionTable& texts() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_table = *new internal::DefinitionTable(internal::DefinitionKind::kText);
    return the_table;
}

}  // namespace

TextId intern(std::string_view text) {
    return text.empty() ? TextId::kNone : TextId{texts().intern(text)};
}

std::string_view text_of(TextId id) {
    return id == TextId::kNone ? std::string_view() : texts().view_of(static_cast<std::uint32_t>(id));
}

namespace internal {
void publish_texts() {
    texts().publish_all();
}
}  // namespace internal

}  // namespace tilemeter::record
