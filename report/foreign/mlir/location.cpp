// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/mlir/location.hpp"

#include <charconv>

#include "report/foreign/mlir/value.hpp"

namespace tilemeter::foreign::mlir {
namespace {

std::uint32_t number(Cursor& cursor) {
    const std::string_view digits = cursor.word();
    std::uint32_t found = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), found);
    return found;
}

}  // namespace

UserPlace Locations::place(std::string_view location) const {
    UserPlace found;
    read(location, found, 0);
    return found;
}

void Locations::read(std::string_view location, UserPlace& place, int depth) const {
    if (depth > 64) return;  // a chain of aliases that leads back to itself
    Cursor cursor(location);
    if (cursor.peek() == '#') {
        const auto alias = aliases_.find(location.substr(cursor.at()));
        if (alias != aliases_.end()) read(alias->second, place, depth + 1);
    } else if (cursor.take("loc")) {
        const std::string_view whole = cursor.bracketed();
        read(whole.substr(1, whole.size() - 2), place, depth + 1);
    } else if (cursor.peek() == '"') {
        const std::string_view text = cursor.string();
        if (cursor.take(":")) {
            if (!place.file.empty()) return;
            place.file = text;
            place.line = number(cursor);
            if (cursor.take(":")) place.column = number(cursor);
        } else {
            if (place.name.empty()) place.name = text;
            if (cursor.peek() != '(') return;
            const std::string_view whole = cursor.bracketed();
            read(whole.substr(1, whole.size() - 2), place, depth + 1);
        }
    } else if (cursor.take("callsite")) {
        const std::string_view whole = cursor.bracketed();
        Cursor inside(whole.substr(1, whole.size() - 2));
        // The callee, then the caller.
        const std::size_t begin = inside.at();
        if (inside.peek() == '#') {
            inside.take("#");
            inside.word();
        } else if (inside.peek() == '"') {
            inside.string();
            if (inside.peek() == '(') inside.bracketed();
        } else {
            inside.until("(");
            if (inside.peek() == '(') inside.bracketed();
        }
        const std::string_view rest = inside.text().substr(inside.at());
        const std::size_t at = rest.find(" at ");
        read(inside.text().substr(
                 begin, at == std::string_view::npos ? std::string_view::npos : inside.at() + at - begin),
             place, depth + 1);
        if (place.file.empty() && at != std::string_view::npos) read(rest.substr(at + 4), place, depth + 1);
    } else if (cursor.take("fused")) {
        if (cursor.peek() == '<') cursor.bracketed();
        if (cursor.peek() != '[') return;
        const std::string_view whole = cursor.bracketed();
        for (Cursor parts(whole.substr(1, whole.size() - 2)); !parts.at_end() && place.file.empty();
             parts.take(","))
            read(parts.until(","), place, depth + 1);
    }
}

}  // namespace tilemeter::foreign::mlir
