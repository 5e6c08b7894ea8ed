// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Replays what the allocators of the reference did on a device of the runtime and compares the answers.
//
// Rows (facts of allocation rules, section 6), in the order of their file:
//
//   device   opens the device as it was opened there: its figures and the sizes of its memories
//   page     one tensor on an empty device: its buffer and the blocks and holes of the bank
//   seq      a step of a sequence: a tensor is made or freed; a new sequence begins on an empty device
//   table    the blocks and holes after the step before
//   fit      one request on a bank with holes of given sizes: which hole it takes
//   oom      one request about as large as an empty bank: its buffer or the error
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/device/buffer.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter::allocator_check {

class Replay {
public:
    Replay() = default;
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// The difference between the answer to `row` and the recorded one; empty if they are equal.
    /// Throws std::exception with what is wrong in the row.
    std::string row(const nlohmann::json& row);

private:
    using Json = nlohmann::json;

    Json answer(const Json& row);
    Json open(const Json& row);
    Json page(const Json& row);
    Json step(const Json& row);
    Json table(const Json& row);
    Json fit(const Json& row);
    Json request_of_a_bank(const Json& row);

    Device& device() const;
    std::shared_ptr<Buffer> allocate(const TensorSpec& spec);
    std::shared_ptr<Buffer> allocate_pages(const std::string& memory, std::uint64_t pages_per_bank);
    Json facts_of(const Buffer& buffer, const TensorSpec& spec) const;
    Json blocks_of(record::MemoryType memory) const;
    void close();

    std::shared_ptr<Device> device_;
    std::map<std::int64_t, std::shared_ptr<Buffer>> live_;  // of the sequence, by the id in its rows
    std::int64_t sequence_ = -1;
};

}  // namespace tilemeter::allocator_check
