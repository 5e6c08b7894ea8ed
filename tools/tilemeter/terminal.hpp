// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Lines that fit who reads them: a terminal has a width and colours, a pipe takes all as it is.

#pragma once

#include <cstddef>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

#include "report/cut_text.hpp"

namespace tilemeter::cli {

using report::columns_of;
using report::with_begin_cut;
using report::with_end_cut;

/// Columns of the terminal on standard output; no limit (SIZE_MAX) where that is none, or doesn't say.
std::size_t line_width();

/// True if standard output is a terminal that shows colours, and its user has not forbidden them (NO_COLOR).
bool has_colour();

/// True if standard output is a terminal where lines can be drawn over those before.
bool can_draw_over();

/// In `columns` columns, at the right end of them; longer texts are left as they are.
std::string right_aligned(std::string_view text, std::size_t columns);

/// A line in at most `columns` columns. A row of a table (three gaps of two blanks or more) loses its end; any other goes on in
/// further lines, below the text behind its last gap or two columns further in. Words stay whole.
std::string fitted(std::string_view line, std::size_t columns);

/// While it lives, lines that are written to std::cout fit the terminal there, and a verdict at their begin has a colour; where
/// that is no terminal they have any length. Control characters in them are written as "\x1b", whoever reads.
class FittedOutput {
public:
    FittedOutput();
    ~FittedOutput();
    FittedOutput(const FittedOutput&) = delete;
    FittedOutput& operator=(const FittedOutput&) = delete;

private:
    std::unique_ptr<std::streambuf> fitter_;
    std::streambuf* before_ = nullptr;
};

/// While it lives, what is written to std::cout stays as it is, on a terminal as well: documents, JSON.
class AsItIs {
public:
    AsItIs();
    ~AsItIs();
    AsItIs(const AsItIs&) = delete;
    AsItIs& operator=(const AsItIs&) = delete;
};

}  // namespace tilemeter::cli
