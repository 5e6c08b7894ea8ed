// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/analysis/ttnn/answers_json.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/internal/refusals.hpp"

namespace tilemeter::analysis {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Takes the texts of C++ arguments apart: Type(name=value,...), [1, 2], words and numbers. The name of a
// nested type is dropped, as TT-NN does; that of the outermost names the whole.
class ArgumentParser {
public:
    explicit ArgumentParser(std::string_view text) : text_(text) {}

    std::optional<OrderedJson> parse() {
        if (text_.starts_with('[')) return parse_outer_list();
        const std::string name = word();
        if (name.empty() || !take('('))
            return OrderedJson(text_);  // a scalar, or words that are none of ours
        auto inside = parse_members();
        if (!inside || at_ != text_.size()) return {};
        return OrderedJson{{name, *inside}};
    }

private:
    static constexpr int kDeepest = 64;

    std::optional<OrderedJson> parse_outer_list() {
        std::string_view inside = trim(text_.substr(1, text_.size() - (text_.ends_with(']') ? 2 : 1)));
        if (inside == "<nullopt>") return OrderedJson(inside);
        constexpr std::string_view kUnsupported = "unsupported type";
        if (inside.starts_with(kUnsupported)) {
            inside = trim(inside.substr(kUnsupported.size()));
            if (inside.starts_with(',')) return OrderedJson{{kUnsupported, trim(inside.substr(1))}};
        }
        auto list = parse_value();
        if (!list || at_ != text_.size()) return OrderedJson(text_);
        return list;
    }

    static std::string_view trim(std::string_view text) {
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ')
            text.remove_suffix(1);
        return text;
    }
    void skip_blanks() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool take(char wanted) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    std::string word() {
        skip_blanks();
        const std::size_t begin = at_;
        const auto is_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        while (at_ < text_.size() && (is_word(text_[at_]) || text_.substr(at_, 2) == "::"))
            at_ += text_[at_] == ':' ? 2 : 1;
        return std::string(text_.substr(begin, at_ - begin));
    }

    // After "(": name=value pairs, or one value that stands for the whole.
    std::optional<OrderedJson> parse_members() {
        if (++depth_ > kDeepest) return {};
        OrderedJson members = OrderedJson::object();
        if (take(')')) return --depth_, members;
        while (true) {
            const std::size_t begin = at_;
            const std::string name = word();
            if (name.empty() || !take('=')) {
                at_ = begin;
                auto only = parse_value();
                if (!only || !members.empty() || !take(')')) return {};
                --depth_;
                return only;
            }
            auto value = parse_value();
            if (!value) return {};
            members[name] = std::move(*value);
            if (take(')')) return --depth_, members;
            if (!take(',')) return {};
        }
    }

    std::optional<OrderedJson> parse_value() {
        skip_blanks();
        if (at_ >= text_.size() || depth_ > kDeepest) return {};
        if (text_[at_] == '[') return parse_list();
        if (text_[at_] == '{') return parse_braces();
        const std::size_t begin = at_;
        if (const std::string name = word(); !name.empty() && take('(')) return parse_members();
        at_ = begin;
        return parse_scalar();
    }

    std::optional<OrderedJson> parse_list() {
        take('[');
        OrderedJson list = OrderedJson::array();
        if (take(']')) return list;
        ++depth_;
        while (true) {
            auto value = parse_value();
            if (!value) return {};
            list.push_back(std::move(*value));
            if (take(']')) break;
            if (!take(',')) return {};
        }
        --depth_;
        return list;
    }

    std::optional<OrderedJson> parse_braces() {
        const std::size_t begin = at_;
        int open = 0;
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '{') ++open;
            if (text_[at_] == '}' && --open == 0) return OrderedJson(text_.substr(begin, ++at_ - begin));
        }
        return {};
    }

    std::optional<OrderedJson> parse_scalar() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string_view(",)]}").find(text_[at_]) == std::string_view::npos)
            ++at_;
        const std::string_view scalar = trim(text_.substr(begin, at_ - begin));
        if (scalar.empty()) return {};
        OrderedJson number = OrderedJson::parse(scalar, nullptr, false);
        return number.is_number() ? number : OrderedJson(scalar);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

OrderedJson serialize_arguments(const NodeList& list) {
    refuse_as_ttnn(list, internal::TtnnAnalysis::kSerializeGraph);
    for (const NodeList::MalformedNode& malformed : list.malformed_nodes) {
        const NodeList::Function* function = list.function(malformed.node);
        if (function == nullptr || function->arguments.count == 0) continue;
        const std::string node = "node " + std::to_string(malformed.node);
        if ((malformed.defects & internal::kNoParams) != 0)
            throw AnalysisError(AnalysisError::Kind::kKey, node + ": params are missing");
        if ((malformed.defects & (internal::kParamsNull | internal::kParamsOther)) != 0)
            throw AnalysisError(AnalysisError::Kind::kAttribute, node + ": params are no object");
    }
    OrderedJson content = OrderedJson::array();
    for (const NodeList::Function& function : list.functions) {
        if (function.arguments.count == 0) continue;
        if (list.text(function.name).empty()) {  // as TT-NN: nothing about a function without a name
            content.push_back(nullptr);
            continue;
        }
        OrderedJson arguments = OrderedJson::array();
        std::size_t index = 0;
        for (const TextRef argument : list.arguments(function)) {
            const std::string name = "arg" + std::to_string(index++);
            const std::string_view text = list.text(argument);
            if (auto value = ArgumentParser(text).parse())
                arguments.push_back(OrderedJson{{name, std::move(*value)}});
            else
                arguments.push_back(OrderedJson{
                    {"UnparsedElement", {{"error", "no argument of a known form"}, {"element_info", text}}}});
        }
        content.push_back({{"operation", list.text(function.name)}, {"arguments", std::move(arguments)}});
    }
    return OrderedJson{{"content", std::move(content)}};
}

}  // namespace tilemeter::analysis
