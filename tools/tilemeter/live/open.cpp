// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "tools/tilemeter/live/site.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

extern char** environ;  // NOLINT: of POSIX

namespace tilemeter::cli {
namespace {

struct OpenOptions {
    std::string path, other;
    std::int64_t port = 0;
    bool no_browser = false, json = false;
};

/// Starts one program, which says nothing here: true if that was possible.
bool start(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    pid_t process = 0;
    const int problem = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem == 0;
}

/// Starts the user's browser: the first of $BROWSER that can be started. These are separated by colons, each a command with
/// "%s" for the address, or without it the address behind the command.
void show_in_browser(const std::string& url) {
    const char* const chosen = std::getenv("BROWSER");
    const std::string browsers = chosen != nullptr && *chosen != '\0' ? chosen : "xdg-open";
    std::istringstream commands(browsers);
    for (std::string command; std::getline(commands, command, ':');) {
        std::vector<std::string> words;
        bool has_address = false;
        std::istringstream parts(command);
        for (std::string word; parts >> word;) {
            const std::size_t place = word.find("%s");
            if (place != std::string::npos) word.replace(place, 2, url);
            has_address = has_address || place != std::string::npos;
            words.push_back(word);
        }
        if (words.empty()) continue;
        if (!has_address) words.push_back(url);
        if (start(std::move(words))) return;
    }
    std::cerr << "tilemeter: no browser could be started (" << browsers << "): open the address yourself\n";
}

void run_open(const OpenOptions& options) {
    Site site(options.path, options.other);
    PageServer server(static_cast<std::uint16_t>(options.port));
    const std::string url = server.url();
    if (options.json) {
        print_answer("open", Json{{"url", url}, {"report_count", site.size()}});
    } else {
        const AsItIs as_it_is;  // an address in two lines could not be copied
        std::cout << url << '\n';
        if (site.is_live())
            std::cout << url << "reports/0/  the report of what is recorded so far\n";
        else if (site.has_database())
            std::cout << url << "db.sqlite  the database, for ttnn-visualizer\n";
        std::cout << "for this machine alone; Ctrl-C ends\n";
    }
    std::cout.flush();
    if (!options.no_browser) show_in_browser(url);
    const auto answer = [&site](std::string_view path) { return site.answer(path); };
    if (site.is_live())
        server.run(answer, [&site] { site.look(); });
    else
        server.run(answer);
}

}  // namespace

command::Verb open_verb() {
    auto options = std::make_shared<OpenOptions>();
    return {
        .name = "open",
        .documentation =
            "The page and the database of a report, in the browser; of two reports what grew, of a folder a table of its "
            "reports, of a recording that is being written what runs now",
        .parameters =
            {{"report",
              &options->path,
              "a report, a node list, a training step's memory, a recording (or the number of the process that "
              "writes it), or a folder of reports",
              {.required = true}},
             {"other", &options->other, "another report, beside the first: what grew is marked"},
             {"--port",
              &options->port,
              "port of 127.0.0.1 (default: one that is free)",
              {.range = command::Range{0, 65535}}},
             {"--no-browser", &options->no_browser, "say the address alone"},
             {"--json", &options->json, "the address, machine-readable"}},
        .example = "tilemeter open report.json",
        .run = [options] { run_open(*options); }};
}

}  // namespace tilemeter::cli
