// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <tracy/Tracy.hpp>

#include "tests/bench/peers/zones.hpp"

int main(int argc, char** argv) {
    const int status = peers::run(argc, argv, [] { ZoneScopedN("zone"); });
    std::_Exit(status);  // its destructor waits for a viewer
}
