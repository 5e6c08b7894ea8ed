// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Views of memory that was freed with another tensor: who freed it, and whether they may be used.
//
// Freeing a tensor frees the memory of all its views. In TT-NN a view goes on counting as allocated and operations read
// what lies there. Here it is refused, with the tensor and the line that freed it, unless set_freed_views_stay() was
// told to do as TT-NN does. Its values are then those of the moment of the free.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>

#include "capture/record/records.hpp"

namespace tilemeter {

bool freed_views_stay();
void set_freed_views_stay(bool stay);

/// The place where the calling thread frees, in its caller's words ("model.py:12"), while the object lives.
class FreeingAt {
public:
    explicit FreeingAt(std::string place);
    ~FreeingAt();
    FreeingAt(const FreeingAt&) = delete;
    FreeingAt& operator=(const FreeingAt&) = delete;

private:
    const std::string place_;
};

/// Remembers that `tensor`, in words, has freed memory that others share. Of the last few thousand buffers.
void note_shared_free(record::BufferId buffer, const std::string& tensor);

/// "freed with tensor Shape([1, 32]) at model.py:12", or "" for other buffers.
std::string shared_free_text(record::BufferId buffer);

}  // namespace tilemeter
