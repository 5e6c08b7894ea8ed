// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The buffers that processors and hooks were told of: one object from a buffer's allocation to its free, for all threads.

#pragma once

#include <memory>

#include "capture/record/records.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace tilemeter::compat {

/// The object of a buffer, with what `record` says of it now.
std::shared_ptr<tt::tt_metal::Buffer> told_buffer(const record::BufferRecord& record);
/// The buffer is free: no one is told of it again.
void forget_buffer(record::BufferId buffer);

}  // namespace tilemeter::compat
