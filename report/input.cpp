// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/log/log.hpp"
#include "report/internal/decompressor.hpp"
#include "report/internal/stream_copy.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using internal::Decompressor;
using internal::StreamCopy;

constexpr const char* kStandardInput = "-";
constexpr std::array<std::string_view, 2> kCompressionEndings{".gz", ".zst"};

class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
    Descriptor& operator=(Descriptor&&) = delete;
    [[nodiscard]] int get() const { return value_; }
    int release() { return std::exchange(value_, -1); }

private:
    int value_;
};

bool is_pipe(const struct stat& status) {
    return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

// A pipe as standard input comes once, under any of its names.
Status take_standard_input(const std::string& name, const struct stat& status) {
    struct stat standard {};
    if (!is_pipe(status) || ::fstat(STDIN_FILENO, &standard) != 0 || standard.st_dev != status.st_dev ||
        standard.st_ino != status.st_ino)
        return {};
    static std::mutex mutex;
    static std::optional<std::pair<dev_t, ino_t>> taken;
    const std::lock_guard lock(mutex);
    if (taken == std::pair(status.st_dev, status.st_ino))
        return Error{name, "", "one reader, as it is a pipe", "a second one"};
    taken = {status.st_dev, status.st_ino};
    return {};
}

struct Kept {
    std::mutex mutex;
    int keepers = 0;
    std::map<fs::path, Input> pipes;
};

Kept& kept() {
    static Kept all;
    return all;
}

// The first bytes, fewer if the file is shorter. REQUIRES: the descriptor can be read
Result<std::string> head_of(int file, const std::string& name) {
    std::string head(Decompressor::kHeadBytes, '\0');
    std::size_t size = 0;
    while (size < head.size()) {
        const auto count = ::read(file, head.data() + size, head.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            return Error{name, "byte " + std::to_string(size), "readable bytes", std::strerror(errno)};
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    head.resize(size);
    return head;
}

}  // namespace

struct Input::State {
    State(std::string its_name, Descriptor descriptor, std::uint64_t its_begin, std::uint64_t its_size)
        : name(std::move(its_name)), file(std::move(descriptor)), begin(its_begin), size(its_size) {}

    std::string name;
    // A regular file, from `begin` on. Else there is a copy.
    Descriptor file;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::unique_ptr<StreamCopy> copy;
    // What there is without a file.
    std::optional<std::string> text;
};

KeptPipes::KeptPipes() {
    const std::lock_guard lock(kept().mutex);
    ++kept().keepers;
}

KeptPipes::~KeptPipes() {
    const std::lock_guard lock(kept().mutex);
    if (--kept().keepers == 0) kept().pipes.clear();
}

namespace {

struct Conversion {
    ReportsMadeOfFiles::Claims claims;
    ReportsMadeOfFiles::Make make;
    std::mutex mutex;
    std::map<fs::path, Result<Input>> made;
};

std::unique_ptr<Conversion>& conversion() {
    static std::unique_ptr<Conversion> one;
    return one;
}

std::optional<Result<Input>> converted(const fs::path& path) {
    if (!conversion() || path == kStandardInput) return std::nullopt;
    Conversion& known = *conversion();
    const std::lock_guard lock(known.mutex);
    if (const auto found = known.made.find(path); found != known.made.end()) return found->second;
    if (!known.claims(path)) return std::nullopt;
    auto text = known.make(path);
    const Result<Input> result = text ? Result<Input>(Input::of_text(path.string(), std::move(text).value()))
                                      : Result<Input>(text.error());
    known.made.emplace(path, result);
    return result;
}

}  // namespace

ReportsMadeOfFiles::ReportsMadeOfFiles(Claims claims, Make make) {
    conversion() = std::make_unique<Conversion>();
    conversion()->claims = std::move(claims);
    conversion()->make = std::move(make);
}

ReportsMadeOfFiles::~ReportsMadeOfFiles() {
    conversion().reset();
}

Result<Input> Input::open(const fs::path& path) {
    if (auto instead = converted(path)) return *instead;
    return open_as_it_is(path);
}

Result<Input> Input::open_as_it_is(const fs::path& path) {
    {
        const std::lock_guard lock(kept().mutex);
        if (const auto known = kept().pipes.find(path); known != kept().pipes.end()) return known->second;
    }
    auto input = open_anew(path);
    std::error_code ignored;
    if (!input || fs::is_regular_file(path, ignored)) return input;
    const std::lock_guard lock(kept().mutex);
    if (kept().keepers > 0) kept().pipes.emplace(path, *input);
    return input;
}

Result<Input> Input::open_anew(const fs::path& path) {
    const bool standard = path == kStandardInput;
    std::string name = standard ? "standard input" : path.string();
    Descriptor file(standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                             : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
        return Error{name, "", "a readable file", std::strerror(errno)};
    if (S_ISDIR(status.st_mode)) return Error{name, "", "a file or a pipe", "a folder"};
    if (::isatty(file.get()) == 1) return Error{name, "", "a file or a pipe", "a terminal"};
    if (Status taken = take_standard_input(name, status); !taken) return taken.error();

    const bool regular = S_ISREG(status.st_mode);
    const off_t begin = regular ? ::lseek(file.get(), 0, SEEK_CUR) : 0;
    if (standard && regular && begin > 0 && begin >= status.st_size)
        return Error{name, "", "something to read", "nothing left: it was read before"};
    auto head = head_of(file.get(), name);
    if (!head) return head.error();
    auto decompressor = Decompressor::for_file_with(*head);
    if (!decompressor) {
        Error error = decompressor.error();
        error.file = name;
        return error;
    }
    const auto size = static_cast<std::uint64_t>(regular ? std::max<off_t>(status.st_size - begin, 0) : 0);
    if (regular && *decompressor == nullptr) {
        if (standard) (void)::lseek(file.get(), 0, SEEK_END);  // as if it had been read
        ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
        return Input(std::make_shared<State>(std::move(name), std::move(file),
                                             static_cast<std::uint64_t>(begin), size));
    }
    logging::debug(
        {name, *decompressor != nullptr ? ": compressed" : ": a pipe", ", read once into a temporary file"});
    auto state = std::make_shared<State>(name, Descriptor(-1), 0, 0);
    state->copy = std::make_unique<StreamCopy>(std::move(name), file.release(), std::move(*head),
                                               std::move(*decompressor), size);
    return Input(std::move(state));
}

Input Input::of_text(std::string name, std::string text) {
    auto state = std::make_shared<State>(std::move(name), Descriptor(-1), 0, text.size());
    state->text = std::move(text);
    return Input(std::move(state));
}

const std::string& Input::name() const {
    return state_->name;
}

Result<std::size_t> Input::read(std::uint64_t offset, char* into, std::size_t size) {
    if (state_->copy) return state_->copy->read(offset, into, size);
    if (state_->text) return offset < state_->size ? state_->text->copy(into, size, offset) : std::size_t{0};
    while (true) {
        const auto count =
            ::pread(state_->file.get(), into, size, static_cast<off_t>(state_->begin + offset));
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return Error{state_->name, "byte " + std::to_string(offset), "readable bytes",
                         std::strerror(errno)};
    }
}

std::uint64_t Input::size_up_to(std::uint64_t limit) {
    return state_->copy ? state_->copy->size_up_to(limit) : std::min(limit, state_->size);
}

Error Input::cause_of(Error found) {
    return state_->copy ? state_->copy->cause_of(std::move(found)) : found;
}

std::uint64_t Input::expected_size() const {
    return state_->copy ? state_->copy->expected_size() : state_->size;
}

fs::path find_compressed_or_not(const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path;
    for (const std::string_view ending : kCompressionEndings) {
        fs::path compressed = path;
        compressed += ending;
        if (fs::exists(compressed, ignored)) {
            logging::debug({compressed.native(), " stands for ", path.native()});
            return compressed;
        }
    }
    return {};
}

fs::path without_compression(const fs::path& path) {
    const fs::path ending = path.extension();
    const bool compressed =
        std::ranges::find(kCompressionEndings, ending.native()) != kCompressionEndings.end();
    return compressed ? fs::path(path).replace_extension() : path;
}

fs::path find_sidecar(const fs::path& report, std::string_view ending) {
    if (report == kStandardInput) return {};
    return find_compressed_or_not(without_compression(report).replace_extension(ending));
}

std::string report_stem(const fs::path& report) {
    return report == kStandardInput ? "stdin" : without_compression(report).stem().string();
}

}  // namespace tilemeter::report
