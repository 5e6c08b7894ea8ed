// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Records of calls of TT-NN tensors, and their gradients.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "runtime/operation_list.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/trace/device/gradients/gradient_record.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

const Tensor& tensor_in(nb::handle object) {
    return nb::cast<const TensorHandle&>(object).tensor();
}

void begin(trace::GradientRecord* record, nb::handle of) {
    std::vector<Tensor> tensors;
    for (const nb::handle each : of)
        tensors.push_back(tensor_in(each));
    new (record) trace::GradientRecord(tensors);
}

nb::list gradients_of(trace::GradientRecord& record, nb::handle loss) {
    std::vector<Tensor> gradients = record.backward(tensor_in(loss));
    nb::list objects;
    for (Tensor& each : gradients)
        objects.append(nb::cast(std::move(each)));
    return objects;
}

nb::list as_arguments(nb::handle tensors) {
    std::vector<Tensor> given;
    for (const nb::handle each : tensors)
        given.push_back(tensor_in(each));
    nb::list objects;
    for (Tensor& each : trace::as_arguments(given))
        objects.append(nb::cast(std::move(each)));
    return objects;
}

std::vector<Tensor> results_of(const nb::object& body) {
    std::vector<Tensor> results;
    for (const nb::handle each : body())
        results.push_back(tensor_in(each));
    return results;
}

/// The function has Python's own objects for arguments. Its results are those of the first call, which it keeps itself.
void checkpoint(const nb::object& body) {
    trace::checkpoint([body](std::span<const Tensor>) { return results_of(body); },
                      std::span<const Tensor>());
}

nb::dict rules() {
    nb::dict found;
    for (const ListedOperation& each : all_operations()) {
        const std::string name = std::string("ttnn.") + each.name;
        found[name.c_str()] = nb::make_tuple(trace::has_lowering(name), trace::has_vjp(name));
    }
    return found;
}

nb::dict outputs() {
    std::map<std::string, nb::list> found;
    for (const ListedOperation& each : all_operations())
        for (const ListedParameter& parameter : each.parameters)
            if (parameter.is_output) found["ttnn." + each.name].append(parameter.name);
    nb::dict made;
    for (const auto& [name, names] : found)
        made[name.c_str()] = names;
    return made;
}

}  // namespace

void bind_gradients(nb::module_& trace) {
    nb::class_<trace::GradientRecord>(trace, "_GradientRecord")
        .def("__init__", &begin, nb::arg("of"))
        .def("backward", &gradients_of, nb::arg("loss"))
        .def("stop", &trace::GradientRecord::stop)
        .def("__len__", &trace::GradientRecord::size)
        .def_prop_ro("kept_bytes", &trace::GradientRecord::kept_bytes)
        .def_prop_ro("without_rule", &trace::GradientRecord::without_rule);
    trace.def("_as_arguments", &as_arguments, nb::arg("tensors"), "The same memory as tensors of their own.");
    trace.def("_records_gradients", [] { return call_watcher() != nullptr; });
    trace.def("_checkpoint_on_device", &checkpoint, nb::arg("body"));
    trace.def("_rules", &rules,
              "Of each operation whether it has a lowering, and whether it has a vjp rule.");
    trace.def(
        "_outputs", &outputs,
        "Of operations that have them the parameters that results are written to and that are not read.");
}

}  // namespace tilemeter::python::tracing
