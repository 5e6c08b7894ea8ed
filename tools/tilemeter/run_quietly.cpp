// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <iostream>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <thread>
#include <utility>

#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/run.hpp"

namespace tilemeter::cli {
namespace {

/// Keeps what one thread writes, and passes on what others do. Never ends: another thread may be in it.
class Router final : public std::streambuf {
public:
    void begin(std::streambuf* others) {
        own_.str({});
        others_ = others;
        owner_ = std::this_thread::get_id();
    }
    void end() { owner_ = std::thread::id(); }
    std::string text() const { return own_.str(); }
    std::streambuf* others() const { return others_; }

protected:
    int overflow(int character) override {
        return character == traits_type::eof() ? traits_type::not_eof(character)
                                               : target()->sputc(traits_type::to_char_type(character));
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        return target()->sputn(text, size);
    }
    int sync() override { return target()->pubsync(); }

private:
    std::streambuf* target() { return std::this_thread::get_id() == owner_.load() ? &own_ : others_.load(); }

    std::atomic<std::thread::id> owner_;
    std::stringbuf own_{std::ios::out};
    std::atomic<std::streambuf*> others_ = nullptr;
};

/// The text that this thread writes to a stream, kept; the stream is as it was afterwards.
class Kept {
public:
    Kept(std::ostream& stream, Router& router)
        : stream_(stream), router_(router), state_before_(stream.rdstate()) {
        format_before_.copyfmt(stream);
        router_.begin(stream.rdbuf());
        stream.copyfmt(std::ios(nullptr));
        stream.rdbuf(&router_);  // clears the state: whether standard output was closed is not asked here
    }
    ~Kept() {
        stream_.rdbuf(router_.others());
        router_.end();
        stream_.clear(state_before_);
        stream_.copyfmt(format_before_);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    std::string text() const { return router_.text(); }

private:
    std::ostream& stream_;
    Router& router_;
    std::ios::iostate state_before_;
    std::ios format_before_{nullptr};
};

Printed print(const std::vector<std::string>& call) {
    std::vector<std::string> words{"tilemeter"};
    words.insert(words.end(), call.begin(), call.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    static Router& output_router = *new Router;
    static Router& errors_router = *new Router;
    const Kept output(std::cout, output_router);
    const Kept errors(std::cerr, errors_router);
    Printed printed;
    printed.status = run(static_cast<int>(arguments.size()), arguments.data());
    printed.output = output.text();
    printed.errors = errors.text();
    return printed;
}

}  // namespace

std::vector<Printed> run_quietly(const std::vector<std::vector<std::string>>& calls, NamedLists lists) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const KeptLists kept(std::move(lists));
    std::vector<Printed> printed;
    printed.reserve(calls.size());
    for (const auto& call : calls)
        printed.push_back(print(call));
    return printed;
}

}  // namespace tilemeter::cli
