// The load on grpc-server, and with `--methods marvel` on marvel-server's HTTP port: what `marvel-bench load` is to the
// framed servers, with the same options and report.
//
// One completion queue and one thread; requests are encoded once, and answers are not decoded, so that the
// load costs as little as gRPC C++ lets it.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pages.pb.h"

namespace {

double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

long residentBytes(pid_t pid) {
    long size = 0, resident = 0;
    std::ifstream("/proc/" + std::to_string(pid) + "/statm") >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

struct Tally {
    long calls = 0, messages = 0, bytes = 0, failures = 0;
    std::vector<uint32_t> latencies;  // Nanoseconds.
};

struct Workload {
    std::string method;
    // Used in turn. A page is another one of 2,048 each time.
    std::vector<grpc::ByteBuffer> requests;
    bool isStream = false;
    mutable size_t next = 0;

    Workload(const std::string &name, bool isMarvel) {
        marvel::v1::SearchCharactersRequest search;
        search.set_query("co");
        search.set_page_size(10);
        search.set_max_pages(name == "stream" ? 100 : 1);
        isStream = name == "stream";
        // A stream of one message is a unary call on the wire.
        method = isMarvel ? "/marvel.v1.MarvelService/SearchCharacters"
                          : std::string("/bench.Pages/") + (isStream ? "Many" : "One");
        for (int skip = 0; skip < (isStream ? 1 : 2048); skip++) {
            search.set_skip(skip);
            grpc::Slice slice(search.SerializeAsString());
            requests.push_back(grpc::ByteBuffer(&slice, 1));
        }
    }

    const grpc::ByteBuffer &request() const { return requests[next++ % requests.size()]; }
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
    Call(std::shared_ptr<grpc::Channel> channel, const Workload &workload, grpc::CompletionQueue &queue, Tally &tally)
        : stub_(channel), workload_(workload), queue_(queue), tally_(tally) {}

    void begin() {
        start_ = seconds(CLOCK_MONOTONIC);
        reader_.reset();
        stream_.reset();
        context_.emplace();
        if (workload_.isStream) {
            stream_ = stub_.PrepareCall(&*context_, workload_.method, &queue_);
            step_ = Step::calling;
            stream_->StartCall(this);
        } else {
            reader_ = stub_.PrepareUnaryCall(&*context_, workload_.method, workload_.request(), &queue_);
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
                stream_->WriteLast(workload_.request(), grpc::WriteOptions(), this);
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
        if (!workload_.isStream) count();
        if (status_.ok()) tally_.calls++;
        else tally_.failures++;
        tally_.latencies.push_back(static_cast<uint32_t>((seconds(CLOCK_MONOTONIC) - start_) * 1e9));
        return true;
    }

private:
    enum class Step { calling, writing, reading, finishing };

    void count() {
        tally_.messages++;
        tally_.bytes += static_cast<long>(response_.Length());
    }

    grpc::GenericStub stub_;
    const Workload &workload_;
    grpc::CompletionQueue &queue_;
    Tally &tally_;
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
    while (calls > 0 && seconds(CLOCK_MONOTONIC) < until && queue.Next(&tag, &ok)) {
        auto call = static_cast<Call *>(tag);
        if (!call->completed(ok)) continue;
        if (again) call->begin();
        else calls--;
    }
}

double percentile(std::vector<uint32_t> &values, double share) {
    if (values.empty()) return 0;
    auto place = values.begin() + static_cast<long>(share * (values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

int main(int count, char **arguments) {
    std::map<std::string, std::string> options{
        {"--workload", "page"}, {"--connections", "16"}, {"--in-flight", "16"},
        {"--idle", "0"},        {"--warmup", "0.5"},     {"--seconds", "2"},   {"--methods", "bench"},
    };
    for (int i = 1; i < count; i++) {
        if (std::string(arguments[i]) == "--idle-call") continue;  // They do anyway, or there were no connection.
        if (i + 1 < count) options[arguments[i]] = arguments[i + 1], i++;
    }
    const Workload workload(options["--workload"], options["--methods"] == "marvel");
    const std::string address = "127.0.0.1:" + options["--port"];
    const pid_t pid = std::stoi(options["--pid"]);
    clockid_t serverClock;
    if (clock_getcpuclockid(pid, &serverClock) != 0) return std::cerr << "there is no such process\n", 1;

    grpc::CompletionQueue queue;
    Tally tally;
    const long residentAtStart = residentBytes(pid);
    std::vector<std::unique_ptr<Call>> idle, working;
    for (int i = 0; i < std::stoi(options["--idle"]); i++) {
        idle.push_back(std::make_unique<Call>(connect(address), workload, queue, tally));
        idle.back()->begin();
        run(queue, seconds(CLOCK_MONOTONIC) + 10, 1, false);
    }
    const long residentWithIdle = residentBytes(pid);

    for (int i = 0; i < std::stoi(options["--connections"]); i++) {
        auto channel = connect(address);
        for (int j = 0; j < std::stoi(options["--in-flight"]); j++) {
            working.push_back(std::make_unique<Call>(channel, workload, queue, tally));
            working.back()->begin();
        }
    }
    run(queue, seconds(CLOCK_MONOTONIC) + std::stod(options["--warmup"]), 1, true);
    tally = Tally();
    const long residentBefore = residentBytes(pid);
    const double start = seconds(CLOCK_MONOTONIC), server = seconds(serverClock);
    run(queue, start + std::stod(options["--seconds"]), 1, true);
    const double elapsed = seconds(CLOCK_MONOTONIC) - start, serverCPU = seconds(serverClock) - server;
    if (tally.messages == 0 || tally.failures > 0) return std::cerr << tally.failures << " calls failed\n", 1;

    std::cout.precision(12);
    std::cout << "{\"calls\":" << tally.calls << ",\"messages\":" << tally.messages << ",\"bytes\":" << tally.bytes
              << ",\"seconds\":" << elapsed << ",\"serverCPU\":" << serverCPU * 1e9
              << ",\"p50\":" << percentile(tally.latencies, 0.5) << ",\"p99\":" << percentile(tally.latencies, 0.99)
              << ",\"p999\":" << percentile(tally.latencies, 0.999) << ",\"residentBytesAtStart\":" << residentAtStart
              << ",\"residentBytesWithIdle\":" << residentWithIdle << ",\"residentBytesBefore\":" << residentBefore
              << ",\"residentBytesAfter\":" << residentBytes(pid) << "}" << std::endl;
    // Calls are still open; the system ends them quicker than they would end themselves.
    _exit(0);
}
