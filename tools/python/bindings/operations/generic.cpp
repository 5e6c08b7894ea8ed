// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// generic_op: programs that their users describe (tools/python/tilemeter/program_descriptor.py).

#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/tuple.h>

#include "runtime/operations/generic/generic_op.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/tensors/tensor_values.hpp"

namespace tilemeter::python {

namespace {

using KernelTuple = std::tuple<std::string, CoreRangeSet, std::optional<std::uint32_t>>;
using SemaphoreTuple = std::tuple<std::uint32_t, CoreRangeSet>;
using FormatTuple = std::tuple<std::uint32_t, std::uint64_t>;
using BufferTuple =
    std::tuple<std::uint64_t, CoreRangeSet, std::vector<FormatTuple>, std::optional<Tensor>, std::uint64_t>;
using Described = std::tuple<std::vector<KernelTuple>, std::vector<SemaphoreTuple>, std::vector<BufferTuple>,
                             std::string, nb::object, std::size_t>;

// The function that a user registered, as one of C++: called with NumPy arrays, whatever thread computes.
std::shared_ptr<const KernelValues> values_by(nb::object function) {
    if (function.is_none()) return nullptr;
    const auto free = [](const KernelValues* values) {
        const nb::gil_scoped_acquire lock;
        delete values;
    };
    const auto compute = [function = std::move(function)](std::span<const HostArray* const> tensors,
                                                          std::span<const TensorSpec> results) {
        const nb::gil_scoped_acquire lock;
        nb::list arrays;
        for (const HostArray* each : tensors) {
            const TensorSpec spec{each->shape(), each->dtype(), Layout::ROW_MAJOR, {}};
            arrays.append(numpy_of(Tensor::on_host(spec, *each), 0));
        }
        const nb::object given = function(arrays);
        std::vector<HostArray> values;
        for (std::size_t i = 0; i < results.size(); ++i) {
            values.push_back(host_array_of(nb::cast<AnyArray>(given[i]), results[i].dtype, results[i].shape));
        }
        return values;
    };
    return {new KernelValues(compute), free};
}

ProgramDescription description_of(const nb::object& descriptor, const std::vector<Tensor>& tensors) {
    auto [kernels, semaphores, buffers, text, values, num_results] =
        nb::cast<Described>(descriptor.attr("_described")(tensors.size()));
    ProgramDescription program;
    for (auto& [source, cores, noc] : kernels)
        program.kernels.push_back({std::move(source), std::move(cores), noc});
    for (auto& [id, cores] : semaphores)
        program.semaphores.push_back({id, std::move(cores)});
    for (auto& [size, cores, formats, tensor, offset] : buffers) {
        program.circular_buffers.push_back({size, std::move(cores), {}, std::move(tensor), offset});
        for (const auto& [index, page] : formats)
            program.circular_buffers.back().formats.push_back({index, page});
    }
    program.text = std::move(text);
    program.values = values_by(std::move(values));
    program.num_results = num_results;
    return program;
}

Tensor run_described(const std::vector<Tensor>& tensors, const nb::object& descriptor) {
    const ProgramDescription program = description_of(descriptor, tensors);
    const Unlocked unlocked;
    return generic_op(tensors, program);
}

}  // namespace

void bind_generic(nb::module_& operations) {
    constexpr const char* kDocumentation =
        "Runs a program that a ProgramDescriptor, or a MeshProgramDescriptor, describes on io_tensors: inputs, "
        "then what it writes. Gives the last. Its memory is planned and recorded; its kernels don't run, and "
        "what they would write is refused when it is read, unless register_generic_op_values() has a function "
        "for it.";
    operations.def("generic_op", run_described, nb::call_guard<PythonCall>(), "io_tensors"_a,
                   "mesh_program_descriptor"_a, kDocumentation);
    operations.def("generic_op", run_described, nb::call_guard<PythonCall>(), "io_tensors"_a,
                   "program_descriptor"_a, kDocumentation);
}

}  // namespace tilemeter::python
