// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/crash.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include <elf.h>

#include "capture/events/internal/crash_area.hpp"
#include "capture/record/modules.hpp"

namespace tilemeter::record {

namespace {

using internal::CrashArea;
using internal::CrashStep;

template <std::size_t Size>
std::string text_in(const std::array<char, Size>& bytes) {
    return {bytes.begin(), std::find(bytes.begin(), bytes.end(), '\0')};
}

std::unique_ptr<CrashArea> area_in(const std::filesystem::path& path) {
    auto area = std::make_unique<CrashArea>();
    std::ifstream file(path, std::ios::binary);
    file.seekg(internal::kCrashAreaAt);
    file.read(reinterpret_cast<char*>(area.get()), sizeof(CrashArea));
    const std::uint32_t step = area->step.load(std::memory_order_relaxed);
    const bool known = step > static_cast<std::uint32_t>(CrashStep::kNothing) &&
                       step <= static_cast<std::uint32_t>(CrashStep::kMappings);
    if (file.gcount() != sizeof(CrashArea) || !known) return nullptr;
    return area;
}

/// True if the thread began a function afterwards: then its program handled the signal and went on. (Frees do not
/// count: a handler may end the process by exit().)
bool went_on(const CrashArea& area, const Recording& recording) {
    bool later = false;
    for (const ThreadSlice& slice : recording.threads) {
        if (std::uint64_t{slice.thread} + 1 != area.log) continue;
        slice.for_each([&](const Event& event) {
            later = later || (event.kind == EventKind::kFunctionBegin &&
                              static_cast<std::int64_t>(event.time_ticks - area.ticks) > 0);
        });
    }
    return later;
}

struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::string path;
};

/// Takes a hexadecimal number and the character behind it.
bool take_number(std::string_view& line, std::uint64_t& number) {
    constexpr int kBase = 16;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number, kBase);
    if (error != std::errc() || rest == line.data() + line.size()) return false;
    line.remove_prefix(static_cast<std::size_t>(rest - line.data()) + 1);
    return true;
}

/// A line of /proc/PID/maps: "begin-end rwxp offset device inode    path".
std::optional<Mapping> mapping_in(std::string_view line) {
    Mapping mapping;
    constexpr std::size_t kPermissions = 5;
    if (!take_number(line, mapping.begin) || !take_number(line, mapping.end) || line.size() < kPermissions)
        return std::nullopt;
    line.remove_prefix(kPermissions);
    if (!take_number(line, mapping.offset)) return std::nullopt;
    const std::size_t path = line.find('/');
    if (path == std::string_view::npos || mapping.begin >= mapping.end) return std::nullopt;
    mapping.path = line.substr(path);
    return mapping;
}

/// By how much the loader moved a file, one of whose segments it put at `mapping`; none if that is no file of
/// this machine's kind.
std::optional<std::uint64_t> bias_of(const Mapping& mapping) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(mapping.path, error)) return std::nullopt;
    std::ifstream file(mapping.path, std::ios::binary);
    Elf64_Ehdr header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return std::nullopt;
        constexpr std::uint64_t kPage = 4096;
        const std::uint64_t first = segment.p_offset / kPage * kPage;
        if (segment.p_type == PT_LOAD && first <= mapping.offset &&
            mapping.offset < segment.p_offset + segment.p_filesz)
            return mapping.begin - mapping.offset + segment.p_offset - segment.p_vaddr;
    }
    return std::nullopt;
}

/// Modules that were loaded after the recording began are known by their place alone, not by their build.
void note_mappings(const CrashArea& area, const std::vector<std::uint64_t>& frames) {
    const std::string lines = text_in(area.mappings);
    std::string_view rest = lines;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return;
        const std::optional<Mapping> mapping = mapping_in(rest.substr(0, end));
        rest.remove_prefix(end + 1);
        if (!mapping) continue;
        const bool wanted = std::any_of(frames.begin(), frames.end(), [&](std::uint64_t frame) {
            if (frame < mapping->begin || frame >= mapping->end) return false;
            const std::optional<Module> known = module_of(frame);
            return !known || known->path != mapping->path;
        });
        if (!wanted) continue;
        if (const std::optional<std::uint64_t> bias = bias_of(*mapping))
            note_module({mapping->path, {}, mapping->begin, mapping->end, *bias});
    }
}

}  // namespace

std::string name_of_signal(int signal) {
    const char* const name = signal > 0 && signal < NSIG ? sigabbrev_np(signal) : nullptr;
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::optional<Crash> read_crash(const std::filesystem::path& path, const Recording& recording) {
    if (!recording.recovered) return std::nullopt;
    const std::unique_ptr<CrashArea> area = area_in(path);
    if (!area || went_on(*area, recording)) return std::nullopt;
    Crash crash;
    crash.signal = area->signal;
    crash.terminate = area->terminate != 0;
    crash.exception_type = text_in(area->exception_type);
    crash.message = text_in(area->message);
    crash.process = area->process;
    crash.thread = area->thread;
    crash.thread_name = text_in(area->thread_name);
    if (area->sender != 0) crash.sender = area->sender;
    if ((crash.signal == SIGSEGV || crash.signal == SIGBUS) && area->signal_code > 0)
        crash.address = area->address;
    // Frames before the interrupted instruction are those of the signal's handler.
    const auto end = std::find(area->frames.begin(), area->frames.end(), 0U);
    auto begin = area->frames.begin();
    if (area->program_counter != 0) {
        crash.exact = true;
        begin = std::find(begin, end, area->program_counter);
        if (begin == end) crash.frames.push_back(area->program_counter);
    }
    crash.frames.insert(crash.frames.end(), begin, end);
    note_mappings(*area, crash.frames);
    return crash;
}

}  // namespace tilemeter::record
