// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sizes as people read and write them.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::analysis {

/// "1,234,567"
std::string grouped(std::uint64_t number);
/// "335,872 B"
std::string bytes_text(std::uint64_t bytes);
/// In the largest binary unit of which there is one: "512 B", "328.0 KiB", "1.33 MiB".
std::string short_bytes_text(std::uint64_t bytes);
/// "335,872 B (328.0 KiB)"; "512 B"
std::string both_sizes_text(std::uint64_t bytes);
/// "12.3 us"
std::string duration_text(std::uint64_t nanoseconds);
/// "79 %"; "0.4 %" below ten; "?" of nothing.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

/// A limit as people give it: bytes, or a share of what can be allocated.
struct SizeLimit {
    std::optional<std::uint64_t> bytes;
    std::optional<double> percent;  ///< above 0, at most 100
    /// Nothing for a share of something that is not known. Rounded down.
    std::optional<std::uint64_t> of(std::optional<std::uint64_t> whole) const;
};
/// "1048576", "1MiB", "1.2 MB", "512 kib", "80%": a number above 0, then B, kB, MB, GB, TB (powers of 1,000), KiB, MiB,
/// GiB, TiB (powers of 1,024) or %, in upper or lower case. Blanks are allowed between them, commas or underscores
/// between digits. Everything else is an error that says what was expected: negative, empty, 0, fractions of a byte,
/// beyond 2^63.
report::Result<SizeLimit> parse_size_limit(std::string_view text);

}  // namespace tilemeter::analysis
