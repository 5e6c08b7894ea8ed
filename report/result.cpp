// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/result.hpp"

#include "report/text.hpp"

namespace tilemeter::report {
namespace {

void append_part(std::string& line, std::string_view label, const std::string& part) {
    if (part.empty()) return;
    if (!line.empty()) line += label.empty() ? ": " : ", ";
    line += label;
    line += part;
}

}  // namespace

std::string Error::message() const {
    std::string line;
    append_part(line, "", file);
    append_part(line, "", position);
    if (!expected.empty()) {
        if (!line.empty()) line += ": ";
        line += "expected " + expected;
    }
    append_part(line, expected.empty() ? "" : "found ", found);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return to_valid_utf8(line);
}

}  // namespace tilemeter::report
