// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sub-devices: which part of a mesh's cores a program runs on, by the manager that is loaded there.
//
// Thread safety: an object is its thread's own.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

/// Those of the mesh on which the thread launched last.
class SubDevices {
public:
    /// Reads them where the mesh or its manager is another one. Tells captures of a manager that they were not told of.
    void look_at(const Device* mesh, std::uint16_t number);

    std::uint32_t manager() const { return static_cast<std::uint32_t>(manager_); }

    /// The one that a program was launched on, as TT-NN tells it: of the default manager the first one, else the only one
    /// that has cores of its circular buffers. None: TT-NN does not tell either.
    std::optional<std::uint16_t> of(const ProgramImpl* program) const;

    /// Its cores as a text in JSON.
    std::uint32_t cores_text(std::uint16_t sub_device) const { return all_[sub_device].text; }

private:
    struct SubDevice {
        std::vector<CoreRange> cores;
        std::uint32_t text = 0;
    };

    void read(const Device* mesh);

    const Device* mesh_ = nullptr;
    std::uint64_t manager_ = 0;
    std::uint64_t devices_left_ = 0;
    std::uint64_t recorder_ = 0;
    std::uint64_t windows_told_ = 0;
    bool is_default_ = false;
    std::vector<SubDevice> all_;
    std::uint32_t text_ = 0;  // of all, in JSON
};

}  // namespace tilemeter::attach::ttnn
