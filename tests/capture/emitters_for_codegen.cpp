// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The input of codegen_test.py: emitters as a caller has them, optimised.

#include "capture/record/emit.hpp"

extern "C" {

void codegen_function_begin(tilemeter::record::TextId name) {
    tilemeter::record::emit_function_begin(name, 2);
}

void codegen_function_end() {
    tilemeter::record::emit_function_end();
}

void codegen_buffer_allocate(const tilemeter::record::BufferRecord* buffer) {
    tilemeter::record::emit_buffer_allocate(*buffer, tilemeter::record::Origin::kObserved);
}

void codegen_input_tensor(const tilemeter::record::TensorRecord* tensor) {
    tilemeter::record::emit_input_tensor(*tensor);
}
}
