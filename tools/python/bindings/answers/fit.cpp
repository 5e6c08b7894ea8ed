// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest size of a workload that fits.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "report/analysis/gate/fit_workload.hpp"
#include "report/analysis/gate/peak_sizes.hpp"
#include "report/render/sizes_render.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/size_limit.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

using analysis::PeakFormula;
using analysis::WorkloadAtSize;
using analysis::WorkloadFit;

/// The error's own text is what the analysis reads; a python_error would say its traceback as well, and keep the frames
/// alive whose tensors the next size must not find.
void run(const nb::callable& workload, std::int64_t size) {
    std::string message;
    try {
        workload(size);
        return;
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_RuntimeError)) throw;
        message = nb::str(error.value()).c_str();
    }
    throw std::runtime_error(message);
}

/// A limit of the asker's own, in bytes; shares are of a device, and a workload opens its own.
std::uint64_t limit_of(const char* name, const nb::object& limit) {
    if (limit.is_none()) return std::numeric_limits<std::uint64_t>::max();
    const analysis::SizeLimit size = size_limit(limit, std::string("fit_workload: ") + name);
    if (!size.bytes)
        throw nb::value_error(
            (std::string("fit_workload: ") + name + ": expected bytes, found a share").c_str());
    return *size.bytes;
}

WorkloadFit fit(const nb::callable& workload, std::int64_t smallest, std::int64_t largest,
                const nb::object& max_l1, const nb::object& max_dram_per_bank, const nb::object& max_dram) {
    if (!max_dram.is_none())
        throw nb::type_error("fit_workload: max_dram is max_dram_per_bank now (bytes of one bank)");
    return analysis::fit_workload(
        [&](std::int64_t size) { run(workload, size); }, {smallest, largest},
        {limit_of("max_l1", max_l1), limit_of("max_dram_per_bank", max_dram_per_bank)});
}

/// The answer as JSON, and as lines.
std::pair<std::string, std::string> peak_sizes(const nb::callable& workload, std::int64_t smallest,
                                               std::int64_t largest, double seconds,
                                               const std::string& name) {
    const analysis::PeakSizes peaks = analysis::peak_sizes([&](std::int64_t size) { run(workload, size); },
                                                           {smallest, largest}, {.seconds = seconds});
    return {analysis::sizes_json(peaks, name, "").dump(), analysis::text_of(peaks, name)};
}

}  // namespace

void bind_fit(nb::module_& module) {
    nb::class_<WorkloadAtSize>(module, "WorkloadAtSize", "A workload, planned at one size.")
        .def_ro("size", &WorkloadAtSize::size)
        .def_ro("fits", &WorkloadAtSize::fits)
        .def_ro("l1_bytes", &WorkloadAtSize::l1_bytes, "Peak per core; up to the failure where it failed.")
        .def_ro("dram_bytes", &WorkloadAtSize::dram_bytes, "Peak per bank.")
        .def_ro("operation", &WorkloadAtSize::operation, "Where it failed, or where L1 was fullest.")
        .def_prop_ro(
            "verdict", [](const WorkloadAtSize& self) { return self.fits ? "fits" : "does_not_fit"; },
            "'fits' or 'does_not_fit'.")
        .def_prop_ro(
            "cause", [](const WorkloadAtSize& self) { return analysis::name_of(self.cause); },
            "Why it does not fit: 'clash', 'exhausted', 'fragmented', 'never fits'; 'none' where it fits.")
        .def_ro("message", &WorkloadAtSize::message, "The runtime's, where it failed.");
    nb::class_<PeakFormula>(module, "PeakFormula", "A peak as a function of the size, in straight pieces.")
        .def_ro("exact", &PeakFormula::exact, "False: no straight pieces were found.")
        .def_ro("verified", &PeakFormula::verified, "Sizes that were not used for it and came out right.")
        .def("at", &PeakFormula::at, "size"_a, "Bytes at a size; None where the formula does not reach.")
        .def("text", &PeakFormula::text, "variable"_a = "n")
        .def("__str__", [](const PeakFormula& self) { return self.text("n"); });
    nb::class_<WorkloadFit>(module, "WorkloadFit", "How large a workload may be.")
        .def_ro("largest", &WorkloadFit::largest, "None: not even the smallest size fits.")
        .def_ro("first_failing", &WorkloadFit::first_failing, "The next larger size; None: all fit.")
        .def_ro("fits_above_failures", &WorkloadFit::fits_above_failures)
        .def_ro("l1", &WorkloadFit::l1, "Peak per core.")
        .def_ro("dram", &WorkloadFit::dram, "Peak per bank.")
        .def_ro("captures", &WorkloadFit::captures, "How often the workload was planned.");
    module.def("peak_sizes", &peak_sizes, "workload"_a, "smallest"_a, "largest"_a, "seconds"_a, "name"_a);
    module.def(
        "fit_workload", &fit, "workload"_a, "smallest"_a = 1, "largest"_a = 4096, "max_l1"_a = nb::none(),
        "max_dram_per_bank"_a = nb::none(), "max_dram"_a = nb::none(),
        "The largest size at which `workload(size)` fits, by planning it only (NO_DISPATCH), and its "
        "peaks as formulas.\n\n"
        "max_l1 (per core) and max_dram_per_bank limit it beside the device: bytes, or a text like "
        "'1.2 MB'. max_dram, their old name, is refused. What a call makes has to be gone when it returns. "
        "RuntimeErrors that speak of memory mean that a size does not fit; all other exceptions come "
        "through.");
}

}  // namespace tilemeter::python
