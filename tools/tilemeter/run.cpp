// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/run.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/input.hpp"
#include "report/render/error_render.hpp"
#include "tools/command/arguments.hpp"
#include "tools/tilemeter/did_you_mean.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

/// In the order of the help.
command::VerbProgram program() {
    return {
        .name = "tilemeter",
        .documentation = "What filled the memory of a tile device: answers from reports and node lists.",
        .version = "tilemeter " TILEMETER_VERSION,
        .footer =
            "Exit status: 0 done, 1 bad input, 2 wrong usage, 3 exceeded (check, fit, diff --exit-code),\n"
            "4 cannot be judged (the same). 'tilemeter VERB --help' explains a verb.",
        .verbs = {peak_verb(),     explain_verb(), fit_verb(),       tightest_verb(), timeline_verb(),
                  tree_verb(),     print_verb(),   levelized_verb(), diff_verb(),     check_verb(),
                  configs_verb(),  svg_verb(),     html_verb(),      perfetto_verb(), summary_verb(),
                  figures_verb(),  recover_verb(), import_verb(),    export_verb(),   collect_verb(),
                  overhead_verb(), memory_verb()}};
}

/// One line on standard error; who asked for JSON has it on standard output as well.
int fail(std::string_view message, int status, bool json, const report::Error& parts = {}) {
    std::cout.flush();
    std::string line(message.substr(0, message.find_last_not_of("\n ") + 1));
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (json) print(analysis::error_json(line, status, parts));
    std::cout.flush();
    std::cerr << "tilemeter: " << line << '\n';
    return status;
}

/// An answer that reached nobody is none, whatever it was.
int answered(int status) {
    std::cout.flush();
    return std::cout ? status : fail("standard output: cannot be written", kBadInput, false);
}

std::vector<std::string> names_of(const std::vector<command::Verb>& verbs) {
    std::vector<std::string> names;
    for (const command::Verb& verb : verbs)
        names.push_back(verb.name);
    return names;
}

std::vector<std::string> option_names(const command::Verb& verb) {
    std::vector<std::string> names{"--help"};
    for (const command::Parameter& each : verb.parameters)
        for (const std::string& name : command::names_of(each))
            if (name.starts_with("--") && !each.rules.hidden) names.push_back(name);
    return names;
}

/// The first long option among the arguments that the verb does not have; empty where it has all.
std::string unknown_option(const command::Verb& verb, int argument_count, char** arguments) {
    const std::vector<std::string> names = option_names(verb);
    for (int i = 1; i < argument_count && std::string_view(arguments[i]) != "--"; ++i) {
        const std::string_view given(arguments[i]);
        const std::string word(given.substr(0, given.find('=')));
        if (word.starts_with("--") && std::ranges::find(names, word) == names.end()) return word;
    }
    return "";
}

/// The parser's library says of an unknown verb that one is required.
std::string text_of(const std::string& error, const command::Verb* verb,
                    const std::vector<std::string>& verbs, int argument_count, char** arguments,
                    const std::string& missing) {
    if (argument_count > 1 && verb == nullptr && arguments[1][0] != '-')
        return no_such("verb", arguments[1], verbs) +
               (missing.empty() ? ""
                                : " (verbs that run the model need " + missing + ", which is not there)");
    if (argument_count > 1 && verb == nullptr && std::string_view(arguments[1]).starts_with("--"))
        return no_such("option", arguments[1], {"--help", "--version"}) + " (see --help)";
    if (argument_count == 1) return "a verb is required, for example 'peak' (see --help)";
    const std::string name = verb == nullptr ? "" : verb->name;
    if (verb != nullptr && error.find("not expected") != std::string::npos)
        if (const std::string unknown = unknown_option(*verb, argument_count, arguments); !unknown.empty())
            return name + ": " + no_such("option", unknown, option_names(*verb)) + " (see " + name +
                   " --help)";
    return (name.empty() ? "" : name + ": ") + error + " (see " + (name.empty() ? "" : name + " ") +
           "--help)";
}

}  // namespace

bool is_own_verb(std::string_view name, const std::vector<command::Verb>& further) {
    const auto has = [&](const std::vector<command::Verb>& verbs) {
        return std::ranges::any_of(verbs, [&](const command::Verb& verb) { return verb.name == name; });
    };
    return has(program().verbs) || has(further);
}

int run(int argument_count, char** arguments, const std::vector<command::Verb>& further,
        const std::string& missing) {
    forget_inputs();
    command::VerbProgram tilemeter = program();
    tilemeter.verbs.insert(tilemeter.verbs.end(), further.begin(), further.end());
    tilemeter.verbs.push_back(completion_verb(tilemeter));
    tilemeter.verbs.back() = completion_verb(tilemeter);  // which completes itself as well
    const std::vector<std::string> verbs = names_of(tilemeter.verbs);
    std::vector<std::string> marked = command::with_rest_marked(tilemeter, argument_count, arguments);
    const bool json = std::find(marked.begin(), std::ranges::find(marked, "--"), "--json") !=
                      std::ranges::find(marked, "--");
    // "help", "help VERB"
    std::vector<char*> words;
    for (std::string& each : marked)
        words.push_back(each.data());
    char help[] = "--help";
    if (argument_count > 1 && std::string_view(arguments[1]) == "help") {
        if (argument_count > 2 && std::ranges::find(verbs, std::string_view(arguments[2])) == verbs.end())
            return fail(no_such("verb", arguments[2], verbs), kWrongUsage, json);
        words.erase(words.begin() + 1);
        words.resize(std::min<std::size_t>(words.size(), 2));
        words.push_back(help);
    }
    const report::KeptPipes kept;  // some verbs look at a report more than once
    try {
        const int word_count = static_cast<int>(words.size());
        const command::ParsedVerb parsed = command::parse(tilemeter, word_count, words.data());
        if (parsed.ended) return answered(*parsed.ended);
        if (parsed.error)
            return fail(text_of(*parsed.error, parsed.verb, verbs, word_count, words.data(), missing),
                        kWrongUsage, json);
        parsed.verb->run();
        return answered(kDone);
    } catch (const Failure& failure) {
        return fail(failure.what(), failure.status(), json, failure.parts());
    } catch (const Answered& with) {
        return answered(with.status);
    } catch (const std::exception& error) {
        return fail(error.what(), kBadInput, json);
    }
}

}  // namespace tilemeter::cli
