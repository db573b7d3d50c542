import Framing
import Glibc
import Histogram

/// One connection of a load: each call that ends brings the next, and all that one read brought leave with one write.
///
/// It reads headers in place and copies no data, or the load would cost more than the fastest of the servers.
final class LoadConnection {
    private static let inboundSize = 256 * 1024
    /// More than the calls that are ever open at once.
    private static let startTimeCount = 1024

    let socket: Socket
    private let requests: [RequestTemplate]
    private let inbound: UnsafeMutableRawBufferPointer
    private var inboundCount = 0
    private let outbound: UnsafeMutableRawBufferPointer
    private var outboundCount = 0
    private var nextStream: UInt32 = 1
    private var nextRequest = 0
    private var nextCall: UInt64
    /// The start of each open call, by its stream id.
    private var startTimes = [UInt64](repeating: 0, count: LoadConnection.startTimeCount)

    /// - Parameters:
    ///   - port: The server's port on this machine.
    ///   - workload: What to ask for.
    ///   - number: Which of the load's connections this is.
    ///   - inFlight: How many calls it will keep open.
    /// - Throws: If it cannot connect.
    init(port: Int, workload: Workload, number: Int, inFlight: Int) throws {
        precondition(inFlight <= LoadConnection.startTimeCount)
        socket = try Socket(connectedTo: port)
        requests = workload.requests(connection: number)
        nextCall = UInt64.random(in: 0 ... .max)
        let frameSize = requests.map(\.bytes.count).max() ?? 0
        inbound = .allocate(byteCount: LoadConnection.inboundSize, alignment: 8)
        outbound = .allocate(byteCount: inFlight * frameSize, alignment: 8)
    }

    deinit {
        inbound.deallocate()
        outbound.deallocate()
    }

    func start(inFlight: Int) throws {
        let now = LoadLoop.now()
        for _ in 0..<inFlight { writeRequest(now) }
        try flush()
    }

    /// Reads once, and sends a new request for each call that has ended.
    func readable(tally: inout LoadTally) throws {
        inboundCount += try socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: inbound[inboundCount...]))
        let now = LoadLoop.now()
        var start = 0
        while let frame = try frame(at: start) {
            start += FrameHeader.byteCount + frame.data.count
            guard tally.received(type: frame.type, flags: frame.flags, data: frame.data) else { continue }
            tally.latencies.record(now &- startTimes[startTimeIndex(frame.stream)])
            writeRequest(now)
        }
        inboundCount -= start
        if start > 0, inboundCount > 0, let bytes = inbound.baseAddress { memmove(bytes, bytes + start, inboundCount) }
        try flush()
    }

    /// Waits for the answer to a call, and sends no other.
    func answered(tally: inout LoadTally) throws {
        let calls = tally.calls
        while tally.calls == calls {
            inboundCount += try socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: inbound[inboundCount...]))
            guard let frame = try frame(at: 0) else { continue }
            _ = tally.received(type: frame.type, flags: frame.flags, data: frame.data)
            guard tally.failures == 0 else { throw BenchmarkError("a toggle failed") }
            inboundCount = 0
        }
    }

    private typealias RawFrame = (stream: UInt32, type: UInt8, flags: UInt8, data: UnsafeRawBufferPointer)

    private func frame(at start: Int) throws -> RawFrame? {
        guard inboundCount - start >= FrameHeader.byteCount else { return nil }
        let length = Int(UInt32(bigEndian: inbound.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        let end = start + FrameHeader.byteCount + length
        guard end - start <= LoadConnection.inboundSize else { throw BenchmarkError("a frame of \(length) bytes") }
        guard end <= inboundCount else { return nil }
        return (
            UInt32(bigEndian: inbound.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)),
            inbound[start + 8], inbound[start + 9],
            UnsafeRawBufferPointer(rebasing: inbound[(start + FrameHeader.byteCount)..<end])
        )
    }

    private func writeRequest(_ now: UInt64) {
        let request = requests[nextRequest]
        let target = outbound.baseAddress.unsafelyUnwrapped + outboundCount
        request.write(to: target, stream: nextStream, call: nextCall)
        outboundCount += request.bytes.count
        startTimes[startTimeIndex(nextStream)] = now
        nextStream += 2
        nextCall &+= 1
        nextRequest = nextRequest + 1 == requests.count ? 0 : nextRequest + 1
    }

    private func startTimeIndex(_ stream: UInt32) -> Int {
        Int(stream >> 1) & (LoadConnection.startTimeCount - 1)
    }

    private func flush() throws {
        guard outboundCount > 0 else { return }
        try socket.send(UnsafeRawBufferPointer(rebasing: outbound[..<outboundCount]))
        outboundCount = 0
    }
}
