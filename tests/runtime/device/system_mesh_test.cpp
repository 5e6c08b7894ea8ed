// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The chips of meshes of all shapes, as TT-NN 0.81.1 gave them on mock systems (tests/data/devices/meshes.json: a Galaxy, and a
// T3000 with the ids of the built-in description).

#include "runtime/device/system_mesh.hpp"

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runtime/device/device.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/operations/numerics.hpp"

namespace tilemeter {
namespace {

TEST(SystemMesh, gives_the_chips_that_TTNN_gives) {
    std::ifstream file(test::data_folder() + "/devices/meshes.json");
    const nlohmann::json recorded = nlohmann::json::parse(file);
    std::size_t meshes = 0;
    for (const auto& [system, rows] : recorded.items()) {
        const SystemMesh mesh = load_device_description(system).mesh;
        for (const nlohmann::json& row : rows) {
            const MeshShape shape{row["shape"][0], row["shape"][1]};
            if (row.contains("chips")) {
                EXPECT_EQ(chips_of_mesh(mesh, shape), row["chips"].get<std::vector<std::uint16_t>>()) << row;
            } else {
                EXPECT_EQ(test::message_of([&] { chips_of_mesh(mesh, shape); }),
                          row["error"].get<std::string>())
                    << row;
            }
            ++meshes;
        }
    }
    EXPECT_GT(meshes, 40U);
}

TEST(SystemMesh, begins_where_it_is_told) {
    const SystemMesh mesh = load_device_description("t3000").mesh;
    EXPECT_EQ(chips_of_mesh(mesh, {1, 2}, {0, 1}), (std::vector<std::uint16_t>{0, 3}));  // TT-NN's
    EXPECT_EQ(chips_of_mesh(mesh, {2, 2}, {0, 2}), (std::vector<std::uint16_t>{3, 7, 2, 6}));
    EXPECT_EQ(
        test::message_of([&] {
            chips_of_mesh(mesh, {1, 2}, {2, 0});
        }),
        "The specified offset MeshCoordinate([2, 0]) is out of bounds for the system mesh shape MeshShape([2, 4])");
}

TEST(SystemMesh, of_chips_by_their_ids_has_these) {
    const auto device = open_mesh_device({1, 2}, {"t3000", 0, 0}, {{}, {3, 7}});
    EXPECT_EQ(device->chips(), (std::vector<std::uint16_t>{3, 7}));
    close_device(*device);
    EXPECT_EQ(test::message_of([] {
                  open_mesh_device({1, 2}, {"t3000", 0, 0}, {{}, {3, 3}});
              }),
              "open_mesh_device: physical_device_ids: expected different chips below 8, got 3");
    EXPECT_EQ(test::message_of([] {
                  open_mesh_device({1, 2}, {"t3000", 0, 0}, {{}, {3}});
              }),
              "open_mesh_device: physical_device_ids: expected 2 chips for MeshShape([1, 2]), got 1");
}

}  // namespace
}  // namespace tilemeter
