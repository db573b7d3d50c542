// The load on servers of framed calls: one thread and one epoll. Each connection sends what one read has made room for
// with one write. Answers are not decoded, so that the load costs little.
//
//     framed-load --port N --pid N --requests FILE [--connections N] [--in-flight N] [--open N]
//                [--warmup S] [--seconds S | --calls N]
//     framed-load --port N --pid N --requests FILE --digests N
//
// With `--open`, no more calls are in flight on all connections together, which make calls in turn.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "load.h"
#include "marvel/rpc/v1/ttrpc.pb.h"

namespace {

constexpr uint8_t kResponse = 2, kNoData = 4;
constexpr unsigned kSlotBits = 7;
constexpr uint8_t kStatusField = 1 << 3 | 2;

struct Load {
    std::vector<Request> requests;
    size_t next = 0;
    long left = 0;  // The calls that may begin.
    long open = 0;
    const long limit;  // Of open calls.
    size_t turn = 0;   // The next connection, if not all are busy.
    Tally tally;
    Digests *digests = nullptr;

    explicit Load(const Options &options)
        : requests(readRequests(options.text("--requests"))), limit(options.number("--open", LONG_MAX)), tally(options) {}

    const Request &take() {
        left--;
        open++;
        const Request &request = requests[next];
        next = next + 1 == requests.size() ? 0 : next + 1;
        return request;
    }
};

class Connection {
public:
    Connection(Load &load, int port, unsigned places) : load_(load), starts_(places) {
        socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) fail("connect");
        const int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        for (unsigned slot = 0; slot < places; slot++) free_.push_back(slot);
    }

    int socket() const { return socket_; }
    bool hasUnsent() const { return !out_.empty(); }

    // Begins as many calls as there is room for, and sends them.
    void fill() {
        const double time = free_.empty() ? 0 : now();
        while (!free_.empty() && load_.left > 0 && load_.open < load_.limit) {
            const unsigned slot = free_.back();
            free_.pop_back();
            starts_[slot] = time;
            const size_t start = out_.size();
            out_ += load_.take().frame;
            // Ids grow; the lowest bits are the place, so that no table is needed.
            const uint32_t id = htonl((calls_++ << kSlotBits | slot) << 1 | 1);
            std::memcpy(&out_[start + 4], &id, sizeof id);
        }
        flush();
    }

    void receive() {
        static char buffer[kReadSize];
        const size_t kept = in_.copy(buffer, in_.size());
        const ssize_t count = recv(socket_, buffer + kept, kReadSize - kept, MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) fail("the server closed the connection");
        const double time = now();
        size_t start = 0;
        const size_t end = kept + count;
        while (end - start >= kHeaderSize) {
            const size_t length = readNumber(buffer + start);
            if (end - start < kHeaderSize + length) break;
            received(buffer + start, length, time);
            start += kHeaderSize + length;
        }
        in_.assign(buffer + start, end - start);
    }

private:
    static constexpr size_t kReadSize = 256 * 1024;

    void received(const char *frame, size_t length, double time) {
        const uint8_t type = frame[8], flags = frame[9];
        const uint32_t id = readNumber(frame + 4);
        if (id == UINT32_MAX) return;  // Of the connection.
        const char *data = frame + kHeaderSize;
        if (type == kResponse && length > 0 && static_cast<uint8_t>(data[0]) == kStatusField) load_.tally.failures++;
        if (!(flags & kNoData) && (type != kResponse || length > 0)) {
            load_.tally.messages++;
            load_.tally.bytes += length;
            if (load_.digests != nullptr) load_.digests->add(message(type, data, length));
        }
        if (type != kResponse && !(flags & kRemoteClosed)) return;
        const unsigned slot = id >> 1 & ((1 << kSlotBits) - 1);
        load_.tally.ended(time - starts_[slot]);
        load_.open--;
        free_.push_back(slot);
        if (load_.digests != nullptr) load_.digests->callEnded();
    }

    static std::string message(uint8_t type, const char *data, size_t length) {
        if (type != kResponse) return {data, length};
        marvel::rpc::v1::Response envelope;
        if (!envelope.ParseFromArray(data, length)) fail("an answer is invalid");
        return envelope.payload();
    }

    void flush() {
        if (out_.empty()) return;
        const ssize_t count = send(socket_, out_.data(), out_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN) fail("send");
        if (count > 0) out_.erase(0, count);
    }

    Load &load_;
    int socket_;
    std::string in_, out_;
    std::vector<double> starts_;
    std::vector<unsigned> free_;
    uint32_t calls_ = 0;
};

// Makes calls until the time is over, or until as many as given have ended.
void run(Load &load, std::vector<std::unique_ptr<Connection>> &connections, int poller, double until, long calls) {
    load.left = calls;
    for (auto &connection : connections) connection->fill();
    epoll_event events[256];
    while (load.open > 0 && now() < until) {
        const int ready = epoll_wait(poller, events, 256, 1000);
        for (int i = 0; i < ready; i++) {
            auto connection = static_cast<Connection *>(events[i].data.ptr);
            const bool hadUnsent = connection->hasUnsent();
            if (events[i].events & EPOLLIN) connection->receive();
            if (load.limit == LONG_MAX) connection->fill();
            while (load.limit < LONG_MAX && load.open < load.limit && load.left > 0) {
                connections[load.turn++ % connections.size()]->fill();
            }
            if (connection->hasUnsent() == hadUnsent) continue;
            epoll_event wanted{};
            wanted.events = connection->hasUnsent() ? EPOLLIN | EPOLLOUT : EPOLLIN;
            wanted.data.ptr = connection;
            epoll_ctl(poller, EPOLL_CTL_MOD, connection->socket(), &wanted);
        }
    }
}

}  // namespace

int main(int count, char **arguments) {
    const Options options(count, arguments);
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    Load load(options);
    Digests digests;
    const long checked = options.number("--digests");
    if (checked > 0) load.digests = &digests;
    const long connectionCount = checked > 0 ? 1 : options.number("--connections", 16);
    const long places = checked > 0 ? 1 : options.number("--in-flight", 16);
    if (places > 1 << kSlotBits) fail("too many calls in flight");

    const int poller = epoll_create1(0);
    std::vector<std::unique_ptr<Connection>> connections;
    for (long i = 0; i < connectionCount; i++) {
        connections.push_back(std::make_unique<Connection>(load, options.number("--port"), places));
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        wanted.data.ptr = connections.back().get();
        epoll_ctl(poller, EPOLL_CTL_ADD, connections.back()->socket(), &wanted);
    }
    const long calls = options.number("--calls", checked);
    if (checked > 0) {
        run(load, connections, poller, now() + 60, checked);
        if (load.tally.failures > 0) fail("a call failed");
        digests.report();
    } else if (calls > 0) {
        run(load, connections, poller, now() + 600, calls / 4);
        load.tally.begin();
        run(load, connections, poller, now() + 600, calls);
        load.tally.report();
    } else {
        run(load, connections, poller, now() + options.time("--warmup", 0.5), LONG_MAX);
        load.tally.begin();
        run(load, connections, poller, now() + options.time("--seconds", 2), LONG_MAX);
        load.tally.report();
    }
    _exit(0);
}
