// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/internal/quoted.hpp"
#include "capture/ir/internal/text_format.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::ir {

namespace {

using internal::append_name;

void append_count(std::string& to, std::uint64_t number) {
    char digits[20];
    to.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_operation(std::string& to, std::string_view name) {
    if (!name.empty() && internal::is_name_start(name.front()) &&
        std::ranges::all_of(name, internal::is_operation_part))
        to += name;
    else
        internal::append_quoted(to, name);
}

/// Labels within one file or graph: distinct, as long as each comes once.
class Labels {
public:
    /// "" is numbered, a name that comes again gets a number of its own.
    std::string next(std::string_view name) {
        std::string label;
        if (name.empty()) {
            append_count(label, unnamed_++);
            return label;
        }
        append_name(label, name);
        const std::uint64_t occurrence = ++named_[std::string(name)];
        if (occurrence > 1) {
            label += '.';
            append_count(label, occurrence);
        }
        return label;
    }

private:
    std::uint64_t unnamed_ = 0;
    std::unordered_map<std::string, std::uint64_t> named_;
};

/// Bytes of large constants, each once.
class DataWriter {
public:
    std::size_t number_of(const Constant& constant) {
        const auto key = std::make_pair(constant.storage().get(), constant.bytes().size());
        const auto [known, is_new] = numbers_.emplace(key, constants_.size());
        if (is_new) constants_.push_back(&constant);
        return known->second;
    }

    void append_to(std::string& text) const {
        constexpr std::size_t kBytesPerLine = 48;
        for (std::size_t i = 0; i < constants_.size(); ++i) {
            const auto bytes = constants_[i]->bytes();
            text += '\n';
            text += internal::kDataLine;
            append_count(text, i);
            text += ' ';
            append_count(text, bytes.size());
            text += " bytes";
            for (std::size_t at = 0; at < bytes.size(); ++at) {
                if (at % kBytesPerLine == 0) text += "\n  ";
                internal::append_hex(text, static_cast<std::uint64_t>(bytes[at]), 2);
            }
            text += '\n';
        }
    }

private:
    std::map<std::pair<const std::byte*, std::size_t>, std::size_t> numbers_;
    std::vector<const Constant*> constants_;
};

class Printer {
public:
    explicit Printer(const PrintOptions& options) : options_(options) {}

    std::string print(const Graph& graph) {
        text_ += internal::kMagic;
        text_ += internal::kVersion;
        text_ += '\n';
        print_subgraphs(graph);
        print_graph("graph", graph, graphs_.next(graph.name()));
        if (options_.data) data_.append_to(text_);
        if (options_.checksum) {
            const std::uint64_t checksum = internal::checksum_of(text_);
            text_ += internal::kChecksumLine;
            internal::append_hex(text_, checksum);
            text_ += '\n';
        }
        return std::move(text_);
    }

private:
    void print_subgraphs(const Graph& graph) {
        if (graph.depth() == 1) return;
        for (const Equation equation : graph.equations())
            for (const Subgraph& each : equation.subgraphs()) {
                if (labels_.contains(each.graph.get())) continue;
                print_subgraphs(*each.graph);
                std::string label = graphs_.next(each.graph->name());
                print_graph("subgraph", *each.graph, label);
                labels_.emplace(each.graph.get(), std::move(label));
            }
    }

    void print_graph(std::string_view keyword, const Graph& graph, std::string_view label) {
        values_ = {};
        value_labels_.assign(graph.value_count(), {});
        text_ += '\n';
        text_ += keyword;
        text_ += " @";
        text_ += label;
        text_ += '(';
        for (const ValueId param : graph.params()) {
            if (text_.back() != '(') text_ += ", ";
            define(graph, param);
            text_ += ": ";
            append_type(graph, param);
        }
        text_ += ')';
        if (graph.constraints() != nullptr)
            for (const Constraint& each : *graph.constraints()) {
                text_ += &each == graph.constraints()->data() ? " where " : ", ";
                text_ += each.text();
            }
        if (!graph.operation_set().empty()) {
            text_ += " in ";
            append_name(text_, graph.operation_set());
        }
        text_ += " {\n";
        print_constants(graph);
        for (const Equation equation : graph.equations())
            for (std::size_t i = 0; i < equation.results().size(); ++i)
                value_labels_[index_of(equation.results()[i])] =
                    values_.next(graph.name_of(equation.results()[i]));
        for (const Equation equation : graph.equations())
            print_equation(equation);
        text_ += "  return";
        for (std::size_t i = 0; i < graph.results().size(); ++i) {
            text_ += i == 0 ? " " : ", ";
            append_use(graph, graph.results()[i]);
        }
        text_ += "\n}\n";
    }

    static bool is_literal(const Graph& graph, ValueId value) {
        const Constant* const constant = graph.constant(value);
        return constant != nullptr && constant->type().shape.rank() == 0 && !constant->type().place &&
               graph.name_of(value).empty();
    }

    void print_constants(const Graph& graph) {
        if (graph.constants().empty()) return;
        std::vector<bool> used(graph.value_count());
        const auto use = [&](std::span<const ValueId> values) {
            for (const ValueId value : values)
                if (graph.has(value)) used[index_of(value)] = true;
        };
        use(graph.results());
        for (const Equation equation : graph.equations())
            use(equation.operands());
        for (std::size_t i = 0; i < used.size(); ++i) {
            const auto value = static_cast<ValueId>(i);
            if (!used[i] || graph.constant(value) == nullptr || is_literal(graph, value)) continue;
            text_ += "  ";
            define(graph, value);
            text_ += " = constant ";
            append_elements(*graph.constant(value));
            text_ += " : ";
            append_type(graph, value);
            text_ += '\n';
        }
    }

    void append_elements(const Constant& constant) {
        const TensorType& type = constant.type();
        const std::size_t width = element_bytes(type.element);
        const std::size_t count = constant.bytes().size() / width;
        if (type.shape.rank() == 0)
            return internal::append_element(text_, type.element, constant.bytes().data());
        if (count > internal::kListedElements) {
            text_ += '#';
            return append_count(text_, data_.number_of(constant));
        }
        text_ += '[';
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) text_ += ", ";
            internal::append_element(text_, type.element, constant.bytes().data() + i * width);
        }
        text_ += ']';
    }

    void print_equation(const Equation& equation) {
        const Graph& graph = equation.graph();
        const ValueRange results = equation.results();
        text_ += "  ";
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (i > 0) text_ += ", ";
            text_ += '%';
            text_ += value_labels_[index_of(results[i])];
        }
        if (results.size() > 0) text_ += " = ";
        append_operation(text_, equation.operation());
        text_ += '(';
        for (std::size_t i = 0; i < equation.operands().size(); ++i) {
            if (i > 0) text_ += ", ";
            append_use(graph, equation.operands()[i]);
        }
        text_ += ')';
        print_braces(equation);
        for (std::size_t i = 0; i < results.size(); ++i) {
            text_ += i == 0 ? " : " : ", ";
            append_type(graph, results[i]);
        }
        if (options_.locations && !equation.location().empty()) print_location(equation.location());
        text_ += '\n';
    }

    void print_braces(const Equation& equation) {
        if (equation.attributes().empty() && equation.subgraphs().empty()) return;
        text_ += " {";
        for (const auto& [name, value] : equation.attributes().entries()) {
            if (text_.back() != '{') text_ += ", ";
            append_name(text_, name);
            text_ += '=';
            std::visit([&](const auto& each) { append_value(each); }, value);
        }
        for (const Subgraph& each : equation.subgraphs()) {
            if (text_.back() != '{') text_ += ", ";
            append_name(text_, each.name);
            text_ += "=@";
            text_ += labels_.at(each.graph.get());
        }
        text_ += '}';
    }

    void print_location(const Location& location) {
        text_ += " at ";
        internal::append_quoted(text_, location.file);
        text_ += ':';
        append_count(text_, location.line);
        if (location.scope.empty()) return;
        text_ += " in ";
        internal::append_quoted(text_, location.scope);
    }

    void append_value(bool value) { text_ += value ? "true" : "false"; }
    void append_value(std::int64_t value) {
        const Dim dim(value);
        text_ += dim.is_expression() ? "(" + dim.text() + ")" : std::to_string(value);
    }
    void append_value(double value) {
        internal::append_element(text_, ElementType::kF64, reinterpret_cast<const std::byte*>(&value));
    }
    void append_value(const std::string& value) { internal::append_quoted(text_, value); }
    void append_value(ElementType value) { text_ += name_of(value); }
    void append_value(const Booleans& values) { append_list(values, "bools"); }
    void append_value(const Integers& values) { append_list(values, ""); }
    void append_value(const Floats& values) { append_list(values, "floats"); }
    void append_value(const Strings& values) { append_list(values, "strings"); }
    template <class T>
    void append_list(const std::vector<T>& values, std::string_view name_when_empty) {
        if (values.empty()) text_ += name_when_empty;
        text_ += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) text_ += ", ";
            append_value(static_cast<T>(values[i]));
        }
        text_ += ']';
    }

    void define(const Graph& graph, ValueId value) {
        value_labels_[index_of(value)] = values_.next(graph.name_of(value));
        text_ += '%';
        text_ += value_labels_[index_of(value)];
    }

    void append_type(const Graph& graph, ValueId value) { ir::append_text(text_, graph.type(value)); }

    void append_use(const Graph& graph, ValueId value) {
        if (!graph.has(value)) {
            text_ += "%?";
            return append_count(text_, index_of(value));
        }
        if (!is_literal(graph, value)) {
            text_ += '%';
            text_ += value_labels_[index_of(value)];
            return;
        }
        const Constant& constant = *graph.constant(value);
        append_elements(constant);
        if (constant.type().element == ElementType::kBool) return;
        text_ += ':';
        text_ += name_of(constant.type().element);
    }

    const PrintOptions& options_;
    std::string text_;
    Labels graphs_;
    std::unordered_map<const Graph*, std::string> labels_;
    DataWriter data_;
    // Labels of the graph that is being printed.
    Labels values_;
    std::vector<std::string> value_labels_;
};

}  // namespace

std::string print(const Graph& graph, const PrintOptions& options) {
    return Printer(options).print(graph);
}

}  // namespace tilemeter::ir
