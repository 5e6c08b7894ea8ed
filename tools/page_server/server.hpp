// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pages over HTTP, for a browser of this machine alone: the server listens on 127.0.0.1, answers nothing whose path does
// not begin with a random token, and nothing that was asked under another name than this machine's (a page of another
// origin cannot reach it by a name that it has made to lead here).
//
// Thread safety: one thread; stop() is for signal handlers' threads as well.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tilemeter {

/// The answer to a request.
struct Response {
    unsigned status = 200;  ///< of HTTP
    std::string type = "text/html; charset=utf-8";
    std::string body = {};
    std::filesystem::path file = {};  ///< in place of the body, where it is not empty
};
/// Answers the path behind the token: "", "reports/0/".
using Answerer = std::function<Response(std::string_view path)>;

class PageServer {
public:
    /// Port 0: one that is free. Throws std::runtime_error where it is taken.
    explicit PageServer(std::uint16_t port);
    ~PageServer();
    PageServer(const PageServer&) = delete;
    PageServer& operator=(const PageServer&) = delete;

    /// "http://127.0.0.1:PORT/TOKEN/"
    [[nodiscard]] std::string url() const;
    /// Answers until SIGINT, SIGTERM or SIGHUP. `each_second` (may be empty) is called between answers.
    void run(const Answerer& answer, const std::function<void()>& each_second = {});

private:
    struct State;
    class Session;
    std::unique_ptr<State> state_;
};

}  // namespace tilemeter
