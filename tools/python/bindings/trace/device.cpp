// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of TT-NN tensors: traced, planned, replayed.

#include "runtime/device/device.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/graph_processor.hpp"
#include "capture/record/text.hpp"
#include "report/analysis/answers/memory_plan.hpp"
#include "report/render/memory_page.hpp"
#include "report/report_writer.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/unlimited_memory.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/device/gradients/gradient.hpp"
#include "runtime/trace/device/recompute/recompute.hpp"
#include "runtime/trace/device/record/traced_program.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "runtime/trace/device/replay/metal_trace_hazards.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"
#include "tools/python/bindings/trace/memory_json.hpp"

namespace tilemeter::python::tracing {

namespace {

/// Calls of tensors may run without the interpreter's lock.
bool place_of_call(ir::Location& to) {
    const nb::gil_scoped_acquire locked;
    const trace::LocationSource source = trace::location_source();
    return source != nullptr && source(to);
}

const Tensor& tensor_of(nb::handle object) {
    return nb::cast<const TensorHandle&>(object).tensor();
}

std::vector<Tensor> tensors_of(nb::handle objects) {
    std::vector<Tensor> tensors;
    for (const nb::handle each : objects)
        tensors.push_back(tensor_of(each));
    return tensors;
}

/// A function of tensors on one device: its graph, and, once it is asked to run, what runs it.
class DeviceProgram {
public:
    explicit DeviceProgram(std::shared_ptr<const trace::TracedProgram> traced) : traced_(std::move(traced)) {}

    [[nodiscard]] const trace::TracedProgram& traced() const { return *traced_; }
    [[nodiscard]] const std::shared_ptr<const trace::TracedProgram>& shared() const { return traced_; }

    /// Its tables are put on the device when it is first asked for. While calls are only planned that would be on a shadow of
    /// the device, which ends: such an executable is not kept.
    std::shared_ptr<const trace::Executable> executable() {
        if (executable_ != nullptr) return executable_;
        auto made = std::make_shared<const trace::Executable>(traced_);
        if (!is_planned_only()) executable_ = made;
        return made;
    }

private:
    const std::shared_ptr<const trace::TracedProgram> traced_;
    std::shared_ptr<const trace::Executable> executable_;  // the interpreter lock is held
};

DeviceProgram traced_on_device(const std::string& name, nb::handle body, nb::handle inputs,
                               std::vector<std::string> names, bool has_unlimited_memory) {
    std::optional<ScopedUnlimitedMemory> unlimited;
    if (has_unlimited_memory) unlimited.emplace();
    const std::vector<Tensor> tensors = tensors_of(inputs);
    // The function is called with Python's own objects, which are these tensors.
    const trace::TensorFunction function = [&](std::span<const Tensor>) { return tensors_of(body()); };
    return DeviceProgram(trace::trace_on_device(
        function, tensors,
        {.name = name, .input_names = std::move(names), .location_source = &place_of_call}));
}

/// A result that is an argument is the caller's object.
nb::list objects_of(std::vector<Tensor> results, const std::vector<Tensor>& tensors, nb::handle inputs) {
    nb::list objects;
    for (Tensor& result : results) {
        nb::object object;
        for (std::size_t i = 0; i < tensors.size() && !object.is_valid(); ++i)
            if (tensors[i].id() == result.id()) object = inputs[i];
        objects.append(object.is_valid() ? std::move(object) : nb::cast(std::move(result)));
    }
    return objects;
}

nb::list replayed(DeviceProgram& program, nb::handle inputs) {
    const std::vector<Tensor> tensors = tensors_of(inputs);
    const std::shared_ptr<const trace::Executable> executable = program.executable();
    std::vector<Tensor> results;
    {
        const python::Unlocked unlocked;
        results = executable->replay(tensors);
    }
    return objects_of(std::move(results), tensors, inputs);
}

trace::OnHazard on_hazard_of(const std::string& text) {
    if (text == "refuse") return trace::OnHazard::kRefuse;
    if (text == "move") return trace::OnHazard::kMove;
    if (text == "allow") return trace::OnHazard::kAllow;
    throw TracingError(TracingErrorKind::kBadArgument,
                       "on_hazard: expected 'refuse', 'move' or 'allow', found '" + text + "'");
}

/// Results and the addresses that hold from now on.
nb::tuple replayed_at(DeviceProgram& program, trace::ReplayAddresses addresses, nb::handle inputs,
                      const std::string& on_hazard) {
    const std::vector<Tensor> tensors = tensors_of(inputs);
    const trace::OnHazard what = on_hazard_of(on_hazard);
    const std::shared_ptr<const trace::Executable> executable = program.executable();
    std::vector<Tensor> results;
    {
        const python::Unlocked unlocked;
        results = executable->replay_at(addresses, tensors, what);
    }
    return nb::make_tuple(objects_of(std::move(results), tensors, inputs), addresses);
}

std::string_view text_of(trace::Overwriter by) {
    switch (by) {
        case trace::Overwriter::kBuffer:
            return "buffer";
        case trace::Overwriter::kProgramMemory:
            return "program memory";
        case trace::Overwriter::kReader:
            return "reader";
        case trace::Overwriter::kItself:
            break;
    }
    return "itself";
}

nb::list hazard_list(const std::vector<trace::Hazard>& hazards) {
    nb::list found;
    for (const trace::Hazard& each : hazards) {
        nb::list parts;
        for (const trace::BankRange& part : each.parts)
            parts.append(nb::make_tuple(part.bank, part.begin, part.end));
        nb::dict one;
        one["buffer"] = static_cast<std::uint64_t>(each.buffer);
        one["memory"] = each.is_in_l1() ? "L1" : "DRAM";
        one["address"] = each.address;
        one["size_per_bank"] = each.size_per_bank_bytes;
        one["operation"] = std::string(record::text_of(each.operation));
        one["by"] = text_of(each.by);
        one["by_address"] = each.by_address;
        one["by_size"] = each.by_size_bytes;
        one["by_operation"] = std::string(record::text_of(each.by_operation));
        one["parts"] = parts;
        one["text"] = each.to_string();
        found.append(one);
    }
    return found;
}

nb::list hazards_at(DeviceProgram& program, const trace::ReplayAddresses& addresses, nb::handle inputs) {
    return hazard_list(program.executable()->hazards(addresses, tensors_of(inputs)));
}

/// A call of the graph on its own; its operands are parameters.
ir::Graph alone(const ir::Graph& calls, const ir::Equation& equation) {
    ir::Graph one(equation.operation(), calls.operation_set());
    std::vector<ir::ValueId> operands;
    for (const ir::ValueId each : equation.operands()) {
        const ir::Constant* const constant = each == ir::kUndefined ? nullptr : calls.constant(each);
        operands.push_back(each == ir::kUndefined ? each
                           : constant != nullptr
                               ? one.add_const(*constant)
                               : one.add_input("x" + std::to_string(operands.size()), calls.type(each)));
    }
    std::vector<ir::TensorType> types;
    for (std::size_t i = 0; i < equation.results().size(); ++i)
        types.push_back(calls.type(equation.results()[i]));
    const ir::ValueRange made =
        one.append(equation.operation(), operands, types, equation.attributes(), {}, equation.location());
    std::vector<ir::ValueId> results;
    for (std::size_t i = 0; i < made.size(); ++i)
        results.push_back(made[i]);
    one.set_results(results);
    return one;
}

/// For each call of the graph why it can't be lowered; empty where it can.
std::vector<std::string> why_not_lowered(const ir::Graph& calls) {
    std::vector<std::string> reasons;
    for (const ir::Equation equation : calls.equations()) {
        std::string& reason = reasons.emplace_back();
        try {
            trace::lower_ttnn(alone(calls, equation));
        } catch (const ir::Error& error) {
            reason = error.what();
        }
    }
    return reasons;
}

void append(std::string& text, std::uint64_t number) {
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// The properties that tensors have to share for one program to run them, as bytes: specs, chips of a mesh, device, which of them share a
/// buffer.
nb::bytes signature_of(nb::handle inputs) {
    const std::vector<Tensor> tensors = tensors_of(inputs);
    std::string text;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = tensors[i];
        if (!tensor.is_allocated()) {
            require_not_escaped(tensor.buffer(), "argument " + std::to_string(i));
            throw TracingError(
                TracingErrorKind::kBadArgument,
                "argument " + std::to_string(i) + ": found a tensor whose memory was deallocated");
        }
        std::size_t first = 0;
        while (tensors[first].shared_buffer() != tensor.shared_buffer())
            ++first;
        append(text, static_cast<std::uint64_t>(tensor.record_spec_id()) << 32 | first);
        append(text, reinterpret_cast<std::uintptr_t>(&tensor.device()));
        const auto& spread = tensor.distribution();
        if (!tensor.chip() && !spread) continue;
        append(text, tensor.chip() ? *tensor.chip() + 1 : 0);
        if (!spread) continue;
        for (const std::uint32_t parts : spread->parts)
            append(text, parts);
        for (const std::optional<int>& dimension : spread->dimensions)
            append(text, dimension ? static_cast<std::uint64_t>(*dimension) : ~std::uint64_t{0});
    }
    return nb::bytes(text.data(), text.size());
}

/// The plan of a replay, and its addresses.
std::pair<graph::CapturedGraph, trace::ReplayAddresses> planned(DeviceProgram& program, nb::handle inputs) {
    trace::ReplayAddresses addresses;
    graph::CapturedGraph captured(program.executable()->plan(tensors_of(inputs), &addresses));
    return {std::move(captured), std::move(addresses)};
}

/// The memory that a function takes when it computes again.
class DeviceCurve {
public:
    DeviceCurve(std::shared_ptr<const trace::TracedProgram> traced, const std::vector<Tensor>& inputs,
                std::size_t plans)
        : curve_(std::move(traced), inputs, &analysis::peaks_of_replay, {.plans = plans}) {}

    [[nodiscard]] const trace::RecomputeCurve& curve() const { return curve_; }
    [[nodiscard]] std::size_t cheapest(std::optional<std::uint64_t> l1,
                                       std::optional<std::uint64_t> dram) const {
        return static_cast<std::size_t>(&curve_.cheapest({l1, dram}) - curve_.points().data());
    }
    [[nodiscard]] DeviceProgram program(std::size_t point) const {
        return DeviceProgram(curve_.program(curve_.points().at(point)));
    }

private:
    const trace::RecomputeCurve curve_;
};

std::shared_ptr<DeviceCurve> curve_of(const DeviceProgram& program, nb::handle inputs, std::size_t plans) {
    const std::vector<Tensor> tensors = tensors_of(inputs);
    const python::Unlocked unlocked;
    return std::make_shared<DeviceCurve>(program.shared(), tensors, plans);
}

/// The places of tensors when something was planned, without keeping them.
struct PlacesOfInputs {
    trace::BufferPlaces places;
};

void write_report(const graph::CapturedGraph& plan, const std::filesystem::path& path) {
    if (const report::Status written = report::write_report(plan, path); !written)
        throw graph::CaptureError("cannot write a report: " + written.error().message());
}

}  // namespace

void bind_device_programs(nb::module_& trace) {
    nb::class_<DeviceProgram>(trace, "DeviceProgram", "A function of TT-NN tensors that was traced.")
        .def_prop_ro("graph", [](const DeviceProgram& self) { return graph_object(self.traced().graph()); })
        .def_prop_ro("equation_count",
                     [](const DeviceProgram& self) { return self.traced().graph().equation_count(); })
        .def_prop_ro("program_count", [](const DeviceProgram& self) { return self.traced().program_count(); })
        .def_prop_ro("device", [](const DeviceProgram& self) { return self.traced().device(); })
        .def(
            "regenerated",
            [](const DeviceProgram& self, const std::vector<std::uint32_t>& equations) {
                nb::list all;
                for (const trace::Regenerated& each : trace::regenerated(self.traced(), equations)) {
                    all.append(each.is_possible
                                   ? nb::object(nb::make_tuple(each.calls, each.bytes, each.cost))
                                   : nb::none());
                }
                return all;
            },
            nb::arg("equations"),
            "Calls, bytes and cost of making again what these make; None: they can't run again.")
        .def("recompute_curve", &curve_of, nb::arg("inputs"), nb::arg("plans"))
        .def(
            "recomputed",
            [](const DeviceProgram& self, const std::vector<std::uint32_t>& equations) {
                return DeviceProgram(trace::recomputed(self.traced(), equations));
            },
            nb::arg("equations"), "The function, in which what these make is dropped and made again.")
        .def("lowered",
             [](const DeviceProgram& self) { return graph_object(trace::lower_ttnn(self.traced().graph())); })
        .def(
            "lowered_gradient",
            [](const DeviceProgram& self, const trace::Positions& wrt) {
                return graph_object(trace::gradient_of_calls(self.traced().graph(), wrt));
            },
            nb::arg("wrt"),
            "The loss, then a gradient for each of wrt, in flat operations: evaluated on the host.")
        .def("why_not_lowered",
             [](const DeviceProgram& self) { return why_not_lowered(self.traced().graph()); })
        .def("replay", &replayed, nb::arg("inputs"))
        .def("plan", &planned, nb::arg("inputs"))
        .def(
            "memory",
            [](DeviceProgram& self, const PlacesOfInputs& inputs, const graph::CapturedGraph& plan) {
                return json_text(
                    analysis::plan_memory(plan, trace::planned_replay(*self.executable(), inputs.places)));
            },
            nb::arg("inputs"), nb::arg("plan"), "Its memory as JSON: analysis::MemoryPlan.")
        .def(
            "plan_addresses",
            [](DeviceProgram& self, nb::handle inputs) {
                return self.executable()->plan_addresses(tensors_of(inputs));
            },
            nb::arg("inputs"))
        .def("hazards", &hazards_at, nb::arg("addresses"), nb::arg("inputs"))
        .def("replay_at", &replayed_at, nb::arg("addresses"), nb::arg("inputs"), nb::arg("on_hazard"));
    nb::class_<DeviceCurve>(trace, "RecomputeCurve",
                            "Schedules of a traced function that compute again, by cost.")
        .def_prop_ro("json", [](const DeviceCurve& self) { return json_text(self.curve()); })
        .def("cheapest", &DeviceCurve::cheapest, nb::arg("l1").none(), nb::arg("dram").none())
        .def(
            "cost_at_least",
            [](const DeviceCurve& self, std::optional<std::uint64_t> l1, std::optional<std::uint64_t> dram) {
                return self.curve().cost_at_least({l1, dram});
            },
            nb::arg("l1").none(), nb::arg("dram").none())
        .def("program", &DeviceCurve::program, nb::arg("point"));
    nb::class_<PlacesOfInputs>(trace, "PlacesOfInputs")
        .def("__init__", [](PlacesOfInputs* self, nb::handle inputs) {
            new (self) PlacesOfInputs{trace::places_of(tensors_of(inputs))};
        });
    trace.def("_trace_on_device", &traced_on_device, nb::arg("name"), nb::arg("body"), nb::arg("inputs"),
              nb::arg("names"), nb::arg("has_unlimited_memory"));
    trace.def("_signature", &signature_of, nb::arg("inputs"));
    trace.def("_write_report", &write_report, nb::arg("plan"), nb::arg("path"),
              nb::call_guard<nb::gil_scoped_release>());
    trace.def(
        "_memory_page",
        [](const std::string& text) {
            const auto memory = nlohmann::json::parse(text);
            const report::Status sound = analysis::check_memory(memory);
            report::Result<std::string> page = sound ? analysis::memory_page(memory) : sound.error();
            if (!page) throw nb::value_error(page.error().message().c_str());
            return std::move(page).value();
        },
        nb::arg("memory"), "The page of what Plan.save_memory() writes.");
    trace.def(
        "_metal_trace_hazards",
        [](const Device& device, std::uint32_t id, bool own_results) {
            return hazard_list(trace::metal_trace_hazards(
                device, static_cast<MeshTraceId>(id),
                own_results ? trace::OwnResults::kIncluded : trace::OwnResults::kLeftOut));
        },
        nb::arg("device"), nb::arg("trace_id"), nb::arg("own_results"));
    trace.def("_traces_function", [] { return traces_function(); });
    trace.def("_is_on_device", [](nb::handle object) {
        return nb::isinstance<TensorHandle>(object) &&
               tensor_of(object).storage_type() == StorageType::DEVICE;
    });
}

}  // namespace tilemeter::python::tracing
