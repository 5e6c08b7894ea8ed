// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/run.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "report/input.hpp"
#include "report/render/error_render.hpp"
#include "tools/tilemeter/did_you_mean.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

constexpr void (*kVerbs[])(CLI::App&) = {
    add_peak,      add_explain, add_fit,     add_timeline, add_tree,     add_print,
    add_levelized, add_diff,    add_check,   add_configs,  add_svg,      add_html,
    add_perfetto,  add_summary, add_figures, add_recover,  add_overhead,
};

/// One line on standard error; who asked for JSON has it on standard output as well.
int fail(std::string_view message, int status, bool json, const report::Error& parts = {}) {
    std::cout.flush();
    std::string line(message.substr(0, message.find_last_not_of("\n ") + 1));
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (json) print(graph::error_json(line, status, parts));
    std::cout.flush();
    std::cerr << "tilemeter: " << line << '\n';
    return status;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands(nullptr))
        names.push_back(verb->get_name());
    return names;
}

/// CLI11 says of an unknown verb that one is required.
std::string text_of(const CLI::ParseError& error, const CLI::App& app, int argument_count, char** arguments) {
    if (argument_count > 1 && app.get_subcommands().empty() && arguments[1][0] != '-')
        return no_such("verb", arguments[1], verbs_of(app));
    if (argument_count == 1) return "a verb is required, for example 'peak' (see --help)";
    const auto chosen = app.get_subcommands();
    const std::string verb = chosen.empty() ? "" : chosen.front()->get_name() + ": ";
    return verb + error.what() + " (see " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") +
           "--help)";
}

}  // namespace

int run(int argument_count, char** arguments) {
    forget_inputs();
    CLI::App app("What filled the memory of a tile device: answers from reports and node lists.",
                 "tilemeter");
    app.require_subcommand(1);
    app.set_version_flag("-V,--version", "tilemeter " TILEMETER_VERSION);
    app.footer(
        "Exit status: 0 done, 1 bad input, 2 wrong usage, 3 exceeded (check, fit, diff --exit-code),\n"
        "4 cannot be judged (the same). 'tilemeter VERB --help' explains a verb.");
    for (const auto add : kVerbs)
        add(app);
    const bool json = std::any_of(arguments + 1, arguments + argument_count,
                                  [](const char* word) { return std::string_view(word) == "--json"; });
    // "help", "help VERB"
    std::vector<char*> words(arguments, arguments + argument_count);
    char help[] = "--help";
    if (argument_count > 1 && std::string_view(arguments[1]) == "help") {
        const std::vector<std::string> verbs = verbs_of(app);
        if (argument_count > 2 && std::ranges::find(verbs, std::string_view(arguments[2])) == verbs.end())
            return fail(no_such("verb", arguments[2], verbs), kWrongUsage, json);
        words.erase(words.begin() + 1);
        words.resize(std::min<std::size_t>(words.size(), 2));
        words.push_back(help);
    }
    const report::KeptPipes kept;  // some verbs look at a report more than once
    try {
        app.parse(static_cast<int>(words.size()), words.data());
        std::cout.flush();
        if (!std::cout) return fail("standard output: cannot be written", kBadInput, false);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        return fail(text_of(error, app, static_cast<int>(words.size()), words.data()), kWrongUsage, json);
    } catch (const Failure& failure) {
        return fail(failure.what(), failure.status(), json, failure.parts());
    } catch (const Answered& answered) {
        std::cout.flush();
        return answered.status;
    } catch (const std::exception& error) {
        return fail(error.what(), kBadInput, json);
    }
    return kDone;
}

}  // namespace tilemeter::cli
