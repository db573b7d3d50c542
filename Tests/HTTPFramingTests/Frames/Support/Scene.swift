import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPFraming

/// A server's state machine, its peer, and what both have seen.
final class Scene {
    var machine: HTTP2ServerStateMachine
    private(set) var events: [HTTP2Event] = []

    /// Makes a connection.
    ///
    /// - Parameters:
    ///   - settings: The settings with which its peer begins; nil if it sends nothing.
    ///   - maximumStreams: The maximum number of streams.
    init(settings: [(UInt16, UInt32)]? = [], maximumStreams: Int = 4) {
        machine = HTTP2ServerStateMachine(maximumStreams: maximumStreams, maximumHeaderListByteCount: 16 * 1024)
        guard let settings else { return }
        receive(Array(Frame.preface.utf8))
        receive(.settings(settings))
        _ = sent()
        events = []
    }

    /// Receives bytes, as one read.
    func receive(_ bytes: [UInt8]) {
        machine.receive(ByteBuffer(bytes: bytes))
        while let event = machine.nextEvent() { events.append(event) }
        machine.settleInput()
    }

    func receive(_ frames: Frame...) { receive(frames) }

    func receive(_ frames: [Frame]) { receive(frames.flatMap(\.bytes)) }

    /// Takes the events since the last such call, as texts.
    func seen() -> [String] {
        defer { events = [] }
        return events.map(\.text)
    }

    /// Takes the headers of the requests since the last such call.
    func lists() -> [HeaderList] {
        defer { events = [] }
        return events.compactMap { event in
            guard case .request(_, let list, _) = event else { return nil }
            return list
        }
    }

    /// Takes the frames that were sent since the last such call.
    func sent() -> [Frame] {
        machine.sendGathered()
        guard let frames = Frame.frames(of: machine.takeOutput()) else {
            Issue.record("the last frame that was sent is not whole")
            return []
        }
        return frames
    }

    /// The fault that has ended the connection.
    var fault: ConnectionFault? {
        for case .connectionFault(let fault) in events { return fault }
        return nil
    }

    /// Sends DATA on a stream.
    func send(_ count: Int, on stream: UInt32, end: Bool = false) {
        machine.sendData(endStream: end, on: StreamID(rawValue: stream)) { $0.writeRepeatingByte(1, count: count) }
    }

    /// Adds DATA to that of the turn.
    func gather(_ count: Int, on stream: UInt32) {
        machine.gatherData(on: StreamID(rawValue: stream)) { $0.writeRepeatingByte(1, count: count) }
    }

    func sendHeaders(_ headers: HPACKHeaders = [":status": "200"], on stream: UInt32, end: Bool = false) {
        machine.sendHeaders(headers, endStream: end, on: StreamID(rawValue: stream))
    }
}

/// The state of the machine, which cannot be copied into an expectation.
extension Scene {
    var isInsideFrame: Bool { machine.isInsideFrame }
    var inputByteCount: Int { machine.inputByteCount }
    var inboundWindow: Int { machine.inboundWindow }
    var unsentByteCount: Int { machine.unsentByteCount }
    var unflushedByteCount: Int { machine.unflushedByteCount }
    var hasOutput: Bool { machine.hasOutput }
    var openCount: Int { machine.streams.open.count }

    func inboundWindow(of id: StreamID) -> Int? { machine.inboundWindow(of: id) }
    func isStuck(_ id: StreamID) -> Bool { machine.isStuck(id) }
    func hasRoom(on id: StreamID) -> Bool { machine.hasRoom(on: id) }
    func isSending(_ id: StreamID) -> Bool { machine.isSending(id) }
    func closed() -> [StreamID] {
        var closed: [StreamID] = []
        while let id = machine.nextClosed() { closed.append(id) }
        return closed
    }

    func stalled() -> [StreamID] { machine.stalledStreams() }
    func written() -> WrittenFrames { machine.takeWritten() }
}

extension HTTP2Event {
    var text: String {
        switch self {
        case .request(let id, let list, let endStream):
            "request \(id.rawValue) \(list.headers.count)\(endStream ? " end" : "")"
        case .trailers(let id, _): "trailers \(id.rawValue)"
        case .data(let id, let bytes, let endStream):
            "data \(id.rawValue) \(bytes.readableBytes)\(endStream ? " end" : "")"
        case .reset(let id): "reset \(id.rawValue)"
        case .streamFault(let id): "fault \(id.rawValue)"
        case .streamRefused(let id): "refused \(id.rawValue)"
        case .discarded(let byteCount): byteCount == 0 ? "discarded" : "discarded \(byteCount)"
        case .settings: "settings"
        case .ping: "ping"
        case .pingAnswer(let data): "pong \(data)"
        case .control: "control"
        case .unknown: "unknown"
        case .connectionFault(let fault): "end \(fault.code.rawValue)"
        }
    }
}
