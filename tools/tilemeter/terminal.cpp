// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/terminal.hpp"

#include <algorithm>
#include <cstdint>

#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/tilemeter/input.hpp"

namespace tilemeter::cli {
namespace {

constexpr std::string_view kEllipsis = "…";

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace

std::size_t line_width() {
    winsize size{};
    if (are_lists_kept() || ::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0)
        return SIZE_MAX;
    return size.ws_col;
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string with_end_cut(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    std::size_t end = 0;
    for (std::size_t left = std::max<std::size_t>(columns, 1); end < text.size(); ++end)
        if (begins_character(text[end]) && left-- == 1) break;
    return std::string(text.substr(0, end)).append(kEllipsis);
}

std::string with_begin_cut(std::string_view text, std::size_t columns) {
    const std::size_t all = columns_of(text);
    if (all <= columns) return std::string(text);
    std::size_t begin = 0;
    for (std::size_t left = all - std::max<std::size_t>(columns, 1) + 1; begin < text.size(); ++begin)
        if (begins_character(text[begin]) && left-- == 0) break;
    return std::string(kEllipsis).append(text.substr(begin));
}

std::string right_aligned(std::string_view text, std::size_t columns) {
    const std::size_t used = columns_of(text);
    return std::string(used < columns ? columns - used : 0, ' ').append(text);
}

}  // namespace tilemeter::cli
