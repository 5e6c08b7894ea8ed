// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tells a thread's processors of the events of the model, as TT-NN tells them of its own.

#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "capture/record/listener.hpp"
#include "tilemeter_ttnn/graph/graph_tracking.hpp"

namespace tilemeter::compat {

struct ThreadTracker;

class ProcessorCaller final : public record::EventListener {
public:
    explicit ProcessorCaller(ThreadTracker& tracker) : tracker_(tracker) {}

    void on_event(const record::Event& event, const record::ShownValue& shown) override;
    void on_function_begun() override;

private:
    using Value =
        std::variant<bool, std::int64_t, float, std::string, ::ttnn::Tensor, tt::tt_metal::MemoryConfig,
                     tt::tt_metal::Shape, tt::tt_metal::DataType, tt::tt_metal::Layout,
                     std::vector<std::int64_t>, std::vector<std::reference_wrapper<const ::ttnn::Tensor>>>;
    struct Function {
        std::string_view name;
        std::deque<Value> values;
        std::deque<::ttnn::Tensor> listed;   // those of lists
        std::vector<std::size_t> arguments;  // places in `values`
        std::vector<std::size_t> lists;      // that are open: places in `values`
    };

    void add_argument(const record::Event& event, const record::ShownValue& shown);
    void add_value(Value value);
    void end_function(const record::Event& event);
    void begin_program(const record::Event& event, const record::ShownValue& shown);
    void tell_program_memory(const record::Event& event);
    void tell_free(const record::Event& event);

    /// Memory is freed in destructors: what is thrown there is kept for the client's call (fatal.hpp).
    void hold(const std::function<void()>& tell);

    ThreadTracker& tracker_;
    std::optional<Function> begun_;  // a function whose arguments come
    std::vector<::ttnn::Tensor> outputs_;
    bool is_freeing_ = false;
    bool program_runs_ = true;
};

}  // namespace tilemeter::compat
