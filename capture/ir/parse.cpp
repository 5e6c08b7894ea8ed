// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/dimension_text.hpp"
#include "capture/ir/internal/labels.hpp"
#include "capture/ir/internal/text_cursor.hpp"
#include "capture/ir/internal/text_format.hpp"
#include "capture/ir/internal/text_values.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::ir {

namespace {

using internal::DataSections;
using internal::Label;
using internal::TextCursor;

using Graphs = internal::LabelTable<GraphPtr>;

class GraphReader {
public:
    GraphReader(TextCursor& cursor, const Graphs& graphs, const DataSections& data)
        : cursor_(cursor), graphs_(graphs), data_(data) {}

    Graph read(const std::string& name) {
        graph_.set_graph_name(name);
        cursor_.expect('(', "'(' and the parameters");
        while (!cursor_.accept(')')) {
            if (!graph_.params().empty()) cursor_.expect(',', "',' or ')'");
            const Label label = read_value();
            cursor_.expect(':', "':' and a type");
            define(label, graph_.add_input({}, internal::read_type(cursor_)));
        }
        if (cursor_.accept(std::string_view("where"))) {
            Constraints constraints;
            do
                constraints.push_back(internal::read_constraint(cursor_));
            while (cursor_.accept(','));
            graph_.set_constraints(std::make_shared<const Constraints>(std::move(constraints)));
        }
        if (cursor_.accept(std::string_view("in")))
            graph_.set_operation_set(cursor_.name("an operation set"));
        cursor_.expect('{', "'{'");
        while (!read_statement()) {
        }
        cursor_.expect('}', "'}' after the results");
        resolve();
        return std::move(graph_);
    }

private:
    struct Pending {
        std::size_t equation;  ///< or kResults
        std::size_t operand;
        Label label;
    };
    static constexpr std::size_t kResults = ~std::size_t{0};

    // Puts the position before the text of what `step` throws, unless it has one.
    template <class Step>
    auto in_place(std::size_t at, const Step& step) {
        try {
            return step();
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kSyntax) throw;
            throw Error(error.kind(), cursor_.position(at) + error.what());
        }
    }

    Label read_value() {
        cursor_.expect('%', "a value");
        return internal::read_label(cursor_, "the name or number of a value");
    }

    void define(const Label& label, ValueId value) {
        if (!values_.insert(label, value)) cursor_.refuse_at(label.offset, "a value with another name");
        if (!label.name.empty()) graph_.set_name(value, label.name);
    }

    // True after the last one, `return`.
    bool read_statement() {
        std::vector<Label> labels;
        if (cursor_.next() == '%') {
            do
                labels.push_back(read_value());
            while (cursor_.accept(','));
            cursor_.expect('=', "'=' or ','");
        }
        cursor_.skip_space();
        const std::size_t at = cursor_.offset();
        const bool quoted = cursor_.peek() == '"';
        const std::string operation = cursor_.operation("an operation, 'return' or a value");
        if (!quoted && cursor_.next() != '(') {
            if (operation == "return" && labels.empty()) {
                read_return();
                return true;
            }
            if (operation == "constant" && labels.size() == 1) {
                read_constant(labels.front());
                return false;
            }
            cursor_.refuse("'(' and operands");
        }
        read_equation(labels, operation, at);
        return false;
    }

    void read_return() {
        std::vector<ValueId> results;
        if (cursor_.next() != '}') do {
                results.push_back(read_use(kResults, results.size()));
            } while (cursor_.accept(','));
        for (const Pending& each : pending_)
            if (each.equation == kResults) cursor_.refuse_at(each.label.offset, "a value of this graph");
        graph_.set_results(results);
    }

    void read_constant(const Label& label) {
        std::vector<std::pair<std::size_t, std::string_view>> elements;
        std::optional<std::uint64_t> section;
        const std::size_t at = cursor_.offset();
        const auto read_element = [&] {
            cursor_.skip_space();
            const std::size_t element_at = cursor_.offset();
            elements.emplace_back(element_at, cursor_.number());
        };
        const bool is_list = cursor_.accept('[');
        if (is_list) {
            while (!cursor_.accept(']')) {
                if (!elements.empty()) cursor_.expect(',', "',' or ']'");
                read_element();
            }
        } else if (cursor_.accept('#')) {
            section = cursor_.count("the number of a data section");
        } else {
            read_element();
        }
        cursor_.expect(':', "':' and a type");
        const TensorType type = internal::read_type(cursor_);
        if (section)
            return define(label, graph_.add_const(in_place(
                                     at, [&] { return data_.constant(cursor_, at, *section, type); })));
        const std::size_t width = element_bytes(type.element);
        std::vector<std::byte> bytes(elements.size() * width);
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (!internal::read_element(elements[i].second, type.element, bytes.data() + i * width))
                cursor_.refuse_at(elements[i].first,
                                  "an element of type " + std::string(name_of(type.element)));
        define(label, graph_.add_const(in_place(at, [&] { return Constant::copy_of(type, bytes); })));
    }

    void read_equation(const std::vector<Label>& labels, const std::string& operation, std::size_t at) {
        const std::size_t equation = graph_.equation_count();
        std::vector<ValueId> operands;
        cursor_.expect('(', "'(' and operands");
        while (!cursor_.accept(')')) {
            if (!operands.empty()) cursor_.expect(',', "',' or ')'");
            operands.push_back(read_use(equation, operands.size()));
        }
        Attributes attributes;
        std::vector<Subgraph> subgraphs;
        if (cursor_.accept('{')) read_braces(attributes, subgraphs);
        std::vector<TensorType> types;
        if (!labels.empty()) {
            cursor_.expect(':', "':' and the type of each result");
            for (std::size_t i = 0; i < labels.size(); ++i) {
                if (i > 0) cursor_.expect(',', "',' and the type of each result");
                types.push_back(internal::read_type(cursor_));
            }
        }
        const Location location = read_location();
        const ValueRange results = in_place(
            at, [&] { return graph_.append(operation, operands, types, attributes, subgraphs, location); });
        for (std::size_t i = 0; i < labels.size(); ++i)
            define(labels[i], results[i]);
    }

    void read_braces(Attributes& attributes, std::vector<Subgraph>& subgraphs) {
        bool is_first = true;
        while (!cursor_.accept('}')) {
            if (!is_first) cursor_.expect(',', "',' or '}'");
            is_first = false;
            cursor_.skip_space();
            const std::size_t at = cursor_.offset();
            const std::string name = cursor_.name("the name of an attribute");
            cursor_.expect('=', "'='");
            if (cursor_.accept('@')) {
                const Label label = internal::read_label(cursor_, "the name or number of a graph");
                const GraphPtr* const found = graphs_.find(label);
                if (found == nullptr) cursor_.refuse_at(label.offset, "a graph that stands above this one");
                subgraphs.push_back({name, *found});
            } else {
                if (attributes.find(name) != nullptr) cursor_.refuse_at(at, "an attribute with another name");
                attributes.set(name, internal::read_attribute(cursor_));
            }
        }
    }

    Location read_location() {
        // `at` may be the next operation as well: then no quote follows.
        TextCursor ahead = cursor_;
        Location location;
        if (!ahead.accept(std::string_view("at")) || ahead.next() != '"') return location;
        cursor_ = ahead;
        location.file = cursor_.quoted("a file");
        cursor_.expect(':', "':' and a line");
        const std::size_t at = cursor_.offset();
        const std::uint64_t line = cursor_.count("a line");
        if (line > std::numeric_limits<std::uint32_t>::max()) cursor_.refuse_at(at, "a line below 2^32");
        location.line = static_cast<std::uint32_t>(line);
        ahead = cursor_;
        if (!ahead.accept(std::string_view("in")) || ahead.next() != '"') return location;
        cursor_ = ahead;
        location.scope = cursor_.quoted("a scope");
        return location;
    }

    // A value, or kUndefined if it comes later and waits for resolve(), or a literal.
    ValueId read_use(std::size_t equation, std::size_t operand) {
        if (cursor_.next() != '%') return read_literal();
        Label label = read_value();
        if (const ValueId* const found = values_.find(label)) return *found;
        pending_.push_back({equation, operand, std::move(label)});
        return kUndefined;
    }

    ValueId read_literal() {
        const std::size_t at = cursor_.offset();
        const std::string_view text = cursor_.number();
        auto type = std::optional(ElementType::kBool);
        if (text != "true" && text != "false") {
            if (text.empty()) cursor_.refuse_at(at, "a value or a number");
            cursor_.expect(':', "':' and an element type");
            cursor_.skip_space();
            const std::size_t type_at = cursor_.offset();
            type = element_type_of(cursor_.word());
            if (!type) cursor_.refuse_at(type_at, "an element type");
        }
        std::array<std::byte, 8> bytes{};
        if (!internal::read_element(text, *type, bytes.data()))
            cursor_.refuse_at(at, "a number of type " + std::string(name_of(*type)));
        return graph_.add_const(Constant::copy_of(
            {*type, {}, {}}, std::span<const std::byte>(bytes.data(), element_bytes(*type))));
    }

    void resolve() {
        for (const Pending& each : pending_) {
            const ValueId* const found = values_.find(each.label);
            if (found == nullptr) cursor_.refuse_at(each.label.offset, "a value of this graph");
            graph_.set_operand(each.equation, each.operand, *found);
        }
    }

    TextCursor& cursor_;
    const Graphs& graphs_;
    const DataSections& data_;
    Graph graph_;
    internal::LabelTable<ValueId> values_;
    std::vector<Pending> pending_;
};

void check_magic(std::string_view text) {
    const TextCursor cursor(text);
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line == std::string(internal::kMagic) + std::string(internal::kVersion)) return;
    try {
        if (line.starts_with(internal::kMagic))
            cursor.refuse_at(internal::kMagic.size(), "version " + std::string(internal::kVersion));
        cursor.refuse_at(0, "'" + std::string(internal::kMagic) + std::string(internal::kVersion) + "'");
    } catch (const Error& error) {
        throw Error(ErrorKind::kForeignText, error.what());
    }
}

/// The text without its checksum, which is right or not there.
std::string_view checked(std::string_view text) {
    const std::size_t line = text.rfind('\n' + std::string(internal::kChecksumLine));
    if (line == std::string_view::npos) return text;
    const std::size_t start = line + 1;
    std::string expected(internal::kChecksumLine);
    internal::append_hex(expected, internal::checksum_of(text.substr(0, start)));
    std::string_view found = text.substr(start);
    while (!found.empty() && (found.back() == '\n' || found.back() == '\r'))
        found.remove_suffix(1);
    if (found != expected) TextCursor(text).refuse_at(start, "'" + expected + "': the text is damaged");
    return text.substr(0, start);
}

}  // namespace

Graph parse(std::string_view text) {
    check_magic(text);
    text = checked(text);
    const std::size_t data_line = text.find('\n' + std::string(internal::kDataLine));
    const std::string_view graphs_text = text.substr(0, std::min(data_line, text.size()));
    DataSections data;
    TextCursor data_cursor(text, graphs_text.size());
    data_cursor.skip_space();
    data.read(data_cursor);
    data_cursor.skip_space();
    if (!data_cursor.at_end()) data_cursor.refuse("a data section or the end");

    TextCursor cursor(graphs_text, std::min(graphs_text.find('\n'), graphs_text.size()));
    Graphs graphs;
    for (;;) {
        const bool is_last = cursor.accept(std::string_view("graph"));
        if (!is_last && !cursor.accept(std::string_view("subgraph"))) cursor.refuse("'subgraph' or 'graph'");
        cursor.expect('@', "'@' and a name");
        const Label label = internal::read_label(cursor, "the name or number of a graph");
        Graph graph = GraphReader(cursor, graphs, data).read(label.name);
        if (is_last) {
            cursor.skip_space();
            if (!cursor.at_end()) cursor.refuse("data sections or the end");
            return graph;
        }
        if (!graphs.insert(label, std::make_shared<const Graph>(std::move(graph))))
            cursor.refuse_at(label.offset, "a graph with another name");
    }
}

}  // namespace tilemeter::ir
