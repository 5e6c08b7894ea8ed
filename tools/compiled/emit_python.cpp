// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "tools/compiled/argument_text.hpp"
#include "tools/compiled/code_writer.hpp"
#include "tools/compiled/emit.hpp"
#include "tools/compiled/functions.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::ProgramFunction;
using foreign::ValueId;

const std::set<std::string_view> kWordsOfPython = {
    "False",  "None",     "True",      "and",         "as",       "assert", "async",     "await",  "break",
    "class",  "constant", "constants", "continue",    "def",      "del",    "device",    "elif",   "else",
    "except", "finally",  "for",       "free",        "from",     "global", "if",        "import", "in",
    "inputs", "is",       "lambda",    "make_inputs", "nonlocal", "not",    "not_known", "or",     "pass",
    "raise",  "return",   "sys",       "try",         "ttnn",     "while",  "with",      "yield"};

class PythonWriter : public CodeWriter {
public:
    explicit PythonWriter(const foreign::CompiledProgram& program) : CodeWriter(program, kWordsOfPython) {}

    std::string write(const ProgramFunction& main) {
        write_functions(main);
        write_script(main);
        std::string head = "import sys\n\nimport ttnn\n";
        if (!configs().empty()) head += "\n";
        for (const auto& [text, name] : configs())
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
        if (!unknown().empty())
            head +=
                "\n\ndef not_known(operation):\n"
                "    raise NotImplementedError(operation)\n";
        return head + out_.str();
    }

private:
    void begin_function(const std::string& name, const Names& arguments) override {
        out_ << "\n\ndef " << name << "(device";
        for (const std::string& argument : arguments)
            out_ << ", " << argument;
        out_ << "):\n";
    }
    void end_function(const Names& results) override { out_ << "    return [" << joined(results) << "]\n"; }
    void write_comment(const std::string& text) override { out_ << "    # " << text << "\n"; }
    void write_free(const std::string& name) override {
        out_ << "    " << name << " = free(" << name << ")\n";
    }
    void write_unknown(const Names& results, std::string_view operation) override {
        write_results(results, false);
        out_ << "not_known(\"" << operation << "\")\n";
    }
    void write_function_call(const Names& results, const std::string& function, bool is_cached,
                             const Names& arguments) override {
        write_results(results, true);
        has_constants_ = has_constants_ || is_cached;
        out_ << (is_cached ? "constant(" + function + ", device" : function + "(device");
        for (const std::string& argument : arguments)
            out_ << ", " << argument;
        out_ << ")\n";
    }
    void write_call(const Names& results, const CallRule& rule, const FunctionCall& call) override {
        write_results(results, false);
        std::string name(call.function);
        for (std::size_t at = 0; (at = name.find("::", at)) != std::string::npos;)
            name.replace(at, 2, ".");
        out_ << "ttnn." << name << "(";
        // Tensors that stand first go by their places, all else by name.
        bool is_first = true, by_place = !rule.is_by_name;
        for (const CallArgument& each : call.arguments) {
            const bool is_tensor = std::holds_alternative<TensorValue>(each.value) ||
                                   std::holds_alternative<TensorValues>(each.value);
            out_ << (is_first ? "" : ", ");
            by_place = by_place && is_tensor && each.parameter != "bias" && each.parameter != "weight" &&
                       each.parameter != "bias_tensor";
            if (!by_place) out_ << each.parameter << "=";
            is_first = false;
            write_value(each.value);
        }
        out_ << ")\n";
    }

    void write_value(const CallValue& value) {
        if (const auto* one = std::get_if<TensorValue>(&value)) {
            out_ << name_of(one->value);
        } else if (const auto* several = std::get_if<TensorValues>(&value)) {
            Names names;
            for (const ValueId each : several->values)
                names.push_back(name_of(each));
            out_ << "[" << joined(names) << "]";
        } else if (const auto* argument = std::get_if<compat::Argument>(&value)) {
            out_ << named_config(*argument, python_text(*argument));
        } else {
            out_ << "device";
        }
    }

    static std::string joined(const Names& names) {
        std::string text;
        for (const std::string& name : names)
            text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    void write_results(const Names& results, bool is_list) {
        out_ << "    " << joined(results) << (is_list && results.size() == 1 ? "," : "")
             << (results.empty() ? "" : " = ");
    }

    void write_script(const ProgramFunction& main) {
        out_ << "\n\ndef make_inputs(device):\n"
             << "    \"\"\"Tensors of the shapes and layouts that " << function_name(main)
             << "() takes.\"\"\"\n"
             << "    return [\n";
        for (const ValueId argument : main.arguments) {
            const foreign::TensorType& type = program_.type_of(main, argument);
            const TensorSpec spec = spec_of(type);
            const auto memory = memory_of(type);
            out_ << "        ttnn." << (memory ? "empty(" : "zeros(") << python_text(type.shape)
                 << ", dtype=" << python_text(spec.dtype) << ", layout=" << python_text(spec.layout);
            if (memory)
                out_ << ", device=device, memory_config=" << named_config(*memory, python_text(*memory));
            out_ << "),\n";
        }
        out_ << "    ]\n"
             << "\n\nif __name__ == \"__main__\":\n"
             << "    device = ttnn.open_device(device_id=0, l1_small_size=65536)\n"
             << "    inputs = make_inputs(device)\n"
             << "    if len(sys.argv) > 1:\n"
             << "        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)\n"
             << "    try:\n"
             << "        outputs = " << function_name(main) << "(device, *inputs)\n"
             << "    finally:\n"
             << "        if len(sys.argv) > 1:\n"
             << "            ttnn.graph.end_graph_capture_to_file(sys.argv[1])\n"
             << "    ttnn.close_device(device)\n";
    }

    bool has_constants_ = false;
};

}  // namespace

EmittedProgram python_program(const foreign::CompiledProgram& program, const std::string& function) {
    PythonWriter writer(program);
    std::string text = writer.write(function_to_run(program, function));
    return {std::move(text), writer.unknown()};
}

}  // namespace tilemeter::compiled
