// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Kernels of functions of one element, and the definitions that these are compiled with: texts for programs that clients describe
// by themselves. Nothing here runs them.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tilemeter_ttnn/configs.hpp"

namespace ttnn::operations::unary::utils {

/// The kernel's file, in the folder of TT-NN's unary kernels. Throws std::runtime_error for LGAMMA without a dtype.
std::string_view get_compute_kernel_path(UnaryOpType op_type,
                                         std::optional<DataType> input_dtype = std::nullopt);
/// Whether it is none that serves most functions. Throws as above.
bool uses_dedicated_compute_kernel(UnaryOpType op_type, std::optional<DataType> input_dtype = std::nullopt);
/// Adds what makes the kernel include the function.
void update_macro_defines(UnaryOpType op_type, std::map<std::string, std::string>& defines);
/// Adds what tells the kernel the numbers that it reads.
void add_input_dtype_defines(DataType input_dtype, std::map<std::string, std::string>& defines);

}  // namespace ttnn::operations::unary::utils
