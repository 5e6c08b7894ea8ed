// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/live/process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/tilemeter/verbs.hpp"

extern char** environ;  // NOLINT: of POSIX

namespace tilemeter::cli {

namespace fs = std::filesystem;

namespace {

/// Signals that a terminal sends to all of its programs: while another one runs, they are that one's.
class Deaf {
public:
    Deaf() {
        for (std::size_t i = 0; i < std::size(kSignals); ++i)
            before_[i] = std::signal(kSignals[i], SIG_IGN);
    }
    ~Deaf() { hear(); }
    void hear() const {
        for (std::size_t i = 0; i < std::size(kSignals); ++i)
            std::signal(kSignals[i], before_[i]);
    }
    Deaf(const Deaf&) = delete;
    Deaf& operator=(const Deaf&) = delete;

private:
    static constexpr int kSignals[] = {SIGINT, SIGQUIT};
    void (*before_[std::size(kSignals)])(int) = {};
};

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
    std::vector<std::string> all;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string line(*each);
        if (!more.contains(line.substr(0, line.find('=')))) all.push_back(line);
    }
    for (const auto& [name, value] : more)
        all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& each : texts)
        pointers.push_back(each.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

Ended run(const Command& command) {
    std::cout.flush();
    std::vector<std::string> words = command.words;
    std::vector<std::string> environment = environment_with(command.environment);
    const std::vector<char*> arguments = pointers_to(words), variables = pointers_to(environment);
    const std::string folder = command.folder.string(), output = command.output.string();
    int pipe_ends[2] = {};  // tells why the program could not be started; closes where it is
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0)
        throw Failure(words[0] + ": cannot be started: " + std::generic_category().message(errno));
    const Deaf deaf;
    const pid_t child = ::fork();
    if (child == 0) {
        deaf.hear();
        bool is_well = folder.empty() || ::chdir(folder.c_str()) == 0;
        if (is_well && !output.empty()) {
            const int file =
                ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);  // NOLINT
            is_well = file >= 0 && ::dup2(file, STDOUT_FILENO) >= 0 && ::dup2(file, STDERR_FILENO) >= 0;
        } else if (is_well && command.prints_to_errors) {
            is_well = ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
        }
        if (is_well) ::execvpe(arguments[0], arguments.data(), variables.data());
        const int reason = errno;
        if (::write(pipe_ends[1], &reason, sizeof reason) < 0) ::_exit(126);
        ::_exit(127);
    }
    ::close(pipe_ends[1]);
    int reason = child < 0 ? errno : 0;
    if (child >= 0 && ::read(pipe_ends[0], &reason, sizeof reason) < 0) reason = errno;
    ::close(pipe_ends[0]);
    int status = 0;
    while (child >= 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (reason != 0)
        throw Failure(words[0] + ": cannot be started: " + std::generic_category().message(reason));
    Ended ended;
    if (WIFSIGNALED(status))
        ended.signal = WTERMSIG(status);
    else
        ended.status = WEXITSTATUS(status);
    return ended;
}

bool is_in_path(const std::string& program) {
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((fs::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

std::vector<fs::path> own_prefixes() {
    std::error_code failed;
    const fs::path above = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
    return {above, above.parent_path()};
}

std::string name_of_signal(int signal) {
    const char* const name = sigabbrev_np(signal);
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace tilemeter::cli
