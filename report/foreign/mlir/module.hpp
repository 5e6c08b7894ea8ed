// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Modules of MLIR's text: operations in their generic form, those of builtin, func and ttcore also in the form that tools
// print. Sources: MLIR's language reference; the printed modules of tt-mlir.
//
// A file may hold several modules, as the dumps of a compiler do, with other lines between them. Views point into the text.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/foreign/mlir/value.hpp"

namespace tilemeter::foreign::mlir {

struct Block;

/// `%3`, or `%3:2` with two results, which operands name `%3#0` and `%3#1`.
struct Results {
    std::string_view name;
    unsigned count = 1;
};

struct Operation {
    std::string_view name;    ///< "ttnn.matmul"
    std::string_view symbol;  ///< of a function or module, without `@`; of a call, whom it calls
    std::vector<Results> results;
    std::vector<std::string_view> operands;                     ///< names as they are written
    std::string_view properties;                                ///< `<{...}>`, or nothing
    std::string_view attributes;                                ///< `{...}`, or nothing
    std::vector<std::string_view> operand_types, result_types;  ///< as they are written
    std::vector<Block> regions;                                 ///< the blocks of all regions, in order
    std::string_view location;                                  ///< what stands in `loc(...)`, or nothing
    std::size_t byte = 0;                                       ///< where it begins
    bool is_private = false;                                    ///< of a function that is printed so
    bool is_understood = true;  ///< false: of a form that only its dialect knows; name and results are right
};

struct Argument {
    std::string_view name, type, attributes, location;
};

struct Block {
    std::vector<Argument> arguments;
    std::vector<Operation> operations;
};

struct Module {
    Operation operation;                                   ///< `module`, with its one block
    std::map<std::string_view, std::string_view> aliases;  ///< "#loc3", "!type": what they stand for
};

/// Every module of the text, in order. Throws SyntaxError where one begins and does not end as a module does.
std::vector<Module> modules_of(std::string_view text);

/// The line of a byte, from 1.
std::size_t line_of(std::string_view text, std::size_t byte);

}  // namespace tilemeter::foreign::mlir
