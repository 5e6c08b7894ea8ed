// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilemeter::visualizer_import {

// SQLite on a file that has no name: the name to open is that of a file descriptor, which stays the caller's.
// No locks, since nobody else can open the file. What SQLite sorts in temporary files goes through its own
// default.
const char* descriptor_vfs();  // registers it at the first call
std::string descriptor_name(int descriptor);

}  // namespace tilemeter::visualizer_import
