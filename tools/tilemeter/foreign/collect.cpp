// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string>
#include <vector>

#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

Failure needs_fleet(const std::string& verb) {
    return Failure(
        verb +
        ": datasets are read and written by the Python package (tools/wheel makes it; pip install duckdb): its command " +
        "`tilemeter " + verb + "`");
}

command::Verb collect_verb() {
    struct Options {
        std::vector<std::string> words;
        std::string labels, date, otlp;
        bool compact = false, mlflow = false, json = false;
    };
    auto options = std::make_shared<Options>();
    return {
        .name = "collect",
        .documentation =
            "Adds reports to a dataset of Parquet files; of the Python package, with DuckDB (pip install duckdb)",
        .parameters =
            {{"dataset",
              &options->words,
              "the folder, and reports, databases or folders of these",
              {.required = true}},
             {"--label", &options->labels, "KEY=VALUE of all these captures; commit and model are columns"},
             {"--date", &options->date, "YYYY-MM-DD; today by default"},
             {"--compact", &options->compact, "then make one file of each table"},
             {"--otlp", &options->otlp, "FILE or URL: peaks as OpenTelemetry metrics, of what is new"},
             {"--mlflow", &options->mlflow, "peaks and pages to MLflow's current run, of what is new"},
             {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter collect captures/ report.json --label commit=4f1c2d",
        .run = [options] { throw needs_fleet("collect"); }};
}

}  // namespace tilemeter::cli
