// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/work/later_ttnn.hpp"

#include <utility>

namespace tilemeter {
namespace {

constinit thread_local NotesOnLaterTtnn* notes_of_thread = nullptr;

}  // namespace

NotesOnLaterTtnn::NotesOnLaterTtnn() : outer_(std::exchange(notes_of_thread, this)) {}

NotesOnLaterTtnn::~NotesOnLaterTtnn() {
    notes_of_thread = outer_;
}

NotesOnLaterTtnn* NotesOnLaterTtnn::of_this_thread() {
    return notes_of_thread;
}

}  // namespace tilemeter
