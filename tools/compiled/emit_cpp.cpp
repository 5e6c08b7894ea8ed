// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/argument_text.hpp"
#include "tools/compiled/code_writer.hpp"
#include "tools/compiled/emit.hpp"
#include "tools/compiled/forms.hpp"
#include "tools/compiled/functions.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::ProgramFunction;
using foreign::ValueId;

const std::set<std::string_view> kWordsOfCpp = {
    "alignas",   "alignof",  "and",       "and_eq",    "asm",       "auto",      "bitand",   "bitor",
    "bool",      "break",    "case",      "catch",     "char",      "class",     "compl",    "concept",
    "const",     "constant", "constants", "consteval", "constexpr", "constinit", "continue", "co_await",
    "co_return", "co_yield", "decltype",  "default",   "delete",    "device",    "do",       "double",
    "else",      "enum",     "explicit",  "export",    "extern",    "false",     "float",    "for",
    "free",      "friend",   "give_up",   "goto",      "if",        "inline",    "int",      "long",
    "main",      "mutable",  "namespace", "new",       "noexcept",  "not",       "not_eq",   "not_known",
    "nullptr",   "operator", "or",        "or_eq",     "private",   "protected", "public",   "register",
    "requires",  "return",   "short",     "signed",    "sizeof",    "static",    "std",      "struct",
    "switch",    "template", "this",      "throw",     "true",      "try",       "tt",       "ttnn",
    "ttsl",      "typedef",  "typeid",    "typename",  "union",     "unsigned",  "using",    "virtual",
    "void",      "volatile", "while",     "xor",       "xor_eq"};

constexpr std::string_view kTensor = "::ttnn::Tensor";

// An argument of a call where it stands: nothing said of those that are not given.
std::string_view without_colons(std::string_view text) {
    return text.starts_with("::") ? text.substr(2) : text;
}

class CppWriter : public CodeWriter {
public:
    explicit CppWriter(const foreign::CompiledProgram& program) : CodeWriter(program, kWordsOfCpp) {}

    std::string write(const ProgramFunction& main) {
        for (const std::string_view each :
             {"ttnn/device.hpp", "ttnn/graph/graph_processor.hpp", "ttnn/operations/core/core.hpp",
              "ttnn/operations/creation/creation.hpp", "ttnn/tensor/tensor.hpp", "ttnn/types.hpp"})
            headers_.insert(each);
        write_functions(main);
        write_main(main);
        std::string head;
        for (const char* each : {"cstdint", "exception", "iostream", "limits", "memory", "optional", "set",
                                 "stdexcept", "string", "tuple", "utility", "variant", "vector"})
            head += std::string("#include <") + each + ">\n";
        if (has_constants_) head.insert(head.find("#include <memory>"), "#include <map>\n");
        head += "\n";
        for (const std::string_view header : headers_)
            head += "#include \"" + std::string(header) + "\"\n";
        if (!configs().empty()) head += "\n";
        for (const auto& [text, name] : configs())
            head += "static const auto " + name + " = " + text + ";\n";
        head +=
            "\n// Gives up a tensor: its memory is free where nobody else has it.\n"
            "static void give_up(ttnn::Tensor& tensor) {\n"
            "    ttnn::deallocate(tensor, false);\n"
            "    tensor = ttnn::Tensor();\n"
            "}\n";
        if (has_constants_)
            head +=
                "\n// What functions gave that are called once.\n"
                "static std::map<std::string, std::vector<ttnn::Tensor>> constants;\n";
        if (!unknown().empty())
            head +=
                "\nstatic std::vector<ttnn::Tensor> not_known(const std::string& operation) {\n"
                "    throw std::runtime_error(operation + \": no call of TT-NN is known for it\");\n"
                "}\n";
        return head + out_.str();
    }

private:
    void begin_function(const std::string& name, const Names& arguments) override {
        out_ << "\nstatic std::vector<ttnn::Tensor> " << name << "([[maybe_unused]] ttnn::MeshDevice* device";
        for (const std::string& argument : arguments)
            out_ << ", [[maybe_unused]] const ttnn::Tensor& " << argument;
        out_ << ") {\n";
    }
    void end_function(const Names& results) override {
        out_ << "    return {";
        bool is_first = true;
        for (const std::string& result : results) {
            out_ << (is_first ? "" : ", ") << result;
            is_first = false;
        }
        out_ << "};\n}\n";
    }
    void write_comment(const std::string& text) override { out_ << "    // " << text << "\n"; }
    void write_free(const std::string& name) override { out_ << "    give_up(" << name << ");\n"; }

    // The tensors of a list that is kept nowhere else: who gives one up is its only owner.
    enum class List { kVector, kOptionals, kTuple };
    void write_list(const Names& results, const std::string& list, List kind = List::kVector) {
        const std::string made = unique("made");
        out_ << "    auto " << made << " = " << list << ";\n";
        for (std::size_t i = 0; i < results.size(); ++i) {
            out_ << "    ttnn::Tensor " << results[i] << " = std::move(";
            if (kind == List::kTuple)
                out_ << "std::get<" << i << ">(" << made << ")";
            else
                out_ << (kind == List::kOptionals ? "*" : "") << made << "[" << i << "]";
            out_ << ");\n";
        }
    }

    void write_unknown(const Names& results, std::string_view operation) override {
        write_list(results, "not_known(\"" + std::string(operation) + "\")");
    }
    void write_function_call(const Names& results, const std::string& function, bool is_cached,
                             const Names& arguments) override {
        std::string call = function + "(device";
        for (const std::string& argument : arguments)
            call += ", " + argument;
        call += ")";
        if (!is_cached) return write_list(results, call);
        has_constants_ = true;
        out_ << "    if (!constants.contains(\"" << function << "\")) constants[\"" << function
             << "\"] = " << call << ";\n";
        for (std::size_t i = 0; i < results.size(); ++i)
            out_ << "    ttnn::Tensor " << results[i] << " = constants[\"" << function << "\"][" << i
                 << "];\n";
    }

    void write_call(const Names& results, const CallRule& /*rule*/, const FunctionCall& call) override {
        const Form* chosen = nullptr;
        std::vector<std::string> arguments;
        std::size_t least = 0;
        for (const Form& form : forms_of(call.function)) {
            const std::size_t cost = cost_of(form, call);
            if (chosen != nullptr && cost >= least) continue;
            if (auto said = arguments_of(form, call)) {
                chosen = &form;
                arguments = std::move(*said);
                least = cost;
            }
        }
        if (chosen == nullptr)
            throw RuntimeError(std::string(call.function) +
                               ": expected arguments that one of its C++ functions takes, found " +
                               names_in(call));
        headers_.insert(chosen->header);
        std::string text = std::string(chosen->name) + "(";
        for (const std::string& argument : arguments)
            text += (text.ends_with('(') ? "" : ", ") + argument;
        text += ")";
        const std::string_view result = chosen->result;
        if (result == "void" || results.empty()) {
            out_ << "    " << text << ";\n";
        } else if (result == kTensor) {
            out_ << "    ttnn::Tensor " << results.front() << " = " << text << ";\n";
        } else if (result.ends_with("Result") || result.ends_with("ResultWithOptions") ||
                   result.starts_with("std::variant")) {
            out_ << "    ttnn::Tensor " << results.front() << " = std::get<ttnn::Tensor>(" << text << ");\n";
        } else if (result.starts_with("std::tuple") || result.starts_with("std::array")) {
            write_list(results, text, List::kTuple);
        } else if (result == "std::vector<std::optional<::ttnn::Tensor>>") {
            write_list(results, text, List::kOptionals);
        } else {
            write_list(results, text);
        }
    }

    static std::string names_in(const FunctionCall& call) {
        std::string names;
        for (const CallArgument& each : call.arguments)
            names += (names.empty() ? "" : ", ") + std::string(each.parameter);
        return names.empty() ? "none" : names;
    }

    // A vector is a span, but also what other lists are made of: where functions differ in that alone, theirs are named.
    static std::size_t cost_of(const Form& form, const FunctionCall& call) {
        std::size_t cost = 0;
        for (const FormParameter& parameter : form.parameters) {
            if (std::ranges::find(call.arguments, parameter.name, &CallArgument::parameter) ==
                call.arguments.end())
                continue;
            if (parameter.type.find("std::span<const std::") != std::string_view::npos) cost += 1;
            if (bare_type(parameter.type).ends_with("::Shape")) cost += 2;
        }
        return cost;
    }

    // In the order of the form, up to the last that is given; none where one fits no parameter of it.
    std::optional<std::vector<std::string>> arguments_of(const Form& form, const FunctionCall& call) {
        std::vector<std::string> said;
        std::size_t given = 0, used = 0;
        for (const FormParameter& parameter : form.parameters) {
            const auto argument = std::ranges::find(call.arguments, parameter.name, &CallArgument::parameter);
            if (argument == call.arguments.end()) {
                const bool can_be_none = parameter.type.find("std::optional<") != std::string_view::npos;
                if (parameter.is_required && !can_be_none) return std::nullopt;
                said.emplace_back(parameter.is_required ? "std::nullopt"
                                                        : without_colons(parameter.fallback));
                if (parameter.is_required) used = said.size();
                continue;
            }
            auto text = text_of_value(argument->value, parameter.type);
            if (!text) return std::nullopt;
            said.push_back(std::move(*text));
            ++given;
            used = said.size();
        }
        if (given != call.arguments.size()) return std::nullopt;
        said.resize(used);
        return said;
    }

    std::optional<std::string> text_of_value(const CallValue& value, std::string_view type) {
        if (const auto* argument = std::get_if<compat::Argument>(&value)) {
            auto text = cpp_text(*argument, type);
            if (text) *text = named_config(*argument, *text);
            return text;
        }
        const std::string_view bare = bare_type(type);
        if (const auto* one = std::get_if<TensorValue>(&value)) {
            const auto types = alternatives_of(bare);
            if (std::ranges::find(types, kTensor) == types.end()) return std::nullopt;
            return name_of(one->value);
        }
        if (const auto* several = std::get_if<TensorValues>(&value)) {
            if (bare != "std::vector<::ttnn::Tensor>") return std::nullopt;
            std::string text = "std::vector<ttnn::Tensor>{";
            for (const ValueId each : several->values)
                text += (text.ends_with('{') ? "" : ", ") + name_of(each);
            return text + "}";
        }
        if (bare.find("MeshDevice") == std::string_view::npos) return std::nullopt;
        return bare.ends_with('*') ? "device" : "*device";
    }

    void write_main(const ProgramFunction& main) {
        const std::string name = function_name(main);
        out_
            << "\nint main(int count, char** arguments) {\n"
            << "    using ttnn::graph::GraphProcessor;\n"
            << "    std::shared_ptr<ttnn::MeshDevice> opened = ttnn::MeshDevice::create_unit_mesh(0, 65536);\n"
            << "    ttnn::MeshDevice* device = opened.get();\n"
            << "    int status = 0;\n"
            << "    {\n"
            << "        std::vector<ttnn::Tensor> inputs;\n";
        std::string call = name + "(device";
        for (std::size_t i = 0; i < main.arguments.size(); ++i) {
            const foreign::TensorType& type = program_.type_of(main, main.arguments[i]);
            const TensorSpec spec = spec_of(type);
            const auto memory = memory_of(type);
            out_ << "        inputs.push_back(ttnn::" << (memory ? "empty(" : "zeros(")
                 << cpp_text(type.shape, "ttnn::Shape").value() << ", "
                 << cpp_text(spec.dtype, "DataType").value() << ", "
                 << cpp_text(spec.layout, "Layout").value();
            if (memory)
                out_ << ", device, " << named_config(*memory, cpp_text(*memory, "MemoryConfig").value());
            out_ << "));\n";
            call += ", inputs[" + std::to_string(i) + "]";
        }
        out_
            << "        if (count > 1) GraphProcessor::begin_graph_capture(GraphProcessor::RunMode::NORMAL);\n"
            << "        try {\n"
            << "            const std::vector<ttnn::Tensor> outputs = " << call << ");\n"
            << "            if (count > 1) GraphProcessor::end_graph_capture_to_file(arguments[1]);\n"
            << "        } catch (const std::exception& error) {\n"
            << "            if (count > 1) GraphProcessor::end_graph_capture_to_file(arguments[1]);\n"
            << "            std::cerr << error.what() << '\\n';\n"
            << "            status = 1;\n"
            << "        }\n"
            << "    }\n";
        if (has_constants_) out_ << "    constants.clear();\n";
        out_ << "    ttnn::close_device(*opened);\n"
             << "    return status;\n"
             << "}\n";
    }

    std::set<std::string_view> headers_;
    bool has_constants_ = false;
};

}  // namespace

EmittedProgram cpp_program(const foreign::CompiledProgram& program, const std::string& function) {
    CppWriter writer(program);
    std::string text = writer.write(function_to_run(program, function));
    return {std::move(text), writer.unknown()};
}

}  // namespace tilemeter::compiled
