// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Names for things that travel through a recording. Each is unique for the life of the process and starts at
// 1; 0 means "none", since readers of reports take 0 for absent.

#pragma once

#include <cstdint>

namespace tilemeter::record {

enum class TextId : std::uint32_t { kNone = 0 };        ///< an interned text
enum class TensorSpecId : std::uint32_t { kNone = 0 };  ///< interned TensorInfo (tensor_info.hpp)
enum class StackId : std::uint32_t { kNone = 0 };       ///< an interned call stack (stack.hpp)
enum class PlacementId : std::uint32_t { kNone = 0 };   ///< an interned placement of pages (placement.hpp)
enum class ContextId : std::uint64_t { kNone = 0 };     ///< a place where work was handed to other threads
enum class BufferId : std::uint64_t { kNone = 0 };      ///< one allocation; also called storage
enum class TensorId : std::uint64_t { kNone = 0 };      ///< one tensor; several may view one buffer

/// The emitter of an event: this library's runtime, or a system that is observed (emitter.hpp). Each numbers its
/// tensors, buffers and devices as it likes.
enum class EmitterId : std::uint8_t { kRuntime = 0 };
inline constexpr std::uint8_t kMostEmitters = 8;

/// A device or a mesh: in the lower 13 bits the number that reports show (chips count from 0, a mesh has a
/// number of its own), above them its emitter.
enum class DeviceId : std::uint16_t {};

inline constexpr unsigned kDeviceNumberBits = 13;

constexpr DeviceId device_id(EmitterId emitter, std::uint16_t number) {
    return static_cast<DeviceId>(static_cast<unsigned>(emitter) << kDeviceNumberBits |
                                 (number & ((1U << kDeviceNumberBits) - 1)));
}
constexpr EmitterId emitter_of(DeviceId device) {
    return static_cast<EmitterId>(static_cast<unsigned>(device) >> kDeviceNumberBits);
}
constexpr std::uint16_t number_of(DeviceId device) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(device) & ((1U << kDeviceNumberBits) - 1));
}

/// The id of an observed system's buffer: its own number, from 0, apart from all other emitters' buffers.
constexpr BufferId buffer_id(EmitterId emitter, std::uint64_t number) {
    constexpr unsigned kNumberBits = 56;
    return static_cast<BufferId>(static_cast<std::uint64_t>(emitter) << kNumberBits |
                                 ((number + 1) & ((std::uint64_t{1} << kNumberBits) - 1)));
}

/// The next unused id. Thread safety: any thread, any time.
BufferId next_buffer_id();
TensorId next_tensor_id();
ContextId next_context_id();

}  // namespace tilemeter::record
