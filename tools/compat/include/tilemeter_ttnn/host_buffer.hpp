// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Host memory of tensors: HostBuffer, of its own or borrowed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tt::tt_metal {

/// Keeps what a borrowed buffer lies in alive.
class MemoryPin {
public:
    MemoryPin() = default;
    explicit MemoryPin(std::shared_ptr<void> resource) : resource_(std::move(resource)) {}
    /// Functions of any kind, called without an argument; one that is null is not called.
    template <typename Creation, typename Destruction>
    MemoryPin(Creation on_creation, Destruction on_destruction) {
        call(on_creation);
        resource_ =
            std::shared_ptr<void>(nullptr, [done = std::move(on_destruction)](void*) mutable { call(done); });
    }
    bool operator==(std::nullptr_t /*none*/) const { return resource_ == nullptr; }

private:
    template <typename Function>
    static void call(Function& function) {
        if constexpr (requires { function == nullptr; })
            if (function == nullptr) return;
        if constexpr (requires { function(); }) function();
    }

    std::shared_ptr<void> resource_;
};

class HostBuffer {
public:
    HostBuffer() = default;
    template <typename T>
    explicit HostBuffer(std::vector<T> values) {
        auto owner = std::make_shared<std::vector<T>>(std::move(values));
        bytes_ = std::as_writable_bytes(std::span(*owner));
        owner_ = std::move(owner);
    }
    template <typename T>
    explicit HostBuffer(std::shared_ptr<std::vector<T>> values)
        : owner_(values), bytes_(std::as_writable_bytes(std::span(*values))) {}
    template <typename T>
    HostBuffer(std::span<T> borrowed, MemoryPin pin)
        : owner_(std::make_shared<MemoryPin>(std::move(pin))), bytes_(std::as_writable_bytes(borrowed)) {}

    std::span<std::byte> view_bytes() & { return bytes_; }
    std::span<const std::byte> view_bytes() const& { return bytes_; }
    template <typename T>
    std::span<T> view_as() & {
        return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};  // NOLINT: bytes of T's
    }
    template <typename T>
    std::span<const T> view_as() const& {
        return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};  // NOLINT
    }
    bool is_allocated() const { return owner_ != nullptr; }
    void deallocate() {
        owner_.reset();
        bytes_ = {};
    }

private:
    std::shared_ptr<void> owner_;
    std::span<std::byte> bytes_;
};

}  // namespace tt::tt_metal
