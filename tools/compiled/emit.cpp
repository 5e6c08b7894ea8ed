// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/emit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/call.hpp"
#include "tools/compiled/functions.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::CompiledProgram;
using foreign::ProgramFunction;
using foreign::ProgramOperation;
using foreign::ValueId;

std::string lowercase(std::string_view text) {
    std::string low(text);
    std::ranges::transform(low, low.begin(), [](unsigned char c) { return std::tolower(c); });
    return low;
}

std::string text_of(bool value) {
    return value ? "True" : "False";
}
template <std::integral T>
std::string text_of(T value) {
    return std::to_string(value);
}
std::string text_of(double value) {
    if (std::isnan(value)) return "float(\"nan\")";
    if (std::isinf(value)) return value < 0 ? "float(\"-inf\")" : "float(\"inf\")";
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    std::string text(digits.data(), end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}
std::string text_of(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}
std::string text_of(DataType dtype) {
    return "ttnn." + lowercase(name_of(dtype));
}
std::string text_of(Layout layout) {
    return "ttnn." + std::string(name_of(layout)) + "_LAYOUT";
}
std::string text_of(TensorMemoryLayout::Value layout) {
    return "ttnn.TensorMemoryLayout." + std::string(name_of(layout));
}
std::string text_of(ShardOrientation orientation) {
    return std::string("ttnn.ShardOrientation.") +
           (orientation == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR");
}
std::string text_of(const CoreCoord& core) {
    return "ttnn.CoreCoord(" + std::to_string(core.x) + ", " + std::to_string(core.y) + ")";
}
std::string text_of(const CoreRangeSet& cores) {
    std::string text = "ttnn.CoreRangeSet({";
    for (const CoreRange& range : cores.ranges())
        text += (text.ends_with('{') ? "" : ", ") + ("ttnn.CoreRange(" + text_of(range.start)) + ", " +
                text_of(range.end) + ")";
    return text + "})";
}
std::string text_of(const MemoryConfig& config) {
    if (!config.is_sharded() && config.buffer_type == BufferType::DRAM) return "ttnn.DRAM_MEMORY_CONFIG";
    if (!config.is_sharded() && config.buffer_type == BufferType::L1) return "ttnn.L1_MEMORY_CONFIG";
    std::string text = "ttnn.MemoryConfig(" + text_of(config.memory_layout) + ", ttnn.BufferType." +
                       std::string(name_of(config.buffer_type));
    if (config.shard_spec)
        text += ", ttnn.ShardSpec(" + text_of(config.shard_spec->grid) + ", [" +
                std::to_string(config.shard_spec->shape[0]) + ", " +
                std::to_string(config.shard_spec->shape[1]) + "], " +
                text_of(config.shard_spec->orientation) + ")";
    return text + ")";
}
std::string text_of(const UnaryWithParam& function) {
    // As many numbers as say something: those behind the last that is not 0 are its defaults.
    std::size_t count = function.parameters.size();
    while (count > 0 && function.parameters[count - 1] == 0)
        --count;
    std::string text =
        "ttnn.UnaryWithParam(ttnn.UnaryOpType." + std::string(compute::name_of(function.op_type));
    for (std::size_t i = 0; i < count; ++i)
        text += ", " + text_of(static_cast<double>(function.parameters[i]));
    return text + ")";
}

std::string text_of(MathFidelity fidelity) {
    static constexpr std::array kNames = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
    return std::string("ttnn.MathFidelity.") + kNames.at(static_cast<std::size_t>(fidelity));
}

/// A constructor with the arguments that differ from those of `fallback`.
template <typename Config>
class Constructor {
public:
    Constructor(const char* name, const Config& config)
        : config_(config), text_(std::string("ttnn.") + name + "(") {}

    template <typename T>
    Constructor& with(const char* name, T Config::*member, bool always = false) {
        if (!always && config_.*member == fallback_.*member) return *this;
        if (!text_.ends_with('(')) text_ += ", ";
        text_ += std::string(name) + "=" + text_of_field(config_.*member);
        return *this;
    }
    std::string text() const { return text_ + ")"; }

private:
    template <typename T>
    static std::string text_of_field(const T& value) {
        return text_of(value);
    }
    template <typename T>
    static std::string text_of_field(const std::optional<T>& value) {
        return value ? text_of(*value) : "None";
    }

    const Config& config_;
    Config fallback_{};
    std::string text_;
};

std::string text_of(const DeviceComputeKernelConfig& config) {
    using Config = DeviceComputeKernelConfig;
    return Constructor("WormholeComputeKernelConfig", config)
        .with("math_fidelity", &Config::math_fidelity, true)
        .with("math_approx_mode", &Config::math_approx_mode, true)
        .with("fp32_dest_acc_en", &Config::fp32_dest_acc_en, true)
        .with("packer_l1_acc", &Config::packer_l1_acc, true)
        .with("dst_full_sync_en", &Config::dst_full_sync_en)
        .text();
}

template <typename Config>
Constructor<Config> with_blocks(const char* name, const Config& config) {
    return Constructor(name, config)
        .with("compute_with_storage_grid_size", &Config::compute_with_storage_grid_size, true)
        .with("in0_block_w", &Config::in0_block_w, true)
        .with("out_subblock_h", &Config::out_subblock_h, true)
        .with("out_subblock_w", &Config::out_subblock_w, true)
        .with("per_core_M", &Config::per_core_M, true)
        .with("per_core_N", &Config::per_core_N, true);
}

std::string text_of_config(const MatmulMultiCoreProgramConfig& /*config*/) {
    return "ttnn.MatmulMultiCoreProgramConfig()";
}
std::string text_of_config(const MatmulMultiCoreReuseProgramConfig& config) {
    return with_blocks("MatmulMultiCoreReuseProgramConfig", config).text();
}
std::string text_of_config(const MatmulMultiCoreReuseMultiCastProgramConfig& config) {
    using Config = MatmulMultiCoreReuseMultiCastProgramConfig;
    return with_blocks("MatmulMultiCoreReuseMultiCastProgramConfig", config)
        .with("out_block_h", &Config::out_block_h)
        .with("out_block_w", &Config::out_block_w)
        .with("transpose_mcast", &Config::transpose_mcast, true)
        .with("fused_activation", &Config::fused_activation, true)
        .with("fuse_batch", &Config::fuse_batch, true)
        .text();
}
std::string text_of_config(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) {
    using Config = MatmulMultiCoreReuseMultiCast1DProgramConfig;
    return with_blocks("MatmulMultiCoreReuseMultiCast1DProgramConfig", config)
        .with("out_block_h", &Config::out_block_h)
        .with("out_block_w", &Config::out_block_w)
        .with("fuse_batch", &Config::fuse_batch, true)
        .with("fused_activation", &Config::fused_activation, true)
        .with("mcast_in0", &Config::mcast_in0, true)
        .text();
}
std::string text_of_config(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) {
    using Config = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;
    return Constructor("MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig", config)
        .with("in0_block_w", &Config::in0_block_w, true)
        .with("per_core_M", &Config::per_core_M, true)
        .with("per_core_N", &Config::per_core_N, true)
        .with("fused_activation", &Config::fused_activation, true)
        .text();
}
std::string text_of_config(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config) {
    using Config = MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig;
    return Constructor("MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig", config)
        .with("in0_block_w", &Config::in0_block_w, true)
        .with("per_core_M", &Config::per_core_M, true)
        .with("per_core_N", &Config::per_core_N, true)
        .with("fused_activation", &Config::fused_activation, true)
        .text();
}
std::string text_of(const MatmulProgramConfig& config) {
    return std::visit([](const auto& each) { return text_of_config(each); }, config);
}

std::string text_of(const Conv2dConfig& config) {
    using Config = Conv2dConfig;
    return Constructor("Conv2dConfig", config)
        .with("weights_dtype", &Config::weights_dtype)
        .with("activation", &Config::activation)
        .with("deallocate_activation", &Config::deallocate_activation)
        .with("reallocate_halo_output", &Config::reallocate_halo_output)
        .with("config_tensors_in_dram", &Config::config_tensors_in_dram)
        .with("act_block_h_override", &Config::act_block_h_override)
        .with("act_block_w_div", &Config::act_block_w_div)
        .with("reshard_if_not_optimal", &Config::reshard_if_not_optimal)
        .with("override_sharding_config", &Config::override_sharding_config)
        .with("shard_layout", &Config::shard_layout)
        .with("core_grid", &Config::core_grid)
        .with("transpose_shards", &Config::transpose_shards)
        .with("output_layout", &Config::output_layout)
        .with("enable_act_double_buffer", &Config::enable_act_double_buffer)
        .with("enable_weights_double_buffer", &Config::enable_weights_double_buffer)
        .with("full_inner_dim", &Config::full_inner_dim)
        .with("enable_kernel_stride_folding", &Config::enable_kernel_stride_folding)
        .with("enable_activation_reuse", &Config::enable_activation_reuse)
        .with("force_split_reader", &Config::force_split_reader)
        .text();
}
std::string text_of(const Conv2dSliceConfig& config) {
    static constexpr std::array kNames = {"Conv2dDRAMSliceHeight", "Conv2dDRAMSliceWidth", "Conv2dL1Full"};
    return std::string("ttnn.Conv2dSliceConfig(slice_type=ttnn.") +
           kNames.at(static_cast<std::size_t>(config.slice_type)) +
           ", num_slices=" + std::to_string(config.num_slices) + ")";
}
std::string text_of(const SDPAProgramConfig& config) {
    using Config = SDPAProgramConfig;
    return Constructor("SDPAProgramConfig", config)
        .with("compute_with_storage_grid_size", &Config::compute_with_storage_grid_size, true)
        .with("q_chunk_size", &Config::q_chunk_size, true)
        .with("k_chunk_size", &Config::k_chunk_size, true)
        .with("exp_approx_mode", &Config::exp_approx_mode)
        .text();
}

std::string text_of(const std::pair<std::uint32_t, std::uint32_t>& pair) {
    return "(" + std::to_string(pair.first) + ", " + std::to_string(pair.second) + ")";
}
template <typename T>
requires requires(const T& value) {
    text_of(value);
}
std::string text_of(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values)
        text += (text.size() == 1 ? "" : ", ") + text_of(value);
    return text + "]";
}

template <typename T>
concept HasText = requires(const T& value) {
    text_of(value);
};

std::string text_of_argument(const compat::Argument& argument) {
    return std::visit(
        []<typename T>(const T& value) -> std::string {
            if constexpr (HasText<T>)
                return text_of(value);
            else
                throw RuntimeError("argument: expected one that Python code can say, found another");
        },
        argument);
}

/// A name of Python from the last part of a location's ("jit(f)/jit(relu)/dot_general" gives dot_general).
std::string identifier(std::string_view name, std::string_view fallback) {
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos)
        name.remove_prefix(slash + 1);
    std::string text;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
            text += c;
        else if (!text.empty() && !text.ends_with('_'))
            text += '_';
    }
    while (text.ends_with('_'))
        text.pop_back();
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) text = fallback;
    static const std::set<std::string, std::less<>> kTaken = {
        "False",    "None",     "True",  "and",    "as",     "assert", "async", "await",    "break",
        "class",    "continue", "def",   "del",    "device", "elif",   "else",  "except",   "finally",
        "for",      "free",     "from",  "global", "if",     "import", "in",    "is",       "lambda",
        "nonlocal", "not",      "or",    "pass",   "raise",  "return", "sys",   "constant", "constants",
        "try",      "ttnn",     "while", "with",   "yield"};
    return kTaken.contains(text) ? text + "_" : text;
}

class Writer {
public:
    Writer(const CompiledProgram& program, PythonProgram& into) : program_(program), into_(into) {}

    void write(const ProgramFunction& main) {
        for (const ProgramFunction* each : functions_of(program_, main))
            write_function(*each);
        write_script(main);
        std::string head = "import sys\n\nimport ttnn\n";
        if (!configs_.empty()) head += "\n";
        for (const auto& [text, name] : in_order_)
            head += name + " = " + text + "\n";
        head +=
            "\n\ndef free(tensor):\n"
            "    \"\"\"Gives up a tensor: its memory is free where nobody else has it.\"\"\"\n"
            "    ttnn.deallocate(tensor, force=False)\n";
        if (has_constants_)
            head +=
                "\n\nconstants = {}\n\n\n"
                "def constant(function, device, *inputs):\n"
                "    \"\"\"What a function gives that is called once.\"\"\"\n"
                "    if function not in constants:\n"
                "        constants[function] = function(device, *inputs)\n"
                "    return constants[function]\n";
        into_.text = head + out_.str();
    }

private:
    // Configs that are long have names, one for all that are the same.
    std::string named(const compat::Argument& argument) {
        std::string text = text_of_argument(argument);
        const bool is_memory = std::holds_alternative<MemoryConfig>(argument);
        if (text.size() <= 40 || (!is_memory && !std::holds_alternative<MatmulProgramConfig>(argument) &&
                                  !std::holds_alternative<Conv2dConfig>(argument) &&
                                  !std::holds_alternative<DeviceComputeKernelConfig>(argument)))
            return text;
        const auto [entry, is_new] = configs_.try_emplace(text);
        if (is_new) {
            const std::string kind = is_memory ? "memory_config"
                                     : std::holds_alternative<DeviceComputeKernelConfig>(argument)
                                         ? "compute_config"
                                         : "program_config";
            entry->second = kind + "_" + std::to_string(++config_counts_[kind]);
            in_order_.emplace_back(text, entry->second);
        }
        return entry->second;
    }

    std::string unique(std::string name) {
        const std::size_t count = taken_[name]++;
        if (count == 0) return name;
        return unique(name + "_" + std::to_string(count));
    }

    void write_function(const ProgramFunction& function) {
        names_.assign(function.values.size(), {});
        taken_.clear();
        retained_.clear();
        out_ << "\n\ndef " << function_name(function) << "(device";
        for (const ValueId argument : function.arguments) {
            names_[argument] = unique(identifier(function.values[argument].name, "argument"));
            retained_.insert(argument);
            out_ << ", " << names_[argument];
        }
        out_ << "):\n";
        for (const ProgramOperation& operation : function.operations)
            write_operation(function, operation);
        out_ << "    return [";
        bool is_first = true;
        for (const ValueId result : program_.tensors_among(function, function.results)) {
            out_ << (is_first ? "" : ", ") << names_[result];
            is_first = false;
        }
        out_ << "]\n";
    }

    static std::string function_name(const ProgramFunction& function) {
        return identifier(function.name, "function");
    }

    void write_operation(const ProgramFunction& function, const ProgramOperation& operation) {
        if (operation.name == "ttnn.get_device") return;
        if (operation.name == "ttnn.deallocate") {
            for (const ValueId operand : operation.operands)
                if (!retained_.contains(operand))
                    out_ << "    " << names_[operand] << " = free(" << names_[operand] << ")\n";
            return;
        }
        write_place(operation);
        const bool is_call = !operation.callee.empty();
        std::vector<std::string> results;
        for (const ValueId result : operation.results) {
            std::string_view name = program_.places[operation.place].name;
            const std::string_view dialect = operation.name.substr(operation.name.find('.') + 1);
            names_[result] = unique(identifier(name.empty() ? dialect : name, dialect));
            if (operation.name == "ttcore.load_cached") retained_.insert(result);
            results.push_back(names_[result]);
        }
        out_ << "    ";
        for (std::size_t i = 0; i < results.size(); ++i)
            out_ << (i == 0 ? "" : ", ") << results[i];
        if (results.size() == 1 && is_call) out_ << ",";
        if (!results.empty()) out_ << " = ";
        if (is_call) {
            const ProgramFunction* callee = program_.find(operation.callee);
            const std::string name =
                callee == nullptr ? std::string(operation.callee) : function_name(*callee);
            if (operation.name == "ttcore.load_cached") {
                has_constants_ = true;
                out_ << "constant(" << name << ", device";
            } else {
                out_ << name << "(device";
            }
            for (const ValueId operand : program_.tensors_among(function, operation.operands))
                out_ << ", " << names_[operand];
            out_ << ")\n";
            return;
        }
        write_call(function, operation);
    }

    void write_place(const ProgramOperation& operation) {
        const foreign::UserPlace& place = program_.places[operation.place];
        if (place.file.empty() || (place.file == last_file_ && place.line == last_line_)) return;
        out_ << "    # " << place.file << ":" << place.line << "\n";
        last_file_ = place.file;
        last_line_ = place.line;
    }

    void write_call(const ProgramFunction& function, const ProgramOperation& operation) {
        const CallRule* rule = find_rule(operation.name);
        if (rule == nullptr || !operation.is_understood) {
            into_.unknown.emplace_back(operation.name);
            out_ << "not_known(\"" << operation.name << "\")\n";
            return;
        }
        const FunctionCall call = call_of(*rule, program_, function, operation);
        std::string name(call.function);
        for (std::size_t at = 0; (at = name.find("::", at)) != std::string::npos;)
            name.replace(at, 2, ".");
        out_ << "ttnn." << name << "(";
        // Tensors that stand first go by their places, all else by name.
        bool is_first = true, by_place = !rule->is_by_name;
        for (const CallArgument& each : call.arguments) {
            const auto* one = std::get_if<TensorValue>(&each.value);
            const auto* several = std::get_if<TensorValues>(&each.value);
            out_ << (is_first ? "" : ", ");
            if (one == nullptr && several == nullptr) by_place = false;
            if (!by_place || each.parameter == "bias" || each.parameter == "weight" ||
                each.parameter == "bias_tensor") {
                by_place = false;
                out_ << each.parameter << "=";
            }
            is_first = false;
            if (one != nullptr) {
                out_ << names_[one->value];
            } else if (several != nullptr) {
                out_ << "[";
                for (std::size_t i = 0; i < several->values.size(); ++i)
                    out_ << (i == 0 ? "" : ", ") << names_[several->values[i]];
                out_ << "]";
            } else if (const auto* argument = std::get_if<compat::Argument>(&each.value)) {
                out_ << named(*argument);
            } else {
                out_ << "device";
            }
        }
        out_ << ")\n";
    }

    void write_script(const ProgramFunction& main) {
        if (!into_.unknown.empty())
            out_ << "\n\ndef not_known(operation):\n"
                 << "    raise NotImplementedError(operation)\n";
        out_ << "\n\nif __name__ == \"__main__\":\n"
             << "    device = ttnn.open_device(device_id=0, l1_small_size=65536)\n"
             << "    inputs = [\n";
        for (const ValueId argument : main.arguments) {
            const foreign::TensorType& type = program_.type_of(main, argument);
            const TensorSpec spec = spec_of(type);
            std::vector<std::int64_t> shape(type.shape);
            out_ << "        ttnn.empty(" << text_of(shape) << ", dtype=" << text_of(spec.dtype)
                 << ", layout=" << text_of(spec.layout)
                 << ", device=device, memory_config=" << text_of(memory_of(type).value_or(DRAM_MEMORY_CONFIG))
                 << "),\n";
        }
        out_ << "    ]\n"
             << "    if len(sys.argv) > 1:\n"
             << "        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)\n"
             << "    outputs = " << function_name(main) << "(device, *inputs)\n"
             << "    if len(sys.argv) > 1:\n"
             << "        ttnn.graph.end_graph_capture_to_file(sys.argv[1])\n"
             << "    ttnn.close_device(device)\n";
    }

    const CompiledProgram& program_;
    PythonProgram& into_;
    std::ostringstream out_;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t> taken_;
    std::set<ValueId> retained_;
    std::map<std::string, std::string> configs_;  // texts, with their names
    std::vector<std::pair<std::string, std::string>> in_order_;
    std::map<std::string, std::size_t> config_counts_;
    bool has_constants_ = false;
    std::string last_file_;
    std::uint32_t last_line_ = 0;
};

}  // namespace

PythonProgram python_program(const CompiledProgram& program, const std::string& function) {
    PythonProgram made;
    Writer(program, made).write(function_to_run(program, function));
    return made;
}

}  // namespace tilemeter::compiled
