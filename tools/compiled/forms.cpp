// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/forms.hpp"

#include <map>
#include <utility>

namespace tilemeter::compiled {
namespace {

// Made while CMake configures (tools/compat/generate.py).
constexpr char kForms[] =
#include <forms.inc>
    ;

// The part before the next `sign`, which is taken off.
std::string_view take(std::string_view& text, char sign) {
    const std::size_t end = text.find(sign);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return part;
}

// "header|result|name|operation|TYPE;NAME;DEFAULT|...", "!" for the default of what has to be given.
std::map<std::string_view, std::vector<Form>> read_forms() {
    std::map<std::string_view, std::vector<Form>> forms;
    for (std::string_view rest(kForms, sizeof(kForms) - 1); !rest.empty();) {
        std::string_view line = take(rest, '\n');
        if (line.empty()) continue;
        Form form;
        form.header = take(line, '|');
        form.result = take(line, '|');
        form.name = take(line, '|');
        form.operation = take(line, '|');
        while (!line.empty()) {
            std::string_view each = take(line, '|');
            FormParameter parameter;
            parameter.type = take(each, ';');
            parameter.name = take(each, ';');
            parameter.is_required = each == "!";
            if (!parameter.is_required) parameter.fallback = each;
            form.parameters.push_back(parameter);
        }
        forms[form.operation].push_back(std::move(form));
    }
    return forms;
}

}  // namespace

const std::vector<Form>& forms_of(std::string_view operation) {
    static const auto kByOperation = read_forms();
    static const std::vector<Form> kNone;
    const auto found = kByOperation.find(operation);
    return found == kByOperation.end() ? kNone : found->second;
}

}  // namespace tilemeter::compiled
