// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/internal/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace tilemeter::record::internal {

namespace {

std::optional<std::uint64_t> available_of_machine() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t kilobytes = 0;
    for (std::string rest; file >> name >> kilobytes; std::getline(file, rest))
        if (name == "MemAvailable:") return kilobytes * 1024;
    return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    if (file >> number) return number;
    return std::nullopt;  // "max" among others
}

/// Memory that the kernel takes back first: it counts as used, a recording's own pages among it.
std::uint64_t file_cache_in(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t sum = 0, bytes = 0;
    for (std::string name; file >> name >> bytes;)
        if (name == "inactive_file" || name == "active_file") sum += bytes;
    return sum;
}

std::optional<std::uint64_t> left_by_control_group() {
    std::ifstream groups("/proc/self/cgroup");
    constexpr const char* kVersion2 = "0::";
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with(kVersion2)) continue;
        const std::string folder = "/sys/fs/cgroup" + line.substr(3);
        const auto most = number_in(folder + "/memory.max"), used = number_in(folder + "/memory.current");
        if (!most || !used) continue;
        const std::uint64_t reclaimable = std::min(*used, file_cache_in(folder + "/memory.stat"));
        return *most - std::min(*most, *used - reclaimable);
    }
    return std::nullopt;
}

}  // namespace

std::uint64_t free_memory() {
    constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
    return std::min(available_of_machine().value_or(kUnknown), left_by_control_group().value_or(kUnknown));
}

}  // namespace tilemeter::record::internal
