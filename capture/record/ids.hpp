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

/// The id of a device or a mesh as reports show it. Chips count from 0, a mesh has an id of its own.
enum class DeviceId : std::uint16_t {};

/// The next unused id. Thread safety: any thread, any time.
BufferId next_buffer_id();
TensorId next_tensor_id();
ContextId next_context_id();

}  // namespace tilemeter::record
