// The common code of the loads of all servers: their options, their requests, and their report.
#pragma once

#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "fnv.h"

[[noreturn]] inline void fail(const std::string &why) {
    std::cerr << why << std::endl;
    _exit(1);
}

inline double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

inline double now() { return seconds(CLOCK_MONOTONIC); }

class Options {
public:
    Options(int count, char **arguments) {
        for (int i = 1; i + 1 < count; i += 2) values_[arguments[i]] = arguments[i + 1];
    }

    std::string text(const std::string &name, const std::string &otherwise = "") const {
        auto found = values_.find(name);
        return found == values_.end() ? otherwise : found->second;
    }

    long number(const std::string &name, long otherwise = 0) const {
        return std::stol(text(name, std::to_string(otherwise)));
    }

    double time(const std::string &name, double otherwise) const {
        return std::stod(text(name, std::to_string(otherwise)));
    }

private:
    std::map<std::string, std::string> values_;
};

constexpr size_t kHeaderSize = 10;
constexpr uint8_t kRemoteClosed = 1;

inline uint32_t readNumber(const char *bytes) {
    auto place = reinterpret_cast<const uint8_t *>(bytes);
    return uint32_t(place[0]) << 24 | place[1] << 16 | place[2] << 8 | place[3];
}

// A Request frame. The flag of its stream's end means that the answers are a stream.
struct Request {
    std::string frame;

    bool isStream() const { return frame[9] & kRemoteClosed; }
};

// Reads the Request frames that marvel-bench writes. They are sent in turn.
inline std::vector<Request> readRequests(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<Request> requests;
    for (size_t start = 0; start < bytes.size(); start += requests.back().frame.size()) {
        requests.push_back({bytes.substr(start, kHeaderSize + readNumber(&bytes[start]))});
    }
    if (requests.empty()) fail(path + " has no requests");
    return requests;
}

// The calls that have ended, and what they cost the server.
class Tally {
public:
    explicit Tally(const Options &options) : pid_(options.number("--pid")) {
        if (clock_getcpuclockid(pid_, &clock_) != 0) fail("there is no such process");
        residentAtStart_ = residentWithIdle_ = residentBytes();
    }

    void idleConnected() { residentWithIdle_ = residentBytes(); }

    void begin() {
        messages = bytes = failures = 0;
        latencies_.clear();
        residentBefore_ = residentBytes();
        cpu_ = seconds(clock_);
        start_ = now();
    }

    void ended(double latency) { latencies_.push_back(static_cast<uint32_t>(latency * 1e9)); }

    // Prints the line that `LoadReport` decodes.
    void report() {
        const double elapsed = now() - start_, cpu = seconds(clock_) - cpu_;
        if (messages == 0 || failures > 0) fail(std::to_string(failures) + " calls failed");
        std::cout.precision(12);
        std::cout << "{\"calls\":" << latencies_.size() << ",\"messages\":" << messages << ",\"bytes\":" << bytes
                  << ",\"seconds\":" << elapsed << ",\"serverCPU\":" << cpu * 1e9 << ",\"p50\":" << percentile(0.5)
                  << ",\"p99\":" << percentile(0.99) << ",\"p999\":" << percentile(0.999)
                  << ",\"residentBytesAtStart\":" << residentAtStart_
                  << ",\"residentBytesWithIdle\":" << residentWithIdle_
                  << ",\"residentBytesBefore\":" << residentBefore_ << ",\"residentBytesAfter\":" << residentBytes()
                  << "}" << std::endl;
    }

    long messages = 0, bytes = 0, failures = 0;

private:
    long residentBytes() const {
        long size = 0, resident = 0;
        std::ifstream("/proc/" + std::to_string(pid_) + "/statm") >> size >> resident;
        return resident * sysconf(_SC_PAGESIZE);
    }

    double percentile(double share) {
        if (latencies_.empty()) return 0;
        auto place = latencies_.begin() + static_cast<long>(share * (latencies_.size() - 1));
        std::nth_element(latencies_.begin(), place, latencies_.end());
        return *place;
    }

    pid_t pid_;
    clockid_t clock_{};
    double start_ = 0, cpu_ = 0;
    long residentAtStart_ = 0, residentWithIdle_ = 0, residentBefore_ = 0;
    std::vector<uint32_t> latencies_;  // Nanoseconds.
};

// The answers to the first requests, as a hash for each: servers that do the same work have the same.
class Digests {
public:
    void add(const std::string &message) { hash_ = hash_bytes(hash_, message.data(), message.size()); }

    void callEnded() {
        std::cout << (isFirst_ ? "[\"" : ",\"") << std::hex << hash_ << '"';
        hash_ = fnv_start;
        isFirst_ = false;
    }

    void report() { std::cout << ']' << std::endl; }

private:
    uint64_t hash_ = fnv_start;
    bool isFirst_ = true;
};
