// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Hooks of clients: what they are asked, and what they take over.

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/compat/telling.hpp"
#include "tt-metalium/graph_tracking.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace tt::tt_metal {
namespace {

using nlohmann::json;
using test::Calls;
using test::CompatTracker;
using test::Pushed;
using test::spec_of;
using test::Telling;
using ttnn::graph::ScopedGraphCapture;
using Mode = IGraphProcessor::RunMode;

// A hook that takes what it is told to.
class Taking : public IGraphHooks {
public:
    bool hook_allocate(const Buffer* buffer) override {
        return asked("allocate", allocates, buffer != nullptr);
    }
    bool hook_deallocate(Buffer* buffer) override { return asked("free", frees, buffer != nullptr); }
    bool hook_program(Program* program) override { return asked("program", runs, program != nullptr); }
    bool hook_write_to_device(const Buffer* buffer) override {
        return asked("write", writes, buffer != nullptr);
    }
    bool hook_read_from_device(Buffer* buffer) override { return asked("read", reads, buffer != nullptr); }
    bool hook_read_from_device(const distributed::MeshBuffer* buffer) override {
        return asked("read", reads, buffer->device() != nullptr);
    }
    bool hook_write_to_device(const distributed::MeshBuffer* buffer) override {
        return asked("write", writes, buffer->device() != nullptr);
    }

    bool allocates = false, frees = false, runs = false, writes = false, reads = false, throws = false;
    Calls calls;

private:
    bool asked(const char* what, bool answer, bool is_given) {
        EXPECT_TRUE(is_given) << what;
        calls.emplace_back(what);
        if (throws) throw std::domain_error("a hook's own");
        return answer;
    }
};

class CompatHooks : public CompatTracker {
protected:
    void SetUp() override {
        CompatTracker::SetUp();
        ASSERT_TRUE(GraphTracker::instance().add_hook(hook_));
    }
    ttnn::Tensor on_device(float value) const {
        return ttnn::Tensor::from_vector(std::vector<float>(1024, value),
                                         spec_of(ttnn::Shape({32, 32}), ttnn::DataType::FLOAT32),
                                         device_.get());
    }
    const std::shared_ptr<Taking> hook_ = std::make_shared<Taking>();
};

TEST_F(CompatHooks, AreAsked) {
    EXPECT_FALSE(GraphTracker::instance().add_hook(std::make_shared<Taking>()));
    EXPECT_EQ(GraphTracker::instance().get_hook(), hook_);
    {
        const ttnn::Tensor x = on_device(2.0F);
        EXPECT_EQ(ttnn::add(x, x).to_vector<float>()[0], 4.0F);
    }
    EXPECT_EQ(hook_->calls, (Calls{"allocate", "write", "allocate", "program", "read", "free", "free"}));
    GraphTracker::instance().clear_hook();
    on_device(1.0F);
    EXPECT_EQ(hook_->calls.size(), 7U);
}

TEST_F(CompatHooks, AreAskedInOrderWithProcessors) {
    const ttnn::Tensor x = on_device(2.0F);
    hook_->calls.clear();
    telling_->on_call = [&](const std::string& call) {
        hook_->calls.push_back(call.substr(0, call.find(' ')));
    };
    const Pushed pushed(telling_);
    ttnn::relu(x);
    EXPECT_EQ(hook_->calls, (Calls{"begin", "begin", "allocate", "allocate", "end", "program", "program",
                                   "end", "begin", "free", "free", "end"}));
}

TEST_F(CompatHooks, TakeAllocations) {
    const ttnn::Tensor before = on_device(1.0F);
    hook_->allocates = hook_->frees = true;
    {
        ScopedGraphCapture capture(Mode::NORMAL);
        const ttnn::Tensor x = on_device(2.0F);
        EXPECT_EQ(x.buffer()->address(), 0U);
        EXPECT_TRUE(x.is_allocated());
        const json trace = capture.end_graph_capture();
        bool is_told = false;
        for (const json& node : trace)
            is_told = is_told ||
                      (node.at("node_type") == "buffer_allocate" && node.at("params").at("address") == 0);
        EXPECT_TRUE(is_told);
    }
    hook_->allocates = hook_->frees = false;
    const std::uint64_t free_address = on_device(1.0F).buffer()->address();
    EXPECT_NE(free_address, 0U);
    EXPECT_NE(free_address, before.buffer()->address());
}

TEST_F(CompatHooks, MayNotTakeTheFreeOfWhatTheyDidNotTake) {
    std::optional<ttnn::Tensor> x = on_device(1.0F);
    hook_->frees = true;
    x.reset();  // refused, in a destructor: the log has it
    EXPECT_EQ(hook_->calls.back(), "free");
    hook_->frees = false;
    const ttnn::Tensor y = on_device(1.0F);
    hook_->frees = true;
    EXPECT_THROW(GraphTracker::instance().hook_deallocate(y.buffer()), std::runtime_error);
    hook_->frees = false;
}

TEST_F(CompatHooks, TakeProgramsAndTransfers) {
    const ttnn::Tensor x = on_device(2.0F);
    hook_->runs = true;
    const Pushed pushed(telling_);
    const ttnn::Tensor sum = ttnn::add(x, x);
    for (const std::string& call : telling_->calls)
        EXPECT_NE(call.rfind("circular", 0), 0U) << call;
    EXPECT_THROW((void)sum.to_vector<float>(), std::runtime_error);
    hook_->runs = false;
    hook_->writes = true;
    EXPECT_THROW((void)on_device(3.0F).to_vector<float>(), std::runtime_error);
    hook_->writes = false;
    hook_->reads = true;
    EXPECT_NE(x.to_vector<float>()[0], 2.0F);  // nobody read it
    hook_->reads = false;
    EXPECT_EQ(x.to_vector<float>()[0], 2.0F);
}

TEST_F(CompatHooks, PassOnWhatTheyThrow) {
    std::optional<ttnn::Tensor> x = on_device(2.0F);
    hook_->throws = true;
    EXPECT_THROW(ttnn::relu(*x), std::domain_error);
    EXPECT_THROW(on_device(1.0F), std::domain_error);
    EXPECT_THROW((void)x->to_vector<float>(), std::domain_error);
    x.reset();
    hook_->throws = false;
    EXPECT_EQ(on_device(1.0F).to_vector<float>()[0], 1.0F);
}

TEST_F(CompatTracker, HasACapturesHook) {
    {
        ScopedGraphCapture capture(Mode::NO_DISPATCH);
        const auto hook =
            std::dynamic_pointer_cast<ttnn::graph::ProcessorHooks>(GraphTracker::instance().get_hook());
        ASSERT_NE(hook, nullptr);
        EXPECT_TRUE(hook->get_block());
        EXPECT_FALSE(GraphTracker::instance().add_hook(std::make_shared<Taking>()));
    }
    EXPECT_EQ(GraphTracker::instance().get_hook(), nullptr);
    const auto own = std::make_shared<ttnn::graph::ProcessorHooks>();
    own->set_block(true);
    ASSERT_TRUE(GraphTracker::instance().add_hook(own));
    EXPECT_EQ(made(ttnn::Shape({32, 32})).buffer()->address(), 0U);
}

}  // namespace
}  // namespace tt::tt_metal
