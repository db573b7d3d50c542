// What one would take instead: a gRPC C++ server that answers the same pages.
//
//     grpc-server --response FILE [--port N]
//
// One completion queue and one thread, the quickest that gRPC C++ offers on one core: with its callback API a unary call
// took a third more time, and its channel arguments for throughput or latency changed nothing that could be told from
// noise. FILE holds an encoded
// SearchCharactersResponse, which is decoded at the start: the characters are ready as objects, so that a call costs
// no more than decoding its request and encoding its answer. Calls are kept and used again.
#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "pages.grpc.pb.h"

using grpc::ServerCompletionQueue;
using marvel::v1::SearchCharactersRequest;
using marvel::v1::SearchCharactersResponse;

namespace {

constexpr int kWaitingCalls = 256;

struct Server {
    bench::Pages::AsyncService service;
    std::unique_ptr<ServerCompletionQueue> queue;
    SearchCharactersResponse page;
};

// What a tag of the completion queue points to.
class Step {
public:
    virtual ~Step() = default;
    virtual void completed(bool ok) = 0;
};

// A call with one answer, which the server has already.
class PageCall final : public Step {
public:
    explicit PageCall(Server &server) : server_(server) { wait(); }

    void completed(bool ok) override {
        if (isWaiting_ && ok) {
            isWaiting_ = false;
            writer_->Finish(server_.page, grpc::Status::OK, this);
        } else {
            wait();
        }
    }

private:
    void wait() {
        isWaiting_ = true;
        writer_.reset();
        context_.emplace();
        writer_.emplace(&*context_);
        server_.service.RequestOne(&*context_, &request_, &*writer_, server_.queue.get(), server_.queue.get(), this);
    }

    Server &server_;
    bool isWaiting_ = true;
    SearchCharactersRequest request_;
    std::optional<grpc::ServerContext> context_;
    std::optional<grpc::ServerAsyncResponseWriter<SearchCharactersResponse>> writer_;
};

// A stream of as many pages as were asked for.
class StreamCall final : public Step {
public:
    explicit StreamCall(Server &server) : server_(server) { wait(); }

    void completed(bool ok) override {
        if (isOver_ || !ok) return wait();
        if (pagesLeft_ < 0) pagesLeft_ = request_.max_pages();
        if (--pagesLeft_ > 0) return writer_->Write(server_.page, this);
        isOver_ = true;
        writer_->WriteAndFinish(server_.page, grpc::WriteOptions(), grpc::Status::OK, this);
    }

private:
    void wait() {
        pagesLeft_ = -1;
        isOver_ = false;
        writer_.reset();
        context_.emplace();
        writer_.emplace(&*context_);
        server_.service.RequestMany(
            &*context_, &request_, &*writer_, server_.queue.get(), server_.queue.get(), this);
    }

    Server &server_;
    int pagesLeft_ = -1;
    bool isOver_ = false;
    SearchCharactersRequest request_;
    std::optional<grpc::ServerContext> context_;
    std::optional<grpc::ServerAsyncWriter<SearchCharactersResponse>> writer_;
};

}  // namespace

int main(int count, char **arguments) {
    Server server;
    std::string port = "0";
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(arguments[i], "--port") == 0) {
            port = arguments[i + 1];
        } else if (std::strcmp(arguments[i], "--response") == 0) {
            std::ifstream file(arguments[i + 1], std::ios::binary);
            if (!server.page.ParseFromIstream(&file)) return std::cerr << "that is no page\n", 1;
        } else {
            return std::cerr << "unknown argument " << arguments[i] << "\n", 64;
        }
    }

    int boundPort = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:" + port, grpc::InsecureServerCredentials(), &boundPort);
    builder.RegisterService(&server.service);
    server.queue = builder.AddCompletionQueue();
    std::unique_ptr<grpc::Server> running = builder.BuildAndStart();
    if (!running) return 1;
    std::cout << boundPort << std::endl;

    for (int i = 0; i < kWaitingCalls; i++) {
        new PageCall(server);
        new StreamCall(server);
    }
    void *tag = nullptr;
    bool ok = false;
    while (server.queue->Next(&tag, &ok)) static_cast<Step *>(tag)->completed(ok);
}
