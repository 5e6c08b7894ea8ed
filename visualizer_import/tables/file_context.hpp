// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "report/python_io.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/database/options.hpp"
#include "visualizer_import/database/stack_sources.hpp"
#include "visualizer_import/graph/device_map.hpp"

namespace tilemeter::visualizer_import {

// The state that the import of one file shares.
struct FileContext {
    Database& database;
    const ImportOptions& options;
    StackSources& sources;
    const DeviceMap& devices;
    std::int64_t rank = 0;
    std::int64_t base_operation_id = 0;
    report::PythonIo* python_io = nullptr;  // none: no sidecar
};

}  // namespace tilemeter::visualizer_import
