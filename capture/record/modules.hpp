// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program and the libraries that addresses of call stacks lie in. What was once noted stays known after a
// library is unloaded.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tilemeter::record {

struct Module {
    std::string path;
    std::string build_id;     ///< lower-case hexadecimal digits; empty: the file has none
    std::uint64_t begin = 0;  ///< first address of its loaded segments
    std::uint64_t end = 0;    ///< behind the last
    std::uint64_t bias = 0;   ///< address minus bias = address in the file
    friend bool operator==(const Module&, const Module&) = default;
};

/// Notes the modules that `addresses` lie in, as the process has them loaded now.
void note_modules(std::span<const std::uint64_t> addresses);

/// Notes all modules that the process has loaded now.
void note_loaded_modules();

/// Notes a module of another process, of which a recording was read. It is asked before those of this process
/// are.
void note_module(Module module);

/// The module that `address` lies in, if it was noted; the one noted last where several were there in turn.
std::optional<Module> module_of(std::uint64_t address);

}  // namespace tilemeter::record
