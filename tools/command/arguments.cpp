// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <variant>

#include <CLI/CLI.hpp>

namespace tilemeter::command {
namespace {

/// "expected a whole number from 0 to 1000, found '-3'"
CLI::Validator whole_number(Range allowed) {
    const std::string range = std::to_string(allowed.least) + " to " + std::to_string(allowed.most);
    return CLI::Validator(
        [=](const std::string& text) -> std::string {
            std::int64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [read, problem] = std::from_chars(text.data(), end, number);
            if (problem == std::errc{} && read == end && number >= allowed.least && number <= allowed.most)
                return {};
            return "expected a whole number from " + range + ", found '" + text + "'";
        },
        "", "");
}

/// The library lists the options that exclude each other in the order of their addresses, which another run changes.
class SteadyHelp : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string text = CLI::Formatter::make_option_opts(option);
        const std::string label = get_label("Excludes") + ":";
        const std::size_t at = text.find(label);
        if (at == std::string::npos) return text;
        std::istringstream words(text.substr(at + label.size()));
        std::vector<std::string> names(std::istream_iterator<std::string>(words), {});
        std::ranges::sort(names);
        std::string steady = text.substr(0, at + label.size());
        for (const std::string& name : names)
            steady += ' ' + name;
        return steady;
    }
};

CLI::Option* add(CLI::App& app, const Parameter& parameter) {
    return std::visit(
        [&](auto* target) {
            if constexpr (std::is_same_v<decltype(target), bool*>)
                return app.add_flag(parameter.name, *target, parameter.documentation);
            else
                return app.add_option(parameter.name, *target, parameter.documentation);
        },
        parameter.target);
}

void add(CLI::App& app, const std::vector<Parameter>& parameters) {
    std::vector<CLI::Option*> options;
    for (const Parameter& parameter : parameters) {
        CLI::Option* option = options.emplace_back(add(app, parameter));
        const Rules& rules = parameter.rules;
        option->required(rules.required);
        if (rules.hidden) option->group("");
        if (rules.range) option->check(whole_number(*rules.range));
        if (!rules.one_of.empty()) option->check(CLI::IsMember(rules.one_of));
        if (rules.shows_default) option->capture_default_str();
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        for (const std::string& other : parameters[i].rules.needs)
            options[i]->needs(app.get_option(other));
        for (const std::string& other : parameters[i].rules.excludes)
            options[i]->excludes(app.get_option(other));
    }
}

void add(CLI::App& app, const Verb& verb, const std::string& footer) {
    CLI::App& subcommand = *app.add_subcommand(verb.name, verb.documentation);
    add(subcommand, verb.parameters);
    if (!verb.example.empty()) subcommand.footer("Example: " + verb.example + "\n\n" + footer);
    for (const std::string& one : verb.alternatives)
        for (const std::string& other : verb.alternatives)
            if (one != other) subcommand.get_option(one)->excludes(subcommand.get_option(other));
}

}  // namespace

std::string one_line(std::string text) {
    text.erase(text.find_last_not_of("\n ") + 1);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::optional<int> parse(const Program& program, int argument_count, char** arguments,
                         const std::function<void(const std::string&)>& on_wrong_usage) {
    CLI::App app(program.documentation);
    app.formatter(std::make_shared<SteadyHelp>());
    add(app, program.parameters);
    try {
        app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        const std::string line = one_line(error.what()) + " (see --help)";
        if (on_wrong_usage) on_wrong_usage(line);
        std::cerr << program.name << ": " << line << '\n';
        return kWrongUsage;
    }
    return std::nullopt;
}

std::vector<std::string> with_rest_marked(const VerbProgram& program, int argument_count, char** arguments) {
    std::vector<std::string> words(arguments, arguments + argument_count);
    const auto verb =
        words.size() < 2 ? program.verbs.end() : std::ranges::find(program.verbs, words[1], &Verb::name);
    if (verb == program.verbs.end() ||
        std::ranges::none_of(verb->parameters, [](const Parameter& each) { return each.rules.takes_rest; }))
        return words;
    const auto takes_value = [&](const std::string& word) {
        return std::ranges::any_of(verb->parameters, [&](const Parameter& each) {
            return !std::holds_alternative<bool*>(each.target) &&
                   std::ranges::count(names_of(each), word) != 0;
        });
    };
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i] == "--") break;
        if (!words[i].starts_with('-') || words[i] == "-") {
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), "--");
            break;
        }
        if (takes_value(words[i])) ++i;
    }
    return words;
}

ParsedVerb parse(const VerbProgram& program, int argument_count, char** arguments) {
    CLI::App app(program.documentation, program.name);
    app.formatter(std::make_shared<SteadyHelp>());
    app.require_subcommand(1);
    app.set_version_flag("-V,--version", program.version);
    app.footer(program.footer);
    for (const Verb& verb : program.verbs)
        add(app, verb, program.footer);
    ParsedVerb parsed;
    try {
        app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            parsed.ended = app.exit(error);
        else
            parsed.error = error.what();
    }
    if (const auto named = app.get_subcommands(); !named.empty())
        parsed.verb = &*std::ranges::find(program.verbs, named.front()->get_name(), &Verb::name);
    return parsed;
}

}  // namespace tilemeter::command
