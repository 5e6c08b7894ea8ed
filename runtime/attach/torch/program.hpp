// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a program does with PyTorch, handed to the recorder as one list: functions and memory of all its threads in the order
// in which they happened. Memory that one thread takes and another frees is so in its right order, whatever threads do. A
// function that ends while a younger one of another thread is open parts that one in two.
//
// This file includes nothing of PyTorch. It is compiled beside hooks.cpp for the user's PyTorch.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "capture/record/emit_table.h"

namespace tilemeter::attach::torch {

/// The number of the host among devices.
inline constexpr std::uint16_t kHost = 0xffff;

/// How reports show the host's memory: as a device of this number, or as system memory beside one.
struct HostPlace {
    std::uint16_t device;
    bool is_device;
};

/// A block that was there before the capture.
struct OlderBlock {
    std::uint16_t device;
    std::uint64_t address;
    std::uint64_t bytes;
};

class Program {
public:
    /// `log`: where its events go, in turns.
    Program(const tilemeter_emit_table& table, std::uint8_t emitter, tilemeter_log* log);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// The first capture begins: nothing is open, nothing is known.
    void restart(HostPlace host);
    /// Blocks that were found after restart() and are older than it: they are taken at this point, in a function of their own.
    /// Those that were freed in between are left out.
    void add_older(const std::vector<OlderBlock>& blocks);

    /// `thread`: any number that is the thread's own. `sequence`: ties a backward function to its forward one; below 0: none.
    void begin_function(std::uint64_t thread, std::string_view name, std::int64_t sequence);
    /// Ends the innermost function of `thread`, if it has one that began within the capture.
    void end_function(std::uint64_t thread);

    void allocate(std::uint64_t thread, std::uint16_t device, std::uint64_t address, std::uint64_t bytes);
    /// Nothing happens where the block is none that is known.
    void free(std::uint64_t thread, std::uint16_t device, std::uint64_t address);
    /// An allocation that was refused; the function that asked for it ends as failed.
    void refuse(std::uint64_t thread, std::uint16_t device, std::uint64_t bytes, std::uint64_t device_free);
    /// A failure that a thread tells.
    void fail(std::uint64_t thread, std::string_view type, std::string_view message);

    std::uint64_t functions_parted() const { return parted_; }

private:
    class Turn;

    struct Function {
        std::uint64_t thread;
        std::uint32_t name;
        std::uint32_t failure;  // text; 0: it has not failed
    };
    struct Block {
        std::uint64_t id;
        std::uint64_t bytes;
    };
    struct TextHash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    bool listens() const { return __atomic_load_n(table_.listening, __ATOMIC_RELAXED) != 0; }
    std::uint32_t text(std::string_view said);
    /// Where the innermost function of `thread` stands in open_; the size of open_: nowhere.
    std::size_t innermost(std::uint64_t thread) const;
    void emit_begin(const Function& function, std::int64_t sequence);
    void emit_end(const Function& function);
    void emit_buffer(std::uint8_t what, std::uint16_t device, std::uint64_t address, const Block& block);
    void emit_failure(std::uint64_t thread, std::uint32_t type, std::uint32_t message);
    void take(std::uint16_t device, std::uint64_t address, std::uint64_t bytes);
    std::unordered_map<std::uint64_t, Block>& blocks_of(std::uint16_t device);

    const tilemeter_emit_table& table_;
    const std::uint8_t emitter_;
    tilemeter_log* const log_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> texts_;
    std::vector<Function> open_;                                    // of all threads, in the order they began
    std::vector<std::uint64_t> threads_;                            // in the order they were seen
    std::vector<std::unordered_map<std::uint64_t, Block>> blocks_;  // by device, then by address
    std::vector<std::unordered_set<std::uint64_t>>
        freed_unknown_;  // likewise; while older blocks are looked for
    HostPlace host_{0, true};
    bool looks_for_older_ = false;
    std::uint64_t next_buffer_ = 0;
    std::uint64_t parted_ = 0;
};

}  // namespace tilemeter::attach::torch
