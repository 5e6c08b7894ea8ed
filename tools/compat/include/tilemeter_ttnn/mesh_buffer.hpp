// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a tensor on all chips of a mesh, at one address.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "tilemeter_ttnn/tensor.hpp"

namespace tt::tt_metal::distributed {

class MeshBuffer {
public:
    explicit MeshBuffer(std::shared_ptr<Buffer> buffer) : buffer_(std::move(buffer)) {}

    std::uint64_t address() const { return buffer_->address(); }
    std::uint64_t size() const { return buffer_->size(); }  ///< bytes, on each chip
    std::uint64_t page_size() const { return buffer_->page_size(); }
    std::uint32_t num_pages() const { return buffer_->num_pages(); }
    MeshDevice* device() const { return buffer_->device(); }
    Buffer* get_reference_buffer() const { return buffer_.get(); }
    Buffer* get_backing_buffer() const { return buffer_.get(); }
    bool is_allocated() const { return buffer_ != nullptr; }

private:
    std::shared_ptr<Buffer> buffer_;
};

}  // namespace tt::tt_metal::distributed
