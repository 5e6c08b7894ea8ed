// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The type of a value: elements, shape and, for a tensor that belongs to a device, its place.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/ir/element_type.hpp"
#include "capture/ir/shape.hpp"

namespace tilemeter::ir {

/// The place of a tensor, in words of the runtime that put it there: "n150:0", "TILE", "MemoryConfig(...)". Graphs
/// compare and print these texts and do not look into them.
struct Place {
    std::string device;
    std::string layout;
    std::string memory_config;

    friend bool operator==(const Place&, const Place&) = default;
};

struct TensorType {
    ElementType element = ElementType::kF32;
    Shape shape;
    std::optional<Place> place;  ///< none: a value that belongs to no device

    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "f32[2,3]", "f64[]", with a place `bf16[32,32]@("n150:0", "TILE", "L1")`.
std::string text_of(const TensorType& type);
void append_text(std::string& to, const TensorType& type);

/// Bytes of all elements in a Constant. Throws Error as Shape::elements().
std::uint64_t byte_size(const TensorType& type);

std::uint64_t hash_of(const TensorType& type);

}  // namespace tilemeter::ir
