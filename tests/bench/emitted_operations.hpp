// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Events of a typical operation, emitted without a runtime: a Python-level scope, the device operation with
// its arguments, two inputs, an output buffer, three circular buffers, a program execution, and the release
// of the output: 21 nodes.

#pragma once

#include "capture/events/ids.hpp"

namespace tilemeter::bench {

/// The operation's texts and tensor types, interned; its device, announced.
class Operation {
public:
    static constexpr int kNodes = 21;

    Operation();
    void emit() const;

private:
    record::TextId outer_name_;
    record::TextId device_operation_;
    record::TextId create_;
    record::TextId deallocate_;
    record::TextId attributes_;
    record::TextId factory_;
    record::TextId cores_;
    record::TextId worker_cores_;
    record::TensorSpecId spec_;
    record::BufferId first_input_;
    record::BufferId second_input_;
};

}  // namespace tilemeter::bench
