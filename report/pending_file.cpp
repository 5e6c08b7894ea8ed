// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/pending_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/log/log.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".partial";

// The beginning of a long name, so that what is added to it stays within what a name may have.
std::string hidden_prefix(const fs::path& final_path) {
    constexpr std::size_t kMostBytes = 200;
    return "." + final_path.filename().string().substr(0, kMostBytes) + ".";
}

fs::path hidden_path(const fs::path& final_path) {
    static std::atomic<unsigned> next{0};
    std::string name = hidden_prefix(final_path);
    name.append(std::to_string(::getpid())).append("-").append(std::to_string(next++)).append(kSuffix);
    return final_path.parent_path() / name;
}

// By this path a file without a name gets one.
std::string link_path(int file) {
    return "/proc/self/fd/" + std::to_string(file);
}

// A partial file whose writer is gone is locked by nobody.
void remove_abandoned(const fs::path& final_path) {
    const std::string prefix = hidden_prefix(final_path);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(final_path.parent_path(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) continue;
        const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        if (::flock(file, LOCK_EX | LOCK_NB) == 0 && fs::remove(entry.path(), ignored))
            logging::info({entry.path().native(), ": removed, what a process left that was killed"});
        ::close(file);
    }
}

// The step of publishing that failed, and its errno.
struct PublishFailure {
    enum class Step { kNone, kLink, kRename };
    Step step = Step::kNone;
    int problem = 0;
};

PublishFailure link_and_rename(const char* unnamed, const char* hidden, const char* final_path) {
    if (::linkat(AT_FDCWD, unnamed, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW) != 0)
        return {PublishFailure::Step::kLink, errno};
    if (::rename(hidden, final_path) == 0) return {};
    const int problem = errno;
    ::unlink(hidden);
    return {PublishFailure::Step::kRename, problem};
}

// Between its two steps the file has a name that a killed process would leave behind. So a process of its own takes
// them: in another session, out of reach of what kills this one or its group. The child calls system calls only, since
// other threads may have held locks when it was made.
std::optional<PublishFailure> link_and_rename_elsewhere(const char* unnamed, const char* hidden,
                                                        const char* final_path) {
    std::array<int, 2> answer{};
    if (::pipe2(answer.data(), O_CLOEXEC) != 0) return std::nullopt;
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        const PublishFailure failure = link_and_rename(unnamed, hidden, final_path);
        ::_exit(::write(answer[1], &failure, sizeof failure) == sizeof failure ? 0 : 1);
    }
    ::close(answer[1]);
    PublishFailure failure;
    ssize_t count = -1;
    if (child > 0) {
        do
            count = ::read(answer[0], &failure, sizeof failure);
        while (count < 0 && errno == EINTR);
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    ::close(answer[0]);
    if (count != sizeof failure) return std::nullopt;
    return failure;
}

}  // namespace

Error PendingFile::failure(std::string_view expected) const {
    return {final_path_.string(), "", std::string(expected), std::strerror(errno)};
}

Result<PendingFile> PendingFile::create(const fs::path& final_path) {
    PendingFile pending;
    pending.final_path_ = fs::absolute(final_path);
    const fs::path folder = pending.final_path_.parent_path();
    // A file without a name is made whatever name it is to have.
    struct stat there {};
    if (::lstat(pending.final_path_.c_str(), &there) != 0 && errno != ENOENT)
        return pending.failure("the name of a file");
    remove_abandoned(pending.final_path_);
    pending.file_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (pending.file_ >= 0 && ::access(link_path(pending.file_).c_str(), F_OK) == 0) {
        // Before it has the name by which another process would take it for abandoned.
        ::flock(pending.file_, LOCK_EX | LOCK_NB);
        return pending;
    }
    if (pending.file_ >= 0) ::close(pending.file_);
    pending.named_path_ = hidden_path(pending.final_path_);
    pending.file_ = ::open(pending.named_path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (pending.file_ < 0) {
        pending.named_path_.clear();
        return pending.failure("a folder that can be written to");
    }
    ::flock(pending.file_, LOCK_EX | LOCK_NB);
    return pending;
}

PendingFile::~PendingFile() {
    if (file_ < 0) return;
    if (!named_path_.empty()) ::unlink(named_path_.c_str());
    ::close(file_);
}

PendingFile::PendingFile(PendingFile&& other) noexcept {
    *this = std::move(other);
}

PendingFile& PendingFile::operator=(PendingFile&& other) noexcept {
    if (this == &other) return *this;
    std::swap(file_, other.file_);
    std::swap(final_path_, other.final_path_);
    std::swap(named_path_, other.named_path_);
    return *this;
}

Status PendingFile::write(std::string_view text) {
    while (!text.empty()) {
        const auto count = ::write(file_, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("a file that can be written to");
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

Status PendingFile::publish_unnamed() {
    // If nothing is to be replaced, one step does.
    const std::string unnamed = link_path(file_);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, final_path_.c_str(), AT_SYMLINK_FOLLOW) == 0) return {};
    if (errno != EEXIST) return failure("a folder that takes a new file");
    const fs::path hidden = hidden_path(final_path_);
    auto failed = link_and_rename_elsewhere(unnamed.c_str(), hidden.c_str(), final_path_.c_str());
    if (!failed) failed = link_and_rename(unnamed.c_str(), hidden.c_str(), final_path_.c_str());
    errno = failed->problem;
    switch (failed->step) {
        case PublishFailure::Step::kLink:
            return failure("a folder that takes a new file");
        case PublishFailure::Step::kRename:
            return failure("a file that can be replaced");
        case PublishFailure::Step::kNone:
            break;
    }
    return {};
}

Status PendingFile::publish() {
    // Some file systems say only when a descriptor is closed that there was no room.
    if (const int another = ::dup(file_); another < 0 || ::close(another) != 0)
        return failure("room for the whole file");
    if (named_path_.empty()) {
        if (Status published = publish_unnamed(); !published) return published;
    } else if (::rename(named_path_.c_str(), final_path_.c_str()) != 0) {
        return failure("a file that can be replaced");
    }
    named_path_.clear();
    ::close(std::exchange(file_, -1));
    return {};
}

}  // namespace tilemeter::report
