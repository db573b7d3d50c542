// The reference for gRPC: a C++ server that answers the same pages.
//
//     grpc-server --catalog FILE --lists FILE [--port N]
//
// One completion queue and one thread, the quickest that gRPC C++ offers on one core: with its callback API a unary call
// took a third more time, and its channel arguments for throughput or latency changed nothing that could be told from
// noise. The characters are ready as objects: a call decodes its request, finds its page as pages-server does, and
// encodes it. Calls are kept and used again.
#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

extern "C" {
#include "pages.h"
}
#include "pages.grpc.pb.h"

using grpc::ServerCompletionQueue;
using marvel::v1::Character;
using marvel::v1::SearchCharactersRequest;
using marvel::v1::SearchCharactersResponse;

namespace {

constexpr int kWaitingCalls = 256;
const grpc::Status kInvalid(grpc::StatusCode::INVALID_ARGUMENT, "the token is invalid");

struct Server {
    bench::Pages::AsyncService service;
    std::unique_ptr<ServerCompletionQueue> queue;
    std::vector<Character> characters;  // By position.
    SearchCharactersResponse tail;

    // Makes objects of the catalog, and begins to answer.
    void decodeCharacters() {
        tail.ParseFromArray(page_tail().data, page_tail().length);
        characters.reserve(catalog_count());
        for (uint32_t i = 0; i < catalog_count(); i++) {
            const text element = encoded_characters(i, 1);
            SearchCharactersResponse page;
            if (page.ParseFromArray(element.data, element.length)) characters.push_back(page.characters(0));
        }
    }
};

text textOf(const std::string &string) {
    return {reinterpret_cast<const uint8_t *>(string.data()), string.size()};
}

// The pages of one call.
class Pages {
public:
    Pages(Server &server, const SearchCharactersRequest &request) : server_(server), message_(server.tail) {
        isValid_ = begin_search(&search_, textOf(request.query()), textOf(request.page_token()), request.skip(),
                                request.page_size(), textOf(request.list()));
    }

    ~Pages() { clear(); }

    bool isValid() const { return isValid_; }

    // Finds the next page. Returns whether another follows. The characters are lent to the message.
    bool next() {
        page page;
        const bool hasMore = next_page(&search_, &page);
        clear();
        for (uint32_t i = 0; i < page.count; i++) {
            message_.mutable_characters()->UnsafeArenaAddAllocated(&server_.characters[page.first + i]);
        }
        message_.set_total(page.total);
        message_.set_next_page_token(reinterpret_cast<const char *>(page.token), page.token_length);
        message_.mutable_favorite_ids()->Assign(page.favorites, page.favorites + page.favorite_count);
        return hasMore;
    }

    const SearchCharactersResponse &message() const { return message_; }

private:
    void clear() {
        auto characters = message_.mutable_characters();
        characters->UnsafeArenaExtractSubrange(0, characters->size(), nullptr);
    }

    Server &server_;
    bool isValid_;
    search search_;
    SearchCharactersResponse message_;
};

// The target of a tag of the completion queue.
class Step {
public:
    virtual ~Step() = default;
    virtual void completed(bool ok) = 0;
};

// A call with one answer.
class PageCall final : public Step {
public:
    explicit PageCall(Server &server) : server_(server) { wait(); }

    void completed(bool ok) override {
        if (isWaiting_ && ok) {
            isWaiting_ = false;
            Pages pages(server_, request_);
            if (!pages.isValid()) return writer_->FinishWithError(kInvalid, this);
            pages.next();
            writer_->Finish(pages.message(), grpc::Status::OK, this);
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
        if (!pages_) {
            pages_.emplace(server_, request_);
            pagesLeft_ = request_.max_pages();
        }
        isOver_ = !pages_->isValid();
        if (isOver_) return writer_->Finish(kInvalid, this);
        isOver_ = !pages_->next() || --pagesLeft_ == 0;
        if (!isOver_) return writer_->Write(pages_->message(), this);
        writer_->WriteAndFinish(pages_->message(), grpc::WriteOptions(), grpc::Status::OK, this);
    }

private:
    void wait() {
        pages_.reset();
        isOver_ = false;
        writer_.reset();
        context_.emplace();
        writer_.emplace(&*context_);
        server_.service.RequestMany(
            &*context_, &request_, &*writer_, server_.queue.get(), server_.queue.get(), this);
    }

    Server &server_;
    int pagesLeft_ = 0;
    std::optional<Pages> pages_;
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
        } else if (std::strcmp(arguments[i], "--catalog") == 0) {
            read_catalog(arguments[i + 1]);
        } else if (std::strcmp(arguments[i], "--lists") == 0) {
            read_lists(arguments[i + 1]);
        } else {
            return std::cerr << "unknown argument " << arguments[i] << "\n", 64;
        }
    }

    server.decodeCharacters();

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
