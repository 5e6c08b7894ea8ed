// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/modules.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include <link.h>
#include <unistd.h>

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record {

namespace {

struct Modules {
    std::mutex mutex;
    std::vector<Module> here;       // of this process
    std::vector<Module> elsewhere;  // read from recordings
};

Modules& modules() {
    static auto& the_modules = *new Modules;  // never destroyed, as the texts
    return the_modules;
}

const Module* find(const std::vector<Module>& all, std::uint64_t address) {
    const auto found = std::find_if(all.rbegin(), all.rend(), [address](const Module& module) {
        return module.begin <= address && address < module.end;
    });
    return found == all.rend() ? nullptr : &*found;
}

std::string program_path() {
    std::array<char, 4096> path{};
    const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
    return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : std::string();
}

/// The build id in a loaded note segment, if it is there.
std::string build_id_in(const char* notes, std::size_t size) {
    const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        std::memcpy(&header, notes, sizeof header);
        const std::size_t whole = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
        if (whole > size) break;
        const char* const name = notes + sizeof header;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
            std::string digits;
            for (std::size_t i = 0; i < header.n_descsz; ++i) {
                constexpr const char* kDigits = "0123456789abcdef";
                const auto byte = static_cast<unsigned char>(name[4 + i]);
                digits += kDigits[byte >> 4];
                digits += kDigits[byte & 15];
            }
            return digits;
        }
        notes += whole;
        size -= whole;
    }
    return {};
}

int append_module(dl_phdr_info* info, std::size_t, void* list) {
    Module module;
    module.path = info->dlpi_name != nullptr && *info->dlpi_name != '\0' ? info->dlpi_name : program_path();
    module.bias = info->dlpi_addr;
    module.begin = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            module.begin = std::min<std::uint64_t>(module.begin, module.bias + segment.p_vaddr);
            module.end = std::max<std::uint64_t>(module.end, module.bias + segment.p_vaddr + segment.p_memsz);
        } else if (segment.p_type == PT_NOTE && module.build_id.empty()) {
            // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader says that it put the notes
            const auto* notes = reinterpret_cast<const char*>(module.bias + segment.p_vaddr);
            module.build_id = build_id_in(notes, segment.p_memsz);
        }
    }
    if (module.begin < module.end) static_cast<std::vector<Module>*>(list)->push_back(std::move(module));
    return 0;
}

void publish(std::uint32_t number, const Module& module) {
    internal::publish_definition(internal::DefinitionKind::kModule, number, internal::encode(module));
}

// REQUIRES: known.mutex held.
void note_loaded(Modules& known) {
    std::vector<Module> loaded;
    dl_iterate_phdr(append_module, &loaded);
    for (Module& module : loaded) {
        if (std::find(known.here.begin(), known.here.end(), module) != known.here.end()) continue;
        known.here.push_back(std::move(module));
        if (internal::definitions_wanted.load(std::memory_order_acquire))
            publish(static_cast<std::uint32_t>(known.here.size()), known.here.back());
    }
}

}  // namespace

void note_modules(std::span<const std::uint64_t> addresses) {
    Modules& known = modules();
    const std::scoped_lock lock(known.mutex);
    // A library that was unloaded leaves its place to others: only those that are loaded now decide, and an
    // address is asked for only once per distinct stack.
    const bool all_known = std::all_of(addresses.begin(), addresses.end(), [&](std::uint64_t address) {
        return find(known.here, address) != nullptr;
    });
    if (all_known) return;
    note_loaded(known);
}

void note_loaded_modules() {
    Modules& known = modules();
    const std::scoped_lock lock(known.mutex);
    note_loaded(known);
}

void note_module(Module module) {
    Modules& known = modules();
    const std::scoped_lock lock(known.mutex);
    // A module of many recordings of one program is noted once; the one noted last is found first.
    std::erase(known.elsewhere, module);
    known.elsewhere.push_back(std::move(module));
}

std::optional<Module> module_of(std::uint64_t address) {
    Modules& known = modules();
    const std::scoped_lock lock(known.mutex);
    for (const std::vector<Module>* all : {&known.elsewhere, &known.here}) {
        if (const Module* found = find(*all, address)) return *found;
    }
    return std::nullopt;
}

namespace internal {
void publish_modules() {
    Modules& known = modules();
    const std::scoped_lock lock(known.mutex);
    for (std::size_t i = 0; i < known.here.size(); ++i)
        publish(static_cast<std::uint32_t>(i + 1), known.here[i]);
}
}  // namespace internal

}  // namespace tilemeter::record
