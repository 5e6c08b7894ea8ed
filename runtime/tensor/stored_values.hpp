// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The values in a buffer as a tensor over it has them.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "runtime/device/buffer.hpp"

namespace tilemeter {

/// The values of `stored` that a tensor of this shape has: that of one chip, and, where the padding of the tensor that
/// they were made for counts, the part that is its own. Null `stored`: zeros on `chips` chips.
std::shared_ptr<const ChipValues> values_of_tensor(std::shared_ptr<const ChipValues> stored,
                                                   const Shape& shape, DataType dtype,
                                                   std::optional<std::size_t> chip, std::size_t chips);

/// Stand in a buffer, or a host tensor, for values that no operation computed; whoever reads them is told why. Without
/// a reason: a capture without values was open (ScopedWithoutValues, runtime/operations/core/planned_values.hpp).
const std::shared_ptr<const ChipValues>& uncomputed_values();
/// `reason`: a clause that follows "not computed, for ". One object for each reason, kept as long as the process.
std::shared_ptr<const ChipValues> uncomputed_values(const std::string& reason);

/// The contents of the padding of tiles: of values whose padding an operation filled, until others take their place; 0
/// of all others. Null has none.
void note_padding(const std::shared_ptr<const ChipValues>& values, float padding);
float padding_of(const std::shared_ptr<const ChipValues>& values);

/// True if the values are such a stand-in. Null is none.
bool stand_for_uncomputed(const std::shared_ptr<const ChipValues>& values);

}  // namespace tilemeter
