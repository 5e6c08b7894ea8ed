// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/unary_kernels.hpp"

#include "tools/compat/src/fatal.hpp"

namespace ttnn::operations::unary::utils {

namespace {

using tilemeter::compat::refuse_as_fatal;

constexpr std::string_view kOfMost = "eltwise_sfpu_metal2.cpp";

// The group of functions that a kernel includes together.
std::string_view group_of(UnaryOpType op_type) {
    switch (op_type) {
        case UnaryOpType::SOFTSHRINK:
        case UnaryOpType::HARDSHRINK:
        case UnaryOpType::HARDSIGMOID:
        case UnaryOpType::SOFTSIGN:
        case UnaryOpType::CELU:
            return "ACTIVATIONS";
        case UnaryOpType::ADD_UNARY_SFPU:
        case UnaryOpType::SUB_UNARY_SFPU:
        case UnaryOpType::MUL_UNARY_SFPU:
        case UnaryOpType::DIV_UNARY_SFPU:
            return "BINOP_WITH_SCALAR";
        case UnaryOpType::BITWISE_XOR:
        case UnaryOpType::BITWISE_AND:
        case UnaryOpType::BITWISE_OR:
            return "BITWISE";
        case UnaryOpType::BITWISE_NOT:
            return "BITWISE_NOT";
        case UnaryOpType::CBRT:
            return "CBRT";
        case UnaryOpType::CLAMP_TSS:
            return "CLAMP";
        case UnaryOpType::DIGAMMA:
            return "DIGAMMA";
        case UnaryOpType::ELU:
            return "ELU";
        case UnaryOpType::ERFINV:
            return "ERFINV";
        case UnaryOpType::ERF:
        case UnaryOpType::ERFC:
            return "ERF_ERFC";
        case UnaryOpType::EXP:
            return "EXP";
        case UnaryOpType::FILL:
            return "FILL";
        case UnaryOpType::FMOD:
            return "FMOD";
        case UnaryOpType::GELU:
        case UnaryOpType::GELU_TANH:
            return "GELU";
        case UnaryOpType::HARDMISH:
            return "HARDMISH";
        case UnaryOpType::HARDTANH:
            return "HARDTANH";
        case UnaryOpType::I0:
            return "I0";
        case UnaryOpType::I1:
            return "I1";
        case UnaryOpType::ISINF:
        case UnaryOpType::ISPOSINF:
        case UnaryOpType::ISNEGINF:
        case UnaryOpType::ISNAN:
        case UnaryOpType::ISFINITE:
            return "ISINF_ISNAN";
        case UnaryOpType::LGAMMA:
            return "LGAMMA";
        case UnaryOpType::LOG1P:
            return "LOG1P";
        case UnaryOpType::LOGICAL_NOT_UNARY:
            return "LOGICAL_NOT";
        case UnaryOpType::LOGSIGMOID:
            return "LOGSIGMOID";
        case UnaryOpType::MAC_TSS:
            return "MAC";
        case UnaryOpType::MISH:
            return "MISH";
        case UnaryOpType::NEG:
            return "NEG";
        case UnaryOpType::POLYGAMMA:
            return "POLYGAMMA";
        case UnaryOpType::PRELU_SFPU:
            return "PRELU";
        case UnaryOpType::RECIP:
            return "RECIP";
        case UnaryOpType::RELU:
        case UnaryOpType::RELU_MAX:
        case UnaryOpType::RELU_MIN:
        case UnaryOpType::LEAKY_RELU:
        case UnaryOpType::RELU6:
            return "RELU_FAMILY";
        case UnaryOpType::REMAINDER:
            return "REMAINDER";
        case UnaryOpType::FLOOR:
        case UnaryOpType::CEIL:
        case UnaryOpType::TRUNC:
        case UnaryOpType::FRAC:
        case UnaryOpType::ROUND:
            return "ROUND_FAMILY";
        case UnaryOpType::RPOW:
            return "RPOW";
        case UnaryOpType::RSQRT:
            return "RSQRT";
        case UnaryOpType::RSUB:
            return "RSUB";
        case UnaryOpType::SELU:
            return "SELU";
        case UnaryOpType::RIGHT_SHIFT:
        case UnaryOpType::LEFT_SHIFT:
            return "SHIFT";
        case UnaryOpType::SOFTCAP:
            return "SOFTCAP";
        case UnaryOpType::SOFTPLUS:
            return "SOFTPLUS";
        case UnaryOpType::SQRT:
            return "SQRT";
        case UnaryOpType::TANHSHRINK:
            return "TANHSHRINK";
        case UnaryOpType::THRESHOLD:
            return "THRESHOLD";
        case UnaryOpType::SIN:
        case UnaryOpType::COS:
        case UnaryOpType::COSH:
        case UnaryOpType::SINH:
        case UnaryOpType::ASIN:
        case UnaryOpType::ACOS:
        case UnaryOpType::ACOSH:
        case UnaryOpType::ATAN:
        case UnaryOpType::ASINH:
        case UnaryOpType::ATANH:
        case UnaryOpType::TAN:
            return "TRIG_FAMILY";
        case UnaryOpType::TYPECAST:
            return "TYPECAST";
        case UnaryOpType::EQZ:
        case UnaryOpType::NEZ:
        case UnaryOpType::GTZ:
        case UnaryOpType::LTZ:
        case UnaryOpType::GEZ:
        case UnaryOpType::LEZ:
        case UnaryOpType::UNARY_NE:
        case UnaryOpType::UNARY_EQ:
        case UnaryOpType::UNARY_GT:
        case UnaryOpType::UNARY_LT:
        case UnaryOpType::UNARY_GE:
        case UnaryOpType::UNARY_LE:
            return "UNARY_COMP";
        case UnaryOpType::WHERE_TSS:
            return "WHERE";
        case UnaryOpType::XIELU:
            return "XIELU";
        default:
            return "COMPUTE_KERNEL_API";
    }
}

}  // namespace

std::string_view get_compute_kernel_path(UnaryOpType op_type, std::optional<DataType> input_dtype) {
    switch (op_type) {
        case UnaryOpType::IDENTITY:
            return "eltwise_identity_kernel.cpp";
        case UnaryOpType::HARDSWISH:
            return "hardswish_kernel.cpp";
        case UnaryOpType::WHERE_TSS:
            return "where_tss_kernel.cpp";
        case UnaryOpType::MAC_TSS:
            return "mac_tss_kernel.cpp";
        case UnaryOpType::LOGSIGMOID:
            return "logsigmoid_kernel.cpp";
        case UnaryOpType::LOGIT:
            return "logit_kernel.cpp";
        case UnaryOpType::LGAMMA:
            if (!input_dtype)
                refuse_as_fatal("get_compute_kernel_path",
                                "get_compute_kernel_path: LGAMMA: expected an input dtype, found none");
            return *input_dtype == DataType::BFLOAT16 ? "lgamma_fast_kernel.cpp" : "lgamma_kernel.cpp";
        default:
            return kOfMost;
    }
}

bool uses_dedicated_compute_kernel(UnaryOpType op_type, std::optional<DataType> input_dtype) {
    return get_compute_kernel_path(op_type, input_dtype) != kOfMost;
}

void update_macro_defines(UnaryOpType op_type, std::map<std::string, std::string>& defines) {
    defines["SFPU_OP_" + std::string(group_of(op_type)) + "_INCLUDE"] = "1";
}

void add_input_dtype_defines(DataType input_dtype, std::map<std::string, std::string>& defines) {
    switch (input_dtype) {
        case DataType::INT32:
            defines["INP_INT32"] = "1";
            break;
        case DataType::UINT32:
            defines["INP_UINT32"] = "1";
            break;
        case DataType::FLOAT32:
            defines["INP_FLOAT32"] = "1";
            break;
        default:
            defines["INP_FLOAT"] = "1";
    }
}

}  // namespace ttnn::operations::unary::utils
