internal import Framing
internal import NIOCore
internal import RPCCore

/// This side's own books, kept apart from the machine.
extension ServerDriver {
    /// Streams that ended last, whose frames are late and not wrong.
    private static let rememberedStreams = 32

    mutating func remember(_ id: StreamID) {
        ended.append(id)
        if ended.count > Self.rememberedStreams { ended.removeFirst() }
    }

    /// Adds to what a stream may send.
    mutating func grant(_ messages: UInt32, to id: StreamID) {
        guard let call = running[id], let granted = call.granted else { return }
        running[id]?.granted = min(granted + UInt64(messages), call.sent + UInt64(UInt32.max))
    }

    /// Data for a stream that is not open is late if it ended among the last, and wrong otherwise: so it shows that
    /// the machine remembers as many as it should, and no more.
    mutating func checkData(_ header: FrameHeader, _ action: ServerConnectionStateMachine.OnFrame) {
        guard header.type == .data, header.streamID.isOdd else { return }
        if case .endConnection = action { return }
        let id = header.streamID
        if let call = running[id] {
            let isIgnored = action == .ignore
            expect(isIgnored == call.isStopping, "data on \(id), which is stopping: \(call.isStopping), is \(action)")
        } else {
            let expected: ServerConnectionStateMachine.OnFrame =
                ended.contains(id) ? .ignore : .refuse(id, .inactiveStream)
            expect(action == expected, "data on \(id), which is not open, is \(action) and not \(expected)")
        }
    }
}
