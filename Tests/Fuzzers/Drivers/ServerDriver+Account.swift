internal import Framing
internal import NIOCore

/// This side's own books, kept apart from the machine.
extension ServerDriver {
    /// Streams that ended last, whose frames are late and not wrong.
    private static let rememberedStreams = 32

    mutating func remember(_ id: StreamID) {
        ended.append(id)
        if ended.count > Self.rememberedStreams { ended.removeFirst() }
    }

    /// Credit that arrives: the machine counts what is left, this counts from the start.
    mutating func noteCredit(_ frame: Frame) {
        guard frame.header.type == .credit, initialCredit != nil, frame.data.readableBytes == 4 else { return }
        guard let granted = running[frame.header.streamID]?.granted else { return }
        let grant = UInt64(frame.data.getInteger(at: frame.data.readerIndex, as: UInt32.self) ?? 0)
        let sent = running[frame.header.streamID]?.sent ?? 0
        running[frame.header.streamID]?.granted = min(granted + grant, sent + UInt64(UInt32.max))
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
