// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The Python functions of operations, put together when the module is loaded: from the list of operations and one
// conversion for each type of their arguments. There are 460 operations with 3,000 parameters of 80 types:
// nanobind's templates, which make code for each function, would take the compiler a minute and a half.
//
// Operations become ordinary functions of nanobind, described by the structure that its frontend hands to its backend
// (func_data_init: part of nanobind's stable interface since version 3), so that calls, overloads, errors, signatures
// and stubs are nanobind's.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operation_list.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/operations/argument_conversions.hpp"

namespace tilemeter::python {

namespace {

namespace detail = nb::detail;

constexpr std::size_t kMaxParameters = 64;

struct BoundParameter {
    const ListedParameter* listed;
    const ArgumentConversion* conversion;
    std::uint32_t flags;       // nanobind's cast_flags: what is said of None
    nb::object default_value;  // none (not None): a caller must give it
};

struct BoundOperation {
    const ErasedDefinition* definition;
    const ResultConversion* result;
    std::vector<BoundParameter> parameters;
};

BoundParameter bound(const ListedParameter& parameter, const ErasedArguments& defaults) {
    const ArgumentConversion& conversion = argument_conversion(*parameter.type);
    BoundParameter made{&parameter, &conversion, conversion.flags, {}};
    if (parameter.is_required) return made;
    if (conversion.takes_none_if_absent) made.flags |= detail::cast_flags::accepts_none;
    if (conversion.to_python == nullptr)
        throw std::logic_error(std::string(parameter.name) + " has no default that Python could show");
    made.default_value = conversion.to_python(defaults.get() + parameter.offset);
    return made;
}

BoundOperation bound(const ListedOperation& operation) {
    const ErasedDefinition& definition = operation.definition;
    const ErasedArguments defaults(definition);
    BoundOperation made{&definition, &result_conversion(*definition.result), {}};
    made.parameters.reserve(operation.parameters.size());
    for (const ListedParameter& parameter : operation.parameters)
        made.parameters.push_back(bound(parameter, defaults));
    return made;
}

// The function that nanobind calls with the arguments in the order of the parameters, defaults filled in.
PyObject* call(void* captured, PyObject** given, std::uint32_t flags, detail::cleanup_list* cleanup) {
    const auto& operation = **static_cast<const BoundOperation**>(captured);
    ErasedArguments arguments(*operation.definition);
    constexpr std::uint32_t kOfSelf = detail::cast_flags::construct | detail::cast_flags::trusted;
    flags &= ~kOfSelf;
    for (const BoundParameter& parameter : operation.parameters) {
        PyObject* const argument = *given++;
        if (argument == parameter.default_value.ptr()) continue;  // as made
        if (!parameter.conversion->from_python(argument, flags | parameter.flags, cleanup,
                                               arguments.get() + parameter.listed->offset))
            return NB_NEXT_OVERLOAD;
    }
    return operation.result->call(operation.definition->call, arguments, cleanup);
}

// "({%}, {int}) -> %", and the types that stand there for '%'.
class Signature {
public:
    void add(std::string_view text) { text_ += text; }
    void add(const TypeDescription& description) {
        text_ += description.text;
        const std::size_t before = types_.size();
        types_.resize(before + description.type_count + 1);
        description.put_types(types_.data() + before);
        types_.pop_back();  // the null
    }
    const char* text() const { return text_.c_str(); }
    const std::type_info** types() {
        types_.push_back(nullptr);
        return types_.data();
    }

private:
    std::string text_;
    std::vector<const std::type_info*> types_;
};

Signature signature_of(const BoundOperation& operation) {
    Signature signature;
    const char* before = "({";
    for (const BoundParameter& parameter : operation.parameters) {
        signature.add(before);
        signature.add(parameter.conversion->description);
        before = "}, {";
    }
    signature.add(operation.parameters.empty() ? "() -> " : "}) -> ");
    signature.add(operation.result->description);
    return signature;
}

// "experimental.rotary_embedding" goes into the submodule `experimental`.
void bind(nb::module_ module, const ListedOperation& operation) {
    BoundOperation made = bound(operation);
    const std::vector<BoundParameter>& parameters = made.parameters;
    if (parameters.size() > kMaxParameters)
        throw std::length_error(operation.name + " has " + std::to_string(parameters.size()) +
                                " parameters, at most " + std::to_string(kMaxParameters) + " can be bound");
    std::string name = operation.name;
    if (const std::size_t separator = name.find('.'); separator != std::string::npos) {
        module = module.def_submodule(name.substr(0, separator).c_str());
        name.erase(0, separator + 1);
    }

    detail::func_data_init<kMaxParameters> function{};
    using Flags = detail::func_flags;
    function.flags = NB_ABI_MINOR_TAG | static_cast<std::uint32_t>(Flags::has_name) |
                     static_cast<std::uint32_t>(Flags::has_scope) |
                     static_cast<std::uint32_t>(Flags::has_doc) |
                     static_cast<std::uint32_t>(Flags::has_free) |
                     (parameters.empty() ? 0U : static_cast<std::uint32_t>(Flags::has_args));
    function.name = name.c_str();
    function.scope = module.ptr();
    function.doc = operation.documentation;
    Signature signature = signature_of(made);
    function.descr = signature.text();
    function.descr_types = signature.types();
    function.nargs = static_cast<std::uint16_t>(parameters.size());
    function.nargs_pos = static_cast<std::uint16_t>(
        std::ranges::count(operation.parameters, ParameterKind::kPositional, &ListedParameter::kind));
    detail::arg_data_init* to = function.args;
    for (const BoundParameter& parameter : parameters) {
        *to++ = {.name = parameter.listed->name,
                 .signature = nullptr,
                 .value = parameter.default_value.ptr(),
                 .flag = parameter.flags & detail::cast_flags::accepts_none,
                 .unused = 0};
    }
    function.impl = &call;
    function.capture[0] = std::make_unique<BoundOperation>(std::move(made)).release();
    function.free_capture = [](void* captured) { delete *static_cast<BoundOperation**>(captured); };
    NB_CALL(nb_func_new)(NB_CTX, &function);
}

}  // namespace

void bind_operations(nb::module_& operations) {
    operations.def_submodule("transformer", "Attention.");
    operations.def_submodule("experimental", "Operations that TT-NN calls experimental.");
    operations.def_submodule("kv_cache", "Caches of keys and values.");
    for (const ListedOperation& operation : all_operations())
        bind(operations, operation);
}

}  // namespace tilemeter::python
