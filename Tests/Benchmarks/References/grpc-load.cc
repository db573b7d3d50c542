// The load on grpc-server, and with `--methods marvel` on marvel-server's HTTP port: what framed-load is to the framed
// servers, with the same options and report.
//
// One completion queue and one thread; requests are encoded once, and answers are not decoded, so that the
// load costs as little as gRPC C++ lets it.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>

#include "load.h"
#include "marvel/rpc/v1/ttrpc.pb.h"

namespace {

struct Load {
    std::string method;
    // Used in turn.
    std::vector<grpc::ByteBuffer> requests;
    bool isStream;
    size_t next = 0;
    Tally tally;
    Digests *digests = nullptr;

    explicit Load(const Options &options) : tally(options) {
        const auto frames = readRequests(options.text("--requests"));
        isStream = frames[0].isStream();
        for (const Request &request : frames) {
            marvel::rpc::v1::Request envelope;
            if (!envelope.ParseFromString(request.frame.substr(kHeaderSize))) fail("a request is invalid");
            // A stream of one message is a unary call on the wire.
            method = options.text("--methods") == "marvel" ? "/" + envelope.service() + "/" + envelope.method()
                                                           : std::string("/bench.Pages/") + (isStream ? "Many" : "One");
            grpc::Slice slice(envelope.payload());
            requests.push_back(grpc::ByteBuffer(&slice, 1));
        }
    }

    const grpc::ByteBuffer &request() { return requests[next++ % requests.size()]; }
};

// A connection of its own: channels that share one would be one connection to the server.
std::shared_ptr<grpc::Channel> connect(const std::string &address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

// One place in flight: when its call ends, the next begins.
class Call {
public:
    Call(std::shared_ptr<grpc::Channel> channel, Load &load, grpc::CompletionQueue &queue)
        : stub_(channel), load_(load), queue_(queue) {}

    void begin() {
        start_ = now();
        reader_.reset();
        stream_.reset();
        context_.emplace();
        if (load_.isStream) {
            stream_ = stub_.PrepareCall(&*context_, load_.method, &queue_);
            step_ = Step::calling;
            stream_->StartCall(this);
        } else {
            reader_ = stub_.PrepareUnaryCall(&*context_, load_.method, load_.request(), &queue_);
            reader_->StartCall();
            step_ = Step::finishing;
            reader_->Finish(&response_, &status_, this);
        }
    }

    // Returns whether the call is over.
    bool completed(bool ok) {
        switch (step_) {
            case Step::calling:
                step_ = Step::writing;
                stream_->WriteLast(load_.request(), grpc::WriteOptions(), this);
                return false;
            case Step::writing:
                step_ = Step::reading;
                stream_->Read(&response_, this);
                return false;
            case Step::reading:
                if (ok) {
                    count();
                    stream_->Read(&response_, this);
                } else {
                    step_ = Step::finishing;
                    stream_->Finish(&status_, this);
                }
                return false;
            case Step::finishing:
                break;
        }
        if (!load_.isStream) count();
        if (!status_.ok()) load_.tally.failures++;
        load_.tally.ended(now() - start_);
        if (load_.digests != nullptr) load_.digests->callEnded();
        return true;
    }

private:
    enum class Step { calling, writing, reading, finishing };

    void count() {
        load_.tally.messages++;
        load_.tally.bytes += static_cast<long>(response_.Length());
        if (load_.digests == nullptr) return;
        grpc::Slice message;
        if (!response_.DumpToSingleSlice(&message).ok()) fail("an answer is invalid");
        load_.digests->add({reinterpret_cast<const char *>(message.begin()), message.size()});
    }

    grpc::GenericStub stub_;
    Load &load_;
    grpc::CompletionQueue &queue_;
    Step step_ = Step::calling;
    double start_ = 0;
    grpc::ByteBuffer response_;
    grpc::Status status_;
    std::optional<grpc::ClientContext> context_;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader_;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
};

// Serves completions until the time is over; without `again`, until each of `calls` has ended.
void run(grpc::CompletionQueue &queue, double until, long calls, bool again) {
    void *tag = nullptr;
    bool ok = false;
    while (calls > 0 && now() < until && queue.Next(&tag, &ok)) {
        auto call = static_cast<Call *>(tag);
        if (!call->completed(ok)) continue;
        if (again) call->begin();
        else calls--;
    }
}

}  // namespace

int main(int count, char **arguments) {
    const Options options(count, arguments);
    Load load(options);
    const std::string address = "127.0.0.1:" + options.text("--port");
    grpc::CompletionQueue queue;

    if (const long checked = options.number("--digests"); checked > 0) {
        Digests digests;
        load.digests = &digests;
        Call call(connect(address), load, queue);
        for (long i = 0; i < checked; i++) {
            call.begin();
            run(queue, now() + 10, 1, false);
        }
        if (load.tally.failures > 0) fail("a call failed");
        digests.report();
        _exit(0);
    }

    std::vector<std::unique_ptr<Call>> idle, working;
    for (long i = 0; i < options.number("--idle"); i++) {
        idle.push_back(std::make_unique<Call>(connect(address), load, queue));
        idle.back()->begin();
        run(queue, now() + 10, 1, false);
    }
    load.tally.idleConnected();

    for (long i = 0; i < options.number("--connections", 16); i++) {
        auto channel = connect(address);
        for (long j = 0; j < options.number("--in-flight", 16); j++) {
            working.push_back(std::make_unique<Call>(channel, load, queue));
            working.back()->begin();
        }
    }
    run(queue, now() + options.time("--warmup", 0.5), 1, true);
    load.tally.begin();
    run(queue, now() + options.time("--seconds", 2), 1, true);
    load.tally.report();
    // Calls are still open; the system ends them quicker than they would end themselves.
    _exit(0);
}
