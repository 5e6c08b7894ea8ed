// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/text_cursor.hpp"
#include "capture/ir/internal/text_format.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::ir {

namespace {

using internal::TextCursor;

/// "%x.2" or "%7", after its % or @.
struct Label {
    std::string name;          ///< empty: it is only numbered
    std::uint64_t number = 0;  ///< 0 where a name has none
    std::size_t offset = 0;
};

Label read_label(TextCursor& cursor, std::string_view expected) {
    Label label;
    label.offset = cursor.offset();
    if (internal::is_digit(cursor.next())) {
        label.number = cursor.count(expected);
        return label;
    }
    label.name = cursor.name(expected);
    if (label.name.empty()) cursor.refuse_at(label.offset, expected);
    if (cursor.peek() == '.') {
        cursor.accept('.');
        label.number = cursor.count("a number after '.'");
    }
    return label;
}

/// What labels stand for. Numbers below `dense` are kept in a list.
template <class T>
class LabelTable {
public:
    explicit LabelTable(std::size_t dense) : dense_(dense) {}

    /// Null if the label is not known.
    const T* find(const Label& label) const {
        if (is_dense(label))
            return label.number < numbered_.size() && numbered_[label.number] ? &*numbered_[label.number]
                                                                              : nullptr;
        const auto found = others_.find(key_of(label));
        return found == others_.end() ? nullptr : &found->second;
    }

    /// False if the label is known already.
    bool insert(const Label& label, T value) {
        if (!is_dense(label)) return others_.emplace(key_of(label), std::move(value)).second;
        if (label.number >= numbered_.size()) numbered_.resize(label.number + 1);
        if (numbered_[label.number]) return false;
        numbered_[label.number] = std::move(value);
        return true;
    }

private:
    [[nodiscard]] bool is_dense(const Label& label) const {
        return label.name.empty() && label.number < dense_;
    }

    // The number ends it, and what comes before begins with a quote where there is a name.
    static std::string key_of(const Label& label) {
        return (label.name.empty() ? "" : '"' + label.name + '"') + std::to_string(label.number);
    }

    std::size_t dense_;
    std::vector<std::optional<T>> numbered_;
    std::unordered_map<std::string, T> others_;
};

/// The sections below the graphs: large constants by their number.
class Data {
public:
    /// REQUIRES: `cursor` stands at the first section or at the end
    void read(TextCursor& cursor, std::string_view text) {
        while (cursor.accept(std::string_view("data"))) {
            cursor.expect('#', "'#' and the number of a data section");
            const std::size_t at = cursor.offset();
            const std::uint64_t number = cursor.count("the number of a data section");
            const std::uint64_t size = cursor.count("a number of bytes");
            if (!cursor.accept(std::string_view("bytes"))) cursor.refuse("'bytes'");
            // Before memory is asked for: each byte takes two characters.
            if (size > (text.size() - cursor.offset()) / 2)
                cursor.refuse_at(text.size(), std::to_string(size) + " bytes of data");
            const auto bytes = std::make_shared<std::byte[]>(size);
            for (std::size_t i = 0; i < size; ++i)
                bytes.get()[i] = read_byte(cursor);
            if (!sections_.try_emplace(number, Section{bytes, size}).second)
                cursor.refuse_at(at, "another number, since this one is taken");
        }
    }

    /// Throws Error unless there is a section with the bytes of this type.
    [[nodiscard]] Constant constant(const TextCursor& cursor, std::size_t at, std::uint64_t number,
                                    const TensorType& type) const {
        const auto found = sections_.find(number);
        if (found == sections_.end()) cursor.refuse_at(at, "the number of a data section");
        if (found->second.size != byte_size(type))
            cursor.refuse_at(at, "data of " + std::to_string(byte_size(type)) + " bytes for " +
                                     text_of(type) + ", not " + std::to_string(found->second.size));
        return {type, found->second.bytes};
    }

private:
    struct Section {
        Constant::Storage bytes;
        std::uint64_t size;
    };

    static std::byte read_byte(TextCursor& cursor) {
        int value = 0;
        for (int digit = 0; digit < 2; ++digit) {
            const char c = cursor.next();
            const bool is_letter = c >= 'a' && c <= 'f';
            if (!internal::is_digit(c) && !is_letter) cursor.refuse("a hexadecimal digit");
            value = value * 16 + (is_letter ? c - 'a' + 10 : c - '0');
            cursor.accept(c);
        }
        return static_cast<std::byte>(value);
    }

    std::unordered_map<std::uint64_t, Section> sections_;
};

TensorType read_type(TextCursor& cursor) {
    cursor.skip_space();
    const std::size_t at = cursor.offset();
    const auto element = element_type_of(cursor.word());
    if (!element) cursor.refuse_at(at, "an element type");
    TensorType type{*element, {}, {}};
    cursor.expect('[', "'[' and the dimensions");
    while (!cursor.accept(']')) {
        if (type.shape.rank() > 0) cursor.expect(',', "',' or ']'");
        const std::size_t dim_at = cursor.offset();
        const std::uint64_t dim = cursor.count("a dimension");
        if (dim > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            cursor.refuse_at(dim_at, "a dimension below 2^63");
        type.shape.push_back(static_cast<std::int64_t>(dim));
    }
    if (!cursor.accept('@')) return type;
    cursor.expect('(', "'(' and a place");
    Place place;
    place.device = cursor.quoted("a device between quotes");
    cursor.expect(',', "','");
    place.layout = cursor.quoted("a layout between quotes");
    cursor.expect(',', "','");
    place.memory_config = cursor.quoted("a memory config between quotes");
    cursor.expect(')', "')'");
    type.place = std::move(place);
    return type;
}

/// An attribute's value, a subgraph's label apart.
class AttributeReader {
public:
    explicit AttributeReader(TextCursor& cursor) : cursor_(cursor) {}

    Attribute read() {
        if (cursor_.next() == '[') return read_list();
        for (const auto& [word, empty] : {std::pair<std::string_view, Attribute>{"bools", Booleans{}},
                                          {"floats", Floats{}},
                                          {"strings", Strings{}}})
            if (cursor_.accept(word)) {
                cursor_.expect('[', "'[]'");
                cursor_.expect(']', "']'");
                return empty;
            }
        return read_single();
    }

private:
    Attribute read_single() {
        if (cursor_.next() == '"') return cursor_.quoted("a text");
        const std::size_t at = cursor_.offset();
        const std::string_view text = cursor_.number();
        if (text == "true" || text == "false") return text == "true";
        if (const auto element = element_type_of(text)) return *element;
        std::int64_t integer = 0;
        if (internal::read_element(text, ElementType::kI64, reinterpret_cast<std::byte*>(&integer)))
            return integer;
        double real = 0;
        if (internal::read_element(text, ElementType::kF64, reinterpret_cast<std::byte*>(&real))) return real;
        cursor_.refuse_at(at, "the value of an attribute");
    }

    Attribute read_list() {
        cursor_.expect('[', "'['");
        if (cursor_.accept(']')) return Integers{};
        const std::size_t at = cursor_.offset();
        const Attribute first = read_single();
        if (const auto* value = std::get_if<bool>(&first)) return read_rest<bool>(*value);
        if (const auto* value = std::get_if<std::int64_t>(&first)) return read_rest<std::int64_t>(*value);
        if (const auto* value = std::get_if<double>(&first)) return read_rest<double>(*value);
        if (const auto* value = std::get_if<std::string>(&first)) return read_rest<std::string>(*value);
        cursor_.refuse_at(at, "a bool, a number or a text");
    }

    template <class T>
    std::vector<T> read_rest(T first) {
        std::vector<T> values{std::move(first)};
        while (!cursor_.accept(']')) {
            cursor_.expect(',', "',' or ']'");
            cursor_.skip_space();
            const std::size_t at = cursor_.offset();
            Attribute value = read_single();
            if (!std::holds_alternative<T>(value))
                cursor_.refuse_at(at, std::string(name_of(kind_of(Attribute(T{})))) + " as before");
            values.push_back(std::get<T>(std::move(value)));
        }
        return values;
    }

    TextCursor& cursor_;
};

using Graphs = LabelTable<GraphPtr>;

class GraphReader {
public:
    GraphReader(TextCursor& cursor, const Graphs& graphs, const Data& data)
        : cursor_(cursor), graphs_(graphs), data_(data), values_(cursor.size()) {}

    Graph read(const std::string& name) {
        graph_.set_graph_name(name);
        cursor_.expect('(', "'(' and the parameters");
        while (!cursor_.accept(')')) {
            if (!graph_.params().empty()) cursor_.expect(',', "',' or ')'");
            const Label label = read_value();
            cursor_.expect(':', "':' and a type");
            define(label, graph_.add_input({}, read_type(cursor_)));
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
        return read_label(cursor_, "the name or number of a value");
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
        const TensorType type = read_type(cursor_);
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
                types.push_back(read_type(cursor_));
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
                const Label label = read_label(cursor_, "the name or number of a graph");
                const GraphPtr* const found = graphs_.find(label);
                if (found == nullptr) cursor_.refuse_at(label.offset, "a graph that stands above this one");
                subgraphs.push_back({name, *found});
            } else {
                if (attributes.find(name) != nullptr) cursor_.refuse_at(at, "an attribute with another name");
                attributes.set(name, AttributeReader(cursor_).read());
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
    const Data& data_;
    Graph graph_;
    LabelTable<ValueId> values_;  ///< no more numbers than characters
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
    Data data;
    TextCursor data_cursor(text, graphs_text.size());
    data_cursor.skip_space();
    data.read(data_cursor, text);
    data_cursor.skip_space();
    if (!data_cursor.at_end()) data_cursor.refuse("a data section or the end");

    TextCursor cursor(graphs_text, std::min(graphs_text.find('\n'), graphs_text.size()));
    Graphs graphs(text.size());
    for (;;) {
        const bool is_last = cursor.accept(std::string_view("graph"));
        if (!is_last && !cursor.accept(std::string_view("subgraph"))) cursor.refuse("'subgraph' or 'graph'");
        cursor.expect('@', "'@' and a name");
        const Label label = read_label(cursor, "the name or number of a graph");
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
