// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/page_server/server.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace tilemeter {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

// A browser opens connections ahead of need; one that says nothing for so long is closed.
constexpr std::chrono::seconds kPatience{30};

std::string random_token() {
    std::random_device source;  // of the system
    std::string token;
    for (int i = 0; i < 4; ++i) {
        std::array<char, 9> text{};
        std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(source()));
        token += text.data();
    }
    return token;
}

template <typename Message>
void add_headers(Message& message, const Response& response) {
    message.set(http::field::content_type, response.type);
    message.set(http::field::cache_control, "no-store");
    message.set("X-Content-Type-Options", "nosniff");
    message.set("Referrer-Policy", "no-referrer");
    message.keep_alive(false);
    message.prepare_payload();
}

}  // namespace

struct PageServer::State {
    asio::io_context context{1};
    tcp::acceptor acceptor{context};
    std::string token = random_token();
    std::string prefix = "/" + token + "/";
    std::string host, host_by_name;
    const Answerer* answer = nullptr;

    Response answer_to(const http::request<http::empty_body>& request) const {
        const auto plain = [](unsigned status, std::string text) {
            return Response{status, "text/plain; charset=utf-8", std::move(text) + "\n"};
        };
        const std::string_view asked_host(request[http::field::host].data(),
                                          request[http::field::host].size());
        if (asked_host != host && asked_host != host_by_name)
            return plain(403, "this server answers to its own address alone");
        std::string_view path(request.target().data(), request.target().size());
        path = path.substr(0, path.find('?'));
        if (!path.starts_with(prefix)) return plain(404, "no such page: the address ends with a token");
        if (request.method() != http::verb::get && request.method() != http::verb::head)
            return plain(405, "pages are read");
        try {
            return (*answer)(path.substr(prefix.size()));
        } catch (const std::exception& error) {
            return plain(500, error.what());
        }
    }

    void accept();
};

/// One connection, which asks once.
class PageServer::Session : public std::enable_shared_from_this<Session> {
public:
    Session(tcp::socket socket, const State& state) : stream_(std::move(socket)), state_(&state) {}

    void run() {
        stream_.expires_after(kPatience);
        http::async_read(stream_, buffer_, request_,
                         [self = shared_from_this()](error_code error, std::size_t) {
                             if (!error) self->respond();
                         });
    }

private:
    void respond() {
        const Response response = state_->answer_to(request_);
        if (response.file.empty()) {
            auto message = std::make_shared<http::response<http::string_body>>(
                static_cast<http::status>(response.status), request_.version());
            message->body() = response.body;
            add_headers(*message, response);
            if (request_.method() == http::verb::head) message->body().clear();
            return write(std::move(message));
        }
        auto message = std::make_shared<http::response<http::file_body>>(
            static_cast<http::status>(response.status), request_.version());
        error_code error;
        message->body().open(response.file.c_str(), beast::file_mode::scan, error);
        if (error) return;
        add_headers(*message, response);
        message->set(http::field::content_disposition,
                     "attachment; filename=\"" + response.file.filename().string() + "\"");
        write(std::move(message));
    }

    template <typename Message>
    void write(std::shared_ptr<Message> message) {
        stream_.expires_never();  // a large file may take its time
        auto& sent = *message;
        http::async_write(stream_, sent,
                          [self = shared_from_this(), message = std::move(message)](error_code, std::size_t) {
                              error_code ignored;
                              self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                          });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{std::size_t{64} << 10};  // of a request, which is some headers
    http::request<http::empty_body> request_;
    const State* state_;
};

void PageServer::State::accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
        if (!error) std::make_shared<Session>(std::move(socket), *this)->run();
        if (acceptor.is_open()) accept();
    });
}

PageServer::PageServer(std::uint16_t port) : state_(std::make_unique<State>()) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    error_code error;
    state_->acceptor.open(endpoint.protocol());
    state_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    state_->acceptor.bind(endpoint, error);
    if (!error) state_->acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        throw std::runtime_error("port " + std::to_string(port) +
                                 " of 127.0.0.1: cannot be listened on: " + error.message());
    const std::string number = std::to_string(state_->acceptor.local_endpoint().port());
    state_->host = "127.0.0.1:" + number;
    state_->host_by_name = "localhost:" + number;
}

PageServer::~PageServer() = default;

std::string PageServer::url() const {
    return "http://" + state_->host + state_->prefix;
}

void PageServer::run(const Answerer& answer, const std::function<void()>& each_second) {
    state_->answer = &answer;
    asio::steady_timer timer(state_->context);
    const std::function<void()> wait = [&] {
        timer.expires_after(std::chrono::seconds(1));
        timer.async_wait([&](error_code error) {
            if (error) return;
            each_second();
            wait();
        });
    };
    if (each_second) wait();
    asio::signal_set signals(state_->context, SIGINT, SIGTERM, SIGHUP);
    signals.async_wait([this](error_code, int) { state_->context.stop(); });
    state_->accept();
    state_->context.run();
}

}  // namespace tilemeter
