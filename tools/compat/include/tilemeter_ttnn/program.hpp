// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A program of an operation as processors and hooks see it: the memory that it asks for.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/core_coord.hpp"

namespace tt::tt_metal {

/// One circular buffer, on each of its cores.
class CircularBuffer {
public:
    CircularBuffer(CoreRangeSet cores, std::uint64_t address, std::uint32_t size, bool globally_allocated)
        : cores_(std::move(cores)), address_(address), size_(size), globally_allocated_(globally_allocated) {}

    const CoreRangeSet& core_ranges() const { return cores_; }
    std::uint64_t address() const { return address_; }  ///< 0 where it lies in a tensor's memory
    std::uint32_t size() const { return size_; }        ///< bytes per core
    bool globally_allocated() const { return globally_allocated_; }

private:
    CoreRangeSet cores_;
    std::uint64_t address_;
    std::uint32_t size_;
    bool globally_allocated_;
};

class Program {
public:
    Program(std::uint64_t runtime_id, std::vector<std::shared_ptr<CircularBuffer>> circular_buffers)
        : runtime_id_(runtime_id), circular_buffers_(std::move(circular_buffers)) {}

    std::uint64_t get_runtime_id() const { return runtime_id_; }  ///< of the model's program
    const std::vector<std::shared_ptr<CircularBuffer>>& circular_buffers() const { return circular_buffers_; }

private:
    std::uint64_t runtime_id_;
    std::vector<std::shared_ptr<CircularBuffer>> circular_buffers_;
};

}  // namespace tt::tt_metal
