// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/bound_operation.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tilemeter::python {

namespace {

namespace detail = nb::detail;

constexpr std::size_t kMaxParameters = 64;

// What nanobind calls with the arguments in the order of the parameters, defaults filled in.
PyObject* call(void* captured, PyObject** given, std::uint32_t flags, detail::cleanup_list* cleanup) {
    const auto& operation = **static_cast<const BoundOperation**>(captured);
    BoundArguments arguments(operation);
    constexpr std::uint32_t kOfSelf = detail::cast_flags::construct | detail::cast_flags::trusted;
    flags &= ~kOfSelf;
    for (const BoundParameter& parameter : operation.parameters) {
        PyObject* const argument = *given++;
        if (argument == parameter.default_value.ptr()) continue;  // as made
        const std::uint32_t none = parameter.may_be_none ? detail::cast_flags::accepts_none : 0U;
        if (!parameter.type->from_python(argument, flags | parameter.type->flags | none, cleanup,
                                         arguments.get() + parameter.offset))
            return NB_NEXT_OVERLOAD;
    }
    return operation.call(operation, arguments, cleanup);
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
        signature.add(parameter.type->description);
        before = "}, {";
    }
    signature.add(operation.parameters.empty() ? "() -> " : "}) -> ");
    signature.add(operation.result);
    return signature;
}

}  // namespace

void bind_operation(nb::module_& operations, const char* name, const char* documentation,
                    BoundOperation operation) {
    const std::string_view full_name = name;
    const std::size_t separator = full_name.find_first_of(":.");
    nb::module_ module = operations;
    if (separator != std::string_view::npos) {
        module = operations.def_submodule(std::string(full_name.substr(0, separator)).c_str());
        name += full_name.find_first_not_of(":.", separator);
    }
    const std::vector<BoundParameter>& parameters = operation.parameters;
    if (parameters.size() > kMaxParameters)
        throw std::length_error(std::string(full_name) + " has " + std::to_string(parameters.size()) +
                                " parameters, at most " + std::to_string(kMaxParameters) + " can be bound");

    detail::func_data_init<kMaxParameters> function{};
    using Flags = detail::func_flags;
    function.flags = NB_ABI_MINOR_TAG | static_cast<std::uint32_t>(Flags::has_name) |
                     static_cast<std::uint32_t>(Flags::has_scope) |
                     static_cast<std::uint32_t>(Flags::has_doc) |
                     static_cast<std::uint32_t>(Flags::has_free) |
                     (parameters.empty() ? 0U : static_cast<std::uint32_t>(Flags::has_args));
    function.name = name;
    function.scope = module.ptr();
    function.doc = documentation;
    Signature signature = signature_of(operation);
    function.descr = signature.text();
    function.descr_types = signature.types();
    function.nargs = static_cast<std::uint16_t>(parameters.size());
    function.nargs_pos = static_cast<std::uint16_t>(
        std::ranges::find_if(parameters, &BoundParameter::by_name_only) - parameters.begin());
    detail::arg_data_init* to = function.args;
    for (const BoundParameter& parameter : parameters) {
        const std::uint32_t none = parameter.may_be_none ? detail::cast_flags::accepts_none : 0U;
        *to++ = {.name = parameter.name,
                 .signature = nullptr,
                 .value = parameter.default_value.ptr(),
                 .flag = (parameter.type->flags & detail::cast_flags::accepts_none) | none,
                 .unused = 0};
    }
    function.impl = &call;
    auto held = std::make_unique<BoundOperation>(std::move(operation));
    function.capture[0] = held.release();
    function.free_capture = [](void* captured) { delete *static_cast<BoundOperation**>(captured); };
    NB_CALL(nb_func_new)(NB_CTX, &function);
}

}  // namespace tilemeter::python
