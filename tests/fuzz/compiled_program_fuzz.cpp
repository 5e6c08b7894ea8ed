// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Files of compiled programs, as they come: texts by the first byte 0, flatbuffers and containers else. What is read can be asked
// for all that planning asks; an error is one line.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "report/foreign/binary_program.hpp"
#include "report/foreign/mlir_program.hpp"

namespace {

using namespace tilemeter::foreign;

void require(bool condition) {
    if (!condition) std::abort();
}

void look_at(const CompiledProgram& program) {
    for (const ProgramFunction& function : program.functions) {
        require(program.find(function.name) != nullptr);
        require(function.argument_kinds.size() == function.arguments.size());
        for (const FunctionValue& value : function.values)
            require(value.type < program.types.size());
        for (const ProgramOperation& operation : function.operations) {
            require(operation.place < program.places.size());
            (void)program.tensors_among(function, operation.operands);
            (void)program.tensors_among(function, operation.results);
            try {
                (void)operation.read_attributes();
            } catch (const mlir::SyntaxError&) {
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto program = data[0] == 0 ? read_mlir_program("fuzz", std::make_shared<const std::string>(bytes))
                                      : read_binary_program("fuzz", bytes);
    if (program)
        look_at(program.value());
    else
        require(!program.error().message().empty() &&
                program.error().message().find('\n') == std::string::npos);
    return 0;
}
