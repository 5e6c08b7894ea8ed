// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Refusals of queries in figures, from the errors of the runtime.

#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "runtime/device/query_shadow.hpp"
#include "runtime/query/query.hpp"

namespace tilemeter::query::internal {

/// `error`: what ended the query's function, which may have gone through another language: the shadow has noted the original.
Refusal refusal_of(const std::exception& error, const QueryShadow& shadow, const Device& device);

/// The fewest blocks in a row, of them those of the fewest bytes, without which `bytes` are free in one piece; none: not even
/// an empty bank has them. From the highest address.
std::vector<AllocationRecord> fewest_to_go(const BankAllocator& bank, MemoryType memory, std::uint64_t bytes);

/// "Shape([1, 1, 32, 32]) DataType::BFLOAT16 of ttnn::add"
std::string text_of(const Allocation& allocation);

/// The text without what follows its first line, of an exception with a trace of calls its message.
std::string one_line(std::string_view text);

}  // namespace tilemeter::query::internal
