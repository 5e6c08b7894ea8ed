// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The importer.

#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/interruptible.hpp"
#include "visualizer_import/import_reports.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

using visualizer_import::ImportOptions;
using visualizer_import::ImportSummary;
using Progress = std::function<void(const std::string&, std::uint64_t, std::uint64_t)>;

/// The wishes of Python about an import that runs in other threads: to be told how far it is, a few times a second, and
/// to end it, because of Ctrl-C or because it raised when told.
class Watch {
public:
    explicit Watch(const std::optional<Progress>& progress) : progress_(progress) {}

    std::atomic<bool> stop = false;
    void tell(const std::string& file, std::uint64_t done, std::uint64_t all) {
        const Clock::time_point now = Clock::now();
        if (!progress_ || stop || now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        const nb::gil_scoped_acquire locked;
        try {
            (*progress_)(file, done, all);
        } catch (...) {
            end_with(std::current_exception());
        }
    }
    void look_for_signals() {
        try {
            check_signals();
        } catch (...) {
            end_with(std::current_exception());
        }
    }
    // Once the import is over.
    void rethrow() const {
        if (raised_) std::rethrow_exception(raised_);
    }

private:
    using Clock = std::chrono::steady_clock;
    void end_with(std::exception_ptr raised) {
        const std::lock_guard lock(mutex_);
        if (!raised_) raised_ = std::move(raised);
        stop = true;
    }

    const std::optional<Progress>& progress_;
    Clock::time_point last_;
    std::mutex mutex_;
    std::exception_ptr raised_;
};

// By another thread: Python handles signals in this one only, and the import is to end wherever it is.
ImportSummary import_reports(const std::filesystem::path& report, const std::filesystem::path& output,
                             ImportOptions options, const std::optional<Progress>& progress) {
    const nb::gil_scoped_release unlocked;
    Watch watch(progress);
    options.stop = &watch.stop;
    auto importing = std::async(std::launch::async, [&] {
        return visualizer_import::import_reports(
            report, output, options, [&](const std::string& file, std::uint64_t done, std::uint64_t all) {
                watch.tell(file, done, all);
            });
    });
    while (importing.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
        watch.look_for_signals();
    auto imported = importing.get();
    watch.rethrow();
    if (!imported) {
        const nb::gil_scoped_acquire locked;
        const nb::object error = nb::handle(PyExc_ValueError)(nb::str(imported.error().message().c_str()));
        error.attr("wrong_usage") = imported.error().wrong_usage;
        error.attr("file") = imported.error().file;
        error.attr("position") = imported.error().position;
        error.attr("expected") = imported.error().expected;
        error.attr("found") = imported.error().found;
        PyErr_SetObject(PyExc_ValueError, error.ptr());
        throw nb::python_error();
    }
    return std::move(imported).value();
}

}  // namespace

void bind_imports(nb::module_& module) {
    nb::class_<ImportSummary>(module, "ImportSummary", "What an import made.")
        .def_ro("database", &ImportSummary::database)
        .def_ro("imported", &ImportSummary::imported, "The reports that are in it.")
        .def_ro("skipped", &ImportSummary::skipped, "Those left out, with the reason.")
        .def_ro("rows", &ImportSummary::rows, "Number of rows by table.")
        .def_ro("size_bytes", &ImportSummary::size_bytes, "Size of the database.")
        .def_ro("replaced", &ImportSummary::replaced, "Whether a database was there before.");
    module.def(
        "import_reports",
        [](const std::filesystem::path& report, const std::filesystem::path& output,
           const std::string& db_name, bool svg, bool reference_quirks, bool materialize, bool lenient,
           bool force, const std::vector<std::filesystem::path>& source_roots,
           const std::optional<Progress>& progress) {
            ImportOptions options;
            options.db_name = db_name;
            options.svg = svg;
            options.reference_quirks = reference_quirks;
            options.materialize = materialize;
            options.lenient = lenient;
            options.force = force;
            options.source_roots = source_roots;
            return import_reports(report, output, options, progress);
        },
        "report"_a, "output"_a, nb::kw_only(), "db_name"_a = "db.sqlite", "svg"_a = false,
        "reference_quirks"_a = false, "materialize"_a = false, "lenient"_a = false, "force"_a = false,
        "source_roots"_a = std::vector<std::filesystem::path>{}, "progress"_a = nb::none(),
        "Imports a report, or the reports of a folder, into a database. Raises ValueError in one line.");
}

}  // namespace tilemeter::python
