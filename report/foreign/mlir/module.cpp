// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/mlir/module.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tilemeter::foreign::mlir {
namespace {

constexpr int kDeepestRegion = 64;

class Reader {
public:
    explicit Reader(std::string_view text, std::size_t at) : cursor_(text, at) {}

    Cursor& cursor() { return cursor_; }
    Operation operation(int depth);

private:
    void generic(Operation& operation, int depth);
    void custom(Operation& operation, int depth);
    void function(Operation& operation, int depth);
    Block block(int depth, std::vector<Argument> arguments = {});
    void region(Operation& operation, int depth, std::vector<Argument> arguments = {});
    std::vector<Argument> arguments(char close);
    void operands(Operation& operation, char close);
    void function_type(Operation& operation);
    std::vector<std::string_view> types();
    std::string_view one_type();
    void location(std::string_view& into);

    Cursor cursor_;
};

void Reader::location(std::string_view& into) {
    if (!cursor_.take("loc")) return;
    if (cursor_.peek() != '(') cursor_.fail("'('");
    const std::string_view whole = cursor_.bracketed();
    into = whole.substr(1, whole.size() - 2);
}

std::vector<std::string_view> Reader::types() {
    std::vector<std::string_view> found;
    if (cursor_.take("(")) {
        while (!cursor_.take(")")) {
            found.push_back(cursor_.until(",){"));
            // Results of functions have attributes.
            if (cursor_.peek() == '{') cursor_.bracketed();
            if (!cursor_.take(",") && cursor_.peek() != ')') cursor_.fail("',' or ')'");
        }
        return found;
    }
    // One type: a name and what stands in its brackets.
    const std::size_t begin = (cursor_.peek(), cursor_.at());
    if (!cursor_.take("!")) cursor_.take("#");
    if (cursor_.word().empty()) cursor_.fail("a type");
    if (cursor_.text().substr(cursor_.at()).starts_with('<')) cursor_.bracketed();
    found.push_back(cursor_.text().substr(begin, cursor_.at() - begin));
    return found;
}

std::string_view Reader::one_type() {
    const std::vector<std::string_view> found = types();
    if (found.empty()) cursor_.fail("a type");
    return found.front();
}

void Reader::function_type(Operation& operation) {
    operation.operand_types = types();
    cursor_.expect("->");
    operation.result_types = types();
}

void Reader::operands(Operation& operation, char close) {
    const std::string_view end(&close, 1);
    while (!cursor_.take(end)) {
        const std::string_view name = cursor_.value_name();
        if (name.empty()) cursor_.fail("an operand");
        operation.operands.push_back(name);
        if (!cursor_.take(",") && cursor_.peek() != close)
            cursor_.fail(std::string("',' or '") + close + "'");
    }
}

std::vector<Argument> Reader::arguments(char close) {
    const std::string_view end(&close, 1);
    std::vector<Argument> found;
    while (!cursor_.take(end)) {
        Argument argument;
        argument.name = cursor_.value_name();
        // A declaration has types alone.
        if (argument.name.empty())
            argument.type = cursor_.until(",){");
        else {
            cursor_.expect(":");
            argument.type = one_type();
        }
        if (cursor_.peek() == '{') argument.attributes = cursor_.bracketed();
        location(argument.location);
        found.push_back(argument);
        if (!cursor_.take(",") && cursor_.peek() != close)
            cursor_.fail(std::string("',' or '") + close + "'");
    }
    return found;
}

Block Reader::block(int depth, std::vector<Argument> arguments) {
    Block found{std::move(arguments), {}};
    while (cursor_.peek() != '}' && cursor_.peek() != '^') {
        if (cursor_.at_end()) cursor_.fail("'}'");
        found.operations.push_back(operation(depth));
    }
    return found;
}

void Reader::region(Operation& operation, int depth, std::vector<Argument> given) {
    cursor_.expect("{");
    if (cursor_.peek() != '^') operation.regions.push_back(block(depth, std::move(given)));
    while (cursor_.take("^")) {
        cursor_.word();
        std::vector<Argument> own;
        if (cursor_.take("(")) own = arguments(')');
        cursor_.expect(":");
        operation.regions.push_back(block(depth, std::move(own)));
    }
    cursor_.expect("}");
}

void Reader::generic(Operation& operation, int depth) {
    operation.name = cursor_.string();
    cursor_.expect("(");
    operands(operation, ')');
    if (cursor_.peek() == '[') cursor_.bracketed();  // blocks that it may go to
    if (cursor_.peek() == '<') operation.properties = cursor_.bracketed();
    if (cursor_.take("(")) {
        do
            region(operation, depth + 1);
        while (cursor_.take(","));
        cursor_.expect(")");
    }
    if (cursor_.peek() == '{') operation.attributes = cursor_.bracketed();
    cursor_.expect(":");
    function_type(operation);
}

void Reader::function(Operation& operation, int depth) {
    operation.is_private = cursor_.take("private");
    if (!operation.is_private && !cursor_.take("public")) cursor_.take("nested");
    cursor_.expect("@");
    operation.symbol = cursor_.peek() == '"' ? cursor_.string() : cursor_.word();
    cursor_.expect("(");
    std::vector<Argument> own = arguments(')');
    for (const Argument& argument : own)
        operation.operand_types.push_back(argument.type);
    if (cursor_.take("->")) operation.result_types = types();
    if (cursor_.take("attributes")) operation.attributes = cursor_.bracketed();
    if (cursor_.peek() == '{') region(operation, depth + 1, std::move(own));
}

bool goes_on(Cursor cursor) {
    const char next = cursor.peek();
    return next == '{' || next == ':' || next == ',' || next == '-' || cursor.take("ins") ||
           cursor.take("outs");
}

/// The forms that tools print for operations of builtin, func and ttcore; of others what all forms have.
void Reader::custom(Operation& operation, int depth) {
    operation.name = cursor_.word();
    if (operation.name.empty()) cursor_.fail("an operation");
    if (operation.name == "module" || operation.name == "builtin.module") {
        operation.name = "builtin.module";
        if (cursor_.take("@")) operation.symbol = cursor_.peek() == '"' ? cursor_.string() : cursor_.word();
        if (cursor_.take("attributes")) operation.attributes = cursor_.bracketed();
        region(operation, depth + 1);
    } else if (operation.name == "func.func") {
        function(operation, depth);
    } else if (operation.name == "return" || operation.name == "func.return") {
        operation.name = "func.return";
        while (cursor_.peek() == '%') {
            operation.operands.push_back(cursor_.value_name());
            cursor_.take(",");
        }
        if (cursor_.take(":")) do
                operation.operand_types.push_back(one_type());
            while (cursor_.take(","));
    } else if (operation.name == "call" || operation.name == "func.call") {
        operation.name = "func.call";
        cursor_.expect("@");
        operation.symbol = cursor_.word();
        cursor_.expect("(");
        operands(operation, ')');
        if (cursor_.peek() == '{') operation.attributes = cursor_.bracketed();
        cursor_.expect(":");
        function_type(operation);
    } else if (operation.name == "ttcore.device_module") {
        region(operation, depth + 1);
    } else if (operation.name == "ttcore.device") {
        cursor_.expect("@");
        operation.symbol = cursor_.word();
        cursor_.expect("=");
        operation.properties = cursor_.bracketed();
    } else if (operation.name == "ttcore.load_cached") {
        cursor_.expect("(");
        cursor_.expect("@");
        operation.symbol = cursor_.word();
        cursor_.expect(",");
        cursor_.expect("[");
        operands(operation, ']');
        cursor_.expect(")");
        if (cursor_.peek() == '{') operation.attributes = cursor_.bracketed();
        cursor_.expect(":");
        function_type(operation);
    } else {
        // To the end of its line, and of the brackets that are open there; lines that begin with what no operation does are its own.
        operation.is_understood = false;
        do {
            const std::string_view rest = cursor_.until("\n");
            for (Cursor words(rest); !words.at_end();) {
                if (const std::string_view name = words.value_name(); !name.empty())
                    operation.operands.push_back(name);
                else if (words.peek() == '{')
                    words.bracketed();  // values of its own
                else
                    words = Cursor(rest, words.at() + 1);
            }
        } while (goes_on(cursor_));
    }
}

Operation Reader::operation(int depth) {
    if (depth > kDeepestRegion)
        cursor_.fail("at most " + std::to_string(kDeepestRegion) + " regions in each other");
    Operation found;
    cursor_.peek();
    found.byte = cursor_.at();
    if (cursor_.peek() == '%') {
        do {
            const std::string_view name = cursor_.value_name();
            Results& results = found.results.emplace_back(Results{name});
            if (!cursor_.take(":")) continue;
            const std::string_view digits = cursor_.word();
            std::from_chars(digits.data(), digits.data() + digits.size(), results.count);
            if (results.count == 0 || results.count > 10'000) cursor_.fail("a number of results");
        } while (cursor_.take(","));
        cursor_.expect("=");
    }
    if (cursor_.peek() == '"')
        generic(found, depth);
    else
        custom(found, depth);
    location(found.location);
    return found;
}

/// "#loc3 = loc(...)", "!type = ..." at the start of a line.
std::optional<std::pair<std::string_view, std::string_view>> take_alias(Cursor& cursor) {
    const std::size_t begin = (cursor.peek(), cursor.at());
    Cursor ahead = cursor;
    if (!ahead.take("#") && !ahead.take("!")) return std::nullopt;
    if (ahead.word().empty()) return std::nullopt;
    const std::string_view name = ahead.text().substr(begin, ahead.at() - begin);
    if (!ahead.take("=")) return std::nullopt;
    const std::string_view meaning = ahead.until("\n");
    cursor = ahead;
    return std::pair{name, meaning};
}

bool begins_module(Cursor cursor) {
    if (cursor.peek() == '"') return cursor.take("\"builtin.module\"");
    if (!cursor.take("builtin.module") && !cursor.take("module")) return false;
    return cursor.peek() == '@' || cursor.peek() == '{' || cursor.take("attributes");
}

}  // namespace

std::vector<Module> modules_of(std::string_view text) {
    std::vector<Module> found;
    Module next;
    bool is_implicit = false;  // the last of them is functions without a module around
    for (std::size_t line = 0; line < text.size();) {
        Cursor cursor(text, line);
        const std::size_t end_of_line = std::min(text.find('\n', line), text.size());
        std::string_view words = text.substr(line, end_of_line - line);
        words.remove_prefix(std::min(words.find_first_not_of(" \t\r"), words.size()));
        if (words.empty()) {
            line = end_of_line + 1;
        } else if (words.starts_with("//")) {
            if (words.starts_with("// -----")) {  // which splits files, and heads the stages of dumps
                next.aliases.clear();
                is_implicit = false;
            }
            line = end_of_line + 1;
        } else if (begins_module(cursor)) {
            Reader reader(text, line);
            next.operation = reader.operation(0);
            found.push_back(std::move(next));
            next = {};
            is_implicit = false;
            line = reader.cursor().at();
        } else if (words.starts_with("func.func ")) {
            Reader reader(text, line);
            if (!is_implicit) {
                next.operation.name = "builtin.module";
                next.operation.byte = line;
                next.operation.regions.emplace_back();
                found.push_back(std::move(next));
                next = {};
                is_implicit = true;
            }
            found.back().operation.regions.front().operations.push_back(reader.operation(1));
            line = reader.cursor().at();
        } else if (const auto alias = take_alias(cursor)) {
            // What follows a module may be its own, or that of the next one.
            next.aliases[alias->first] = alias->second;
            if (!found.empty()) found.back().aliases.insert(*alias);
            line = cursor.at();
        } else {
            next.aliases.clear();
            line = end_of_line + 1;
        }
    }
    return found;
}

std::size_t line_of(std::string_view text, std::size_t byte) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n'));
}

}  // namespace tilemeter::foreign::mlir
