// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/unary.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/function_table.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/internal/unary_program.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

// The dtypes that a device computes it on, of those that have a meaning for it (TT-NN 0.81.1, recorded from it).
bool takes(UnaryOpType function, DataType dtype) {
    switch (function) {
        case UnaryOpType::LGAMMA:
            return is_floating_point(dtype) && !is_block_float(dtype);
        case UnaryOpType::BITWISE_AND:
        case UnaryOpType::BITWISE_OR:
        case UnaryOpType::BITWISE_XOR:
        case UnaryOpType::LEFT_SHIFT:
        case UnaryOpType::RIGHT_SHIFT:
            return !is_floating_point(dtype) && dtype != DataType::UINT8;
        case UnaryOpType::BITWISE_NOT:
            return dtype != DataType::UINT16 && dtype != DataType::UINT8;
        default:
            break;
    }
    if (is_floating_point(dtype)) return true;
    switch (function) {
        case UnaryOpType::ABS:
        case UnaryOpType::IDENTITY:
        case UnaryOpType::RELU:
        case UnaryOpType::RELU6:
        case UnaryOpType::RELU_MAX:
        case UnaryOpType::RELU_MIN:
            return true;
        case UnaryOpType::LEAKY_RELU:
            return dtype != DataType::INT32;
        case UnaryOpType::CLAMP_TSS:
        case UnaryOpType::GEZ:
        case UnaryOpType::GTZ:
        case UnaryOpType::LEZ:
        case UnaryOpType::LTZ:
        case UnaryOpType::NEG:
        case UnaryOpType::SIGNBIT:
            return dtype == DataType::INT32;
        case UnaryOpType::SIGN:
            return false;
        default:
            return compute::takes_integers(function) && dtype != DataType::UINT8;
    }
}

struct UnaryDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "UnaryDeviceOperation";

    std::vector<UnaryWithParam> functions;
    DataType dtype;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;
    Tile result_tile =
        kWholeTile;  ///< that of a given result; one that is made has whole tiles, whatever the input's

    bool takes_small_tiles(SpecsView inputs) const {
        return !inputs[0].memory_config.is_sharded() && !memory_config.is_sharded();
    }

    auto attributes() const {
        return std::make_tuple(function_text(), dtype, memory_config, keeps_32_bits(), keeps_32_bits(), false,
                               sub_core_grids);
    }
    auto key_attributes() const { return std::tie(functions, dtype, memory_config, sub_core_grids); }
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(functions);
        key.append(sub_core_grids);
        append_unary_program_key(key, call, memory_config);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require(!functions.empty(), "Unary: expected at least one function, got none");
        const DataType input = inputs[0].dtype;
        for (const UnaryWithParam& each : functions) {
            require(takes(each.op_type, input), [&] {
                return "Unary: UnaryOpType::" + std::string(compute::name_of(each.op_type)) +
                       " does not support " + (is_floating_point(input) ? "" : "integer ") +
                       "input dtype DataType::" + std::string(name_of(input));
            });
        }
        require(is_floating_point(input) == is_floating_point(dtype), [&] {
            return "Preallocated output dtype DataType::" + std::string(name_of(dtype)) +
                   " is not compatible with input dtype DataType::" + std::string(name_of(input)) +
                   ". Integer and float dtypes cannot be mixed; mixed floating-point output is limited to "
                   "BFLOAT16, FLOAT32, and BFLOAT8_B.";
        });
        require(functions[0].op_type != UnaryOpType::ALT_COMPLEX_ROTATE90 || inputs[0].shape[-1] % 2 == 0,
                "ALT_COMPLEX_ROTATE90: expected pairs along the last dimension, got ", inputs[0].shape);
        require(functions[0].op_type != UnaryOpType::SOFTCAP || device.arch == "BLACKHOLE", [&] {
            std::string arch = device.arch;
            std::transform(arch.begin(), arch.end(), arch.begin(),
                           [](unsigned char c) { return std::tolower(c); });
            return "Unary: SOFTCAP is implemented for Blackhole only, got arch " + arch;
        });
        require_cores_of_shards(inputs[0]);
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec spec{inputs[0].shape, dtype, inputs[0].layout, memory_config};
        spec.tile = result_tile;
        // Rows that fill their shards are as long out of them.
        const Shape padded = inputs[0].padded_shape();
        if (spec.layout == Layout::ROW_MAJOR && !memory_config.is_sharded() && padded != spec.shape)
            spec.alignment = {0, padded[-1]};
        return {spec};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        ProgramPlan plan = plan_unary(inputs[0], outputs[0], device, sub_core_grids);
        // This function alone needs a place for its intermediate results.
        if (functions[0].op_type == UnaryOpType::LOGIT) {
            plan.memory.push_back(dataflow_buffer(2 * tile_size(inputs[0].dtype), plan.memory[0].cores));
        }
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const HostArray& input = *inputs[0];
        const TensorSpec& out = outputs[0];
        if (!is_floating_point(input.dtype())) {
            std::vector<std::int64_t> values = input.to_integers();
            for (const UnaryWithParam& each : functions)
                values = compute::unary(each.op_type, each.parameters, values);
            return {HostArray::from_integers(values, out.dtype, out.shape)};
        }
        if (input.dtype() == DataType::BFLOAT16 && out.dtype == DataType::BFLOAT16) {
            compute::FunctionChain chain;
            for (const UnaryWithParam& each : functions)
                chain.emplace_back(each.op_type, each.parameters);
            if (const auto table = compute::table_for(chain, input.size()))
                return {looked_up(*table, input, out.shape)};
        }
        std::uint64_t steps = 1;
        for (const UnaryWithParam& each : functions)
            steps += compute::steps_of(each.op_type);
        const compute::BroadcastOperand operand(input, out.shape);
        return {compute::by_blocks(out.dtype, out.shape, 1, steps,
                                   [&](std::uint64_t first, std::span<float> block) {
                                       const float* x = operand.read(first, block);
                                       for (const UnaryWithParam& each : functions) {
                                           compute::unary_each(each.op_type, each.parameters, x, block);
                                           x = block.data();
                                       }
                                   })};
    }

private:
    static HostArray looked_up(const compute::FunctionTable& table, const HostArray& input,
                               const Shape& shape) {
        HostArray result = HostArray::unwritten(DataType::BFLOAT16, shape);
        const auto* const from = reinterpret_cast<const std::uint16_t*>(input.bytes().data());
        auto* const to = reinterpret_cast<std::uint16_t*>(result.bytes().data());
        compute::parallel_blocks(input.size(), 1, compute::kStepsOfLookUp,
                                 [&](std::uint64_t first, std::size_t count) {
                                     compute::look_up(table, {from + first, count}, to + first);
                                 });
        return result;
    }

    // Shards are read where they lie.
    void require_cores_of_shards(const TensorSpec& input) const {
        if (!sub_core_grids || !input.memory_config.shard_spec || input.memory_config != memory_config)
            return;
        for (const CoreCoord core : cores_of(input.memory_config.shard_spec->grid)) {
            require(sub_core_grids->contains(core), "Kernel 'reader' is setting runtime_arg_values for node ",
                    core.x, "-", core.y, ", but the kernel does not run on that node.");
        }
    }

    std::string function_text() const {
        std::string text;
        for (const UnaryWithParam& each : functions) {
            text += (text.empty() ? "{UnaryOpType::" : ", UnaryOpType::");
            text += compute::name_of(each.op_type);
            for (const double parameter : each.parameters) {
                if (parameter != 0.0) text += ", " + attribute_text(parameter);
            }
        }
        return text + "}";
    }

    bool keeps_32_bits() const {
        return dtype == DataType::FLOAT32 || dtype == DataType::INT32 || dtype == DataType::UINT32;
    }
};

// A function of the definition's tensor.
template <typename Definition>
Tensor run(const Definition& call, const UnaryWithParam& function) {
    return unscoped::unary(function, call.input_tensor, call.memory_config, call.output_tensor,
                           call.sub_core_grids);
}

UnaryWithParam function_of(GeluVariant variant) {
    switch (variant) {
        case GeluVariant::Accurate:
            return {UnaryOpType::GELU, {}};
        case GeluVariant::FastLut:
            return {UnaryOpType::GELU_TANH, {1.0F}};  // the parameter tells the programs apart
        case GeluVariant::Tanh:
            break;
    }
    return {UnaryOpType::GELU_TANH, {}};
}

UnaryWithParam function_of(bool fast_and_approximate_mode) {
    return function_of(fast_and_approximate_mode ? GeluVariant::FastLut : GeluVariant::Accurate);
}

}  // namespace

UnaryWithParam gelu_function(GeluVariant variant) {
    return function_of(variant);
}

namespace unscoped {

Tensor unary_chain(const std::vector<UnaryWithParam>& functions, const Tensor& input_tensor,
                   const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
                   const OptionalCores& sub_core_grids) {
    // A given output decides, whatever is asked for.
    const auto place = [&] {
        MemoryConfig config = output_tensor   ? output_tensor->memory_config()
                              : memory_config ? *memory_config
                                              : input_tensor.memory_config();
        // Shards of rows, columns and blocks are no longer what they were made with.
        if (config.shard_spec && !output_tensor) config.nd_shard_spec.reset();
        if (!config.is_sharded() || config.shard_spec || input_tensor.storage_type() != StorageType::DEVICE)
            return config;
        return with_open_shards(config, input_tensor.spec(), input_tensor.shape(),
                                input_tensor.device().description().compute_grid);
    };
    const UnaryDeviceOperation operation{
        functions, output_tensor ? output_tensor->dtype() : input_tensor.dtype(), place(), sub_core_grids,
        output_tensor ? output_tensor->spec().tile : kWholeTile};
    return launch(operation, {input_tensor}, output_tensor);
}

Tensor unary(const UnaryWithParam& function, const Tensor& input_tensor,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
             const OptionalCores& sub_core_grids) {
    return unary_chain({function}, input_tensor, memory_config, output_tensor, sub_core_grids);
}

}  // namespace unscoped

std::string attribute_text(const UnaryWithParam& function) {
    std::string parameters;
    for (const double parameter : function.parameters) {
        if (parameter != 0.0) parameters += (parameters.empty() ? "" : ", ") + attribute_text(parameter);
    }
    return "BasicUnaryWithParam<float, int, unsigned "
           "int>(base=BasicUnaryWithParam<float>(op_type=UnaryOpType::" +
           std::string(compute::name_of(function.op_type)) + ",param={" + parameters + "}))";
}

namespace {

// "HARDTANH(-1,1)", the type and its parameters.
std::optional<UnaryWithParam> function_in_brackets(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')') return std::nullopt;
    UnaryWithParam function;
    int kind = 0;
    while (kind < static_cast<int>(compute::kNumUnaryKinds) &&
           compute::name_of(static_cast<UnaryOpType>(kind)) != text.substr(0, open))
        ++kind;
    if (kind == static_cast<int>(compute::kNumUnaryKinds)) return std::nullopt;
    function.op_type = static_cast<UnaryOpType>(kind);
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    for (double& parameter : function.parameters) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parameter);
        if (error != std::errc() || end == rest.data() + rest.size()) break;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
    }
    return function;
}

}  // namespace

UnaryWithParam string_to_unary_with_param(std::string_view name) {
    if (const auto function = function_in_brackets(name)) return *function;
    if (name == "relu") return {UnaryOpType::RELU, {}};
    if (name == "relu6") return {UnaryOpType::RELU6, {}};
    if (name == "gelu") return function_of(GeluVariant::Accurate);
    if (name == "gelu_approx") return function_of(GeluVariant::FastLut);
    if (name == "gelu_tanh") return function_of(GeluVariant::Tanh);
    if (name == "silu") return {UnaryOpType::SILU, {}};
    if (name == "sigmoid" || name == "sigmoid_approx") return {UnaryOpType::SIGMOID, {}};
    if (name == "sqrt") return {UnaryOpType::SQRT, {}};
    if (name == "exp") return {UnaryOpType::EXP, {}};
    if (name == "recip") return {UnaryOpType::RECIP, {}};
    if (name == "log") return {UnaryOpType::LOG, {}};
    if (name == "tanh") return {UnaryOpType::TANH, {}};
    if (name == "log2") return {UnaryOpType::LOG2, {}};
    if (name == "log10") return {UnaryOpType::LOG10, {}};
    if (name == "sin") return {UnaryOpType::SIN, {}};
    if (name == "cos") return {UnaryOpType::COS, {}};
    if (name == "abs") return {UnaryOpType::ABS, {}};
    if (name == "sign") return {UnaryOpType::SIGN, {}};
    if (name == "square") return {UnaryOpType::SQUARE, {}};
    if (name == "softplus") return {UnaryOpType::SOFTPLUS, {1.0F, 20.0F}};
    if (name == "mish") return {UnaryOpType::MISH, {}};
    if (name == "hardswish") return {UnaryOpType::HARDSWISH, {}};
    if (name == "hardsigmoid") return {UnaryOpType::HARDSIGMOID, {}};
    refuse_with("activation: expected the name of an activation such as \"relu\", got \"", name, "\"");
}

Tensor PlainUnary::body() const {
    return run(*this, {row->function, {}});
}

Tensor ApproximableUnary::body() const {
    return run(*this, {row->function, {fast_and_approximate_mode ? 1.0F : 0.0F}});
}

template <bool kHasDefault>
Tensor UnaryOfNumber<kHasDefault>::body() const {
    return run(*this, {row->function, {number}});
}
template struct UnaryOfNumber<false>;
template struct UnaryOfNumber<true>;

template <bool kHasDefaults>
Tensor UnaryOfNumbers<kHasDefaults>::body() const {
    return run(*this, {row->function, {first, second}});
}
template struct UnaryOfNumbers<false>;
template struct UnaryOfNumbers<true>;

template <typename Mode>
Tensor Gelu<Mode>::body() const {
    return run(*this, function_of(mode));
}
template struct Gelu<bool>;
template struct Gelu<GeluVariant>;

Tensor Round::body() const {
    return run(*this, {UnaryOpType::ROUND, {static_cast<float>(decimals)}});
}

Tensor ReverseDivide::call() const {
    double mode = 0.0;
    if (rounding_mode) {
        require(*rounding_mode == "floor" || *rounding_mode == "trunc",
                [&] { return "rdiv: rounding_mode: expected floor, trunc or none, got " + *rounding_mode; });
        mode = *rounding_mode == "floor" ? 1.0 : 2.0;
    }
    return in_operation(*this, [&] { return run(*this, {UnaryOpType::RDIV, {value, mode}}); });
}

Tensor Logit::body() const {
    constexpr float kNone = -1.0F;
    return run(*this, {UnaryOpType::LOGIT, {eps.value_or(kNone)}});
}

Tensor Polygamma::call() const {
    require(k >= 1 && k <= 10, "polygamma: k: expected 1 to 10, got ", k);
    return in_operation(*this, [&] {
        return unscoped::unary({UnaryOpType::POLYGAMMA, {static_cast<double>(k)}}, input_tensor,
                               memory_config);
    });
}

Tensor Prelu::body() const {
    return unscoped::unary({UnaryOpType::PRELU_SFPU, {weight}}, input_tensor_a, memory_config);
}

Tensor UnaryChain::body() const {
    return unscoped::unary_chain(ops_chain, input_tensor, memory_config, output_tensor, sub_core_grids);
}

Tensor LogicalNotInPlace::body() const {
    return unscoped::unary({UnaryOpType::LOGICAL_NOT_UNARY, {}}, input_tensor, memory_config, input_tensor);
}

}  // namespace tilemeter
