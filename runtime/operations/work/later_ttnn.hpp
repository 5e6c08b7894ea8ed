// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What TT-NN after 0.81.1, as in JAX's plugin 0.1.3, does without: tables of reshapes that are read by windows, and the
// transposed tensors by which 0.81.1 joins rows that are not aligned. The model plans 0.81.1; these notes say which of its
// buffers the later one does not make.
//
// Thread safety: notes are one thread's.

#pragma once

#include <set>
#include <vector>

#include "capture/events/ids.hpp"

namespace tilemeter {

/// While it lives, what this thread plans is noted.
class NotesOnLaterTtnn {
public:
    NotesOnLaterTtnn();
    ~NotesOnLaterTtnn();
    NotesOnLaterTtnn(const NotesOnLaterTtnn&) = delete;
    NotesOnLaterTtnn& operator=(const NotesOnLaterTtnn&) = delete;

    /// Null: nobody takes notes.
    static NotesOnLaterTtnn* of_this_thread();

    void add_reshape_table(bool is_needless) { reshape_tables_.push_back(is_needless); }
    void add_needless(record::BufferId buffer) { needless_.insert(buffer); }

    /// Of each table that a reshape was planned with, in order, whether the later TT-NN does without it.
    const std::vector<bool>& reshape_tables() const { return reshape_tables_; }
    const std::set<record::BufferId>& needless_buffers() const { return needless_; }

private:
    NotesOnLaterTtnn* outer_;
    std::vector<bool> reshape_tables_;
    std::set<record::BufferId> needless_;
};

}  // namespace tilemeter
