// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types, attributes and large constants in a text that is being parsed. All throw Error with the position.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "capture/ir/internal/text_cursor.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::ir::internal {

/// `f32[2,3]`, with a place `bf16[32,32]@("n150:0", "TILE", "L1")`.
TensorType read_type(TextCursor& cursor);

/// The value of an attribute: true, 3, 3.0, "text", f32, a list of one kind.
Attribute read_attribute(TextCursor& cursor);

/// The sections below the graphs: bytes of large constants by number.
class DataSections {
public:
    /// REQUIRES: `cursor` stands at the first section or at the end
    void read(TextCursor& cursor);

    /// The bytes of section `number` as a constant of this type. `at` is where the text asks for it.
    [[nodiscard]] Constant constant(const TextCursor& cursor, std::size_t at, std::uint64_t number,
                                    const TensorType& type) const;

private:
    struct Section {
        Constant::Storage bytes;
        std::uint64_t size;
    };

    std::unordered_map<std::uint64_t, Section> sections_;
};

}  // namespace tilemeter::ir::internal
