// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/command/progress_line.hpp"
#include "tools/tilemeter/input.hpp"

namespace tilemeter::cli {
namespace {

constexpr std::size_t kGapsOfRow = 3;
constexpr std::size_t kLeastWidth = 10;  // narrower terminals break lines by themselves

// Of a verdict at the begin of a line: what it is, in the colour of the outcome.
constexpr std::array<std::pair<std::string_view, const char*>, 6> kVerdictColours{
    {{"fits:", "\x1b[1;32m"},
     {"does not fit:", "\x1b[1;31m"},
     {"failed:", "\x1b[1;31m"},
     {"exceeded:", "\x1b[1;31m"},
     {"within the limits", "\x1b[1;32m"},
     {"unknown:", "\x1b[1;33m"}}};
constexpr const char* kNoColour = "\x1b[0m";

/// The begins of the texts behind gaps of two blanks or more.
std::vector<std::size_t> behind_gaps(std::string_view line) {
    std::vector<std::size_t> begins;
    for (std::size_t at = line.find_first_not_of(' '); at < line.size();) {
        const std::size_t gap = line.find("  ", at);
        if (gap == std::string_view::npos) break;
        at = line.find_first_not_of(' ', gap);
        if (at != std::string_view::npos) begins.push_back(at);
    }
    return begins;
}

std::string coloured(std::string line) {
    for (const auto& [verdict, colour] : kVerdictColours) {
        if (!line.starts_with(verdict)) continue;
        const std::size_t end = verdict.size() - (verdict.ends_with(':') ? 1 : 0);
        return colour + line.substr(0, end) + kNoColour + line.substr(end);
    }
    return line;
}

/// The length of a sequence of colours ("\x1b[1;31m") at the begin of a text; 0: there is none.
std::size_t colour_length(std::string_view text) {
    if (!text.starts_with("\x1b[")) return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// Names in reports may hold what terminals take for commands: "\x1b" is written instead. Tabs stay, and colours where the
/// verbs use them.
std::string without_controls(std::string_view line, bool has_colours) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string clean;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const auto next = static_cast<unsigned char>(i + 1 < line.size() ? line[i + 1] : 0);
        const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // of two bytes in UTF-8
        if ((byte >= 0x20 || byte == '\t') && byte != 0x7F && !is_c1) {
            clean += line[i];
        } else if (const std::size_t length = has_colours ? colour_length(line.substr(i)) : 0; length > 0) {
            clean += line.substr(i, length);
            i += length - 1;
        } else {
            const unsigned char code = is_c1 ? next : byte;
            clean += "\\x";
            clean += kDigits[code >> 4U];
            clean += kDigits[code & 15U];
            if (is_c1) ++i;
        }
    }
    return clean;
}

/// Passes on lines as they fit; the begin of a line when it is flushed.
class Fitter final : public std::streambuf {
public:
    Fitter(std::streambuf& to, std::size_t columns, bool colours)
        : to_(to), columns_(columns), colours_(colours) {}

    void pass_on_as_it_is(bool as_it_is) {
        sync();
        as_it_is_ += as_it_is ? 1 : -1;
    }

protected:
    int overflow(int character) override {
        if (character == traits_type::eof()) return traits_type::not_eof(character);
        const char one = traits_type::to_char_type(character);
        return xsputn(&one, 1) == 1 ? character : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        if (as_it_is_ > 0) return to_.sputn(text, size);
        std::string_view rest(text, static_cast<std::size_t>(size));
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            line_.append(rest.substr(0, end));
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + 1);
            if (!put(fitted(without_controls(std::exchange(line_, {}), colours_), columns_) + '\n')) return 0;
        }
        return size;
    }
    int sync() override {
        if (!line_.empty() && !put(without_controls(std::exchange(line_, {}), colours_))) has_failed_ = true;
        if (to_.pubsync() != 0) has_failed_ = true;
        return has_failed_ ? -1 : 0;
    }

private:
    bool put(std::string text) {
        if (colours_) text = coloured(std::move(text));
        const auto size = static_cast<std::streamsize>(text.size());
        return to_.sputn(text.data(), size) == size;
    }

    std::streambuf& to_;
    const std::size_t columns_;
    const bool colours_;
    int as_it_is_ = 0;
    bool has_failed_ = false;  // once: what is below forgets it, and not all who flush ask
    std::string line_;
};

Fitter* current_fitter = nullptr;  // that of std::cout; one program has one

}  // namespace

std::size_t line_width() {
    winsize size{};
    if (are_lists_kept() || ::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0)
        return SIZE_MAX;
    return size.ws_col;
}

bool has_colour() {
    const char* const forbidden = std::getenv("NO_COLOR");
    return line_width() != SIZE_MAX && (forbidden == nullptr || *forbidden == '\0') &&
           command::knows_escapes();
}

bool can_draw_over() {
    return ::isatty(STDOUT_FILENO) == 1 && command::knows_escapes();
}

std::string right_aligned(std::string_view text, std::size_t columns) {
    const std::size_t used = columns_of(text);
    return std::string(used < columns ? columns - used : 0, ' ').append(text);
}

std::string fitted(std::string_view line, std::size_t columns) {
    if (columns_of(line) <= columns) return std::string(line);
    const std::vector<std::size_t> begins = behind_gaps(line);
    if (begins.size() >= kGapsOfRow) return with_end_cut(line, columns);
    std::size_t hanging = std::min(line.find_first_not_of(' ') + 2, columns / 2);
    for (const std::size_t begin : begins)
        if (const std::size_t column = columns_of(line.substr(0, begin)); column <= columns / 2)
            hanging = column;
    std::string text = report::wrapped(line, columns).front();
    line.remove_prefix(text.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return text;
    for (const std::string& further : report::wrapped(line, columns - hanging))
        text += '\n' + std::string(hanging, ' ') + further;
    return text;
}

FittedOutput::FittedOutput() {
    std::size_t columns = line_width();
    if (columns < kLeastWidth) columns = SIZE_MAX;
    before_ = std::cout.rdbuf();
    auto fitter = std::make_unique<Fitter>(*before_, columns, has_colour());
    current_fitter = fitter.get();
    std::cout.rdbuf(fitter.get());
    fitter_ = std::move(fitter);
}

FittedOutput::~FittedOutput() {
    if (fitter_ == nullptr) return;
    std::cout.flush();
    current_fitter = nullptr;
    std::cout.rdbuf(before_);
}

AsItIs::AsItIs() {
    if (current_fitter != nullptr) current_fitter->pass_on_as_it_is(true);
}

AsItIs::~AsItIs() {
    if (current_fitter != nullptr) current_fitter->pass_on_as_it_is(false);
}

}  // namespace tilemeter::cli
