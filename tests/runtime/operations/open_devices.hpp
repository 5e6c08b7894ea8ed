// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices for tests: each opened for the life of the object, so that the next test finds the chip free.

#pragma once

#include <memory>

#include "runtime/device/device.hpp"

namespace tilemeter::test {

class OpenDevice {
public:
    explicit OpenDevice(DeviceOptions options = {}) : device_(open_device(0, options)) {}
    ~OpenDevice() { close_device(*device_); }
    OpenDevice(const OpenDevice&) = delete;
    OpenDevice& operator=(const OpenDevice&) = delete;

    const std::shared_ptr<Device>& get() const { return device_; }
    Device* operator->() const { return device_.get(); }

private:
    std::shared_ptr<Device> device_;
};

}  // namespace tilemeter::test
