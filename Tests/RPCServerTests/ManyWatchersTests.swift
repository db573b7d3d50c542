import Framing
import MarvelDomain
import NIOCore
import RPCCore
import RPCServer
import Testing
import TrialChecks
import WireClients

/// Many who watch one list, and some of them never read.
@Suite(.timeLimit(.minutes(10)))
struct ManyWatchersTests {
    private static let readerConnections = 10
    private static let readersPerConnection = 99
    private static let sleepers = 10
    private static let all = readerConnections * readersPerConnection + sleepers

    @Test func aFastReaderGetsEveryChangeAndASlowOneLearnsItLostItsPlace() async throws {
        #expect(Self.all == 1_000)
        try await ServedList.run { list in
            let transcript = Transcript()
            let address = list.tcp
            try await withThrowingTaskGroup { readers in
                for _ in 0..<Self.readerConnections {
                    readers.addTask {
                        let peer = try await RawPeer.connect(to: address)
                        for number in 0..<Self.readersPerConnection { try await peer.watch(on: .number(number)) }
                        try await peer.read(into: transcript)
                    }
                }
                var sleepers: [RawPeer] = []
                for _ in 0..<Self.sleepers {
                    // The kernel takes little for a unix socket.
                    let peer = try await RawPeer.connect(to: list.unix, reads: false)
                    try await peer.watch(on: 1)
                    sleepers.append(peer)
                }
                let highest = try await change(list, readBy: transcript)
                readers.cancelAll()

                let log = try transcript.changes()
                #expect(log.map(\.revision) == Array(1...list.revision))
                // For each who sleeps: as much as may wait, the message that was made while there was room, and what the
                // kernel took, which is 208 KiB for a unix socket and a little more.
                let longest = try #require(transcript.messages.map(\.readableBytes).max()) + FrameHeader.byteCount
                #expect(highest <= Self.sleepers * (PeerLimits().maximumUnsentBytes + longest + 256 * 1024))
                for peer in sleepers {
                    let sights = try await peer.wakeUp(upTo: list.revision)
                    #expect(WatchCheck(base: list.begin, log: log, sights: sights).violations() == [])
                    #expect(sights.dropFirst().contains { $0.isSnapshot }, "in place of the missed changes")
                    #expect(sights.count < log.count)
                }
            }
        }
    }

    /// Changes the list until all who sleep have more unsent than may be, and then so often that their place is lost. Each
    /// change has come to all who read before the next: how fast the machine is decides nothing.
    ///
    /// - Returns: The most bytes that waited in the server.
    private func change(_ list: ServedList, readBy transcript: Transcript) async throws -> Int {
        let readers = Self.readerConnections * Self.readersPerConnection
        let full = Self.sleepers * PeerLimits().maximumUnsentBytes
        var highest = 0
        var missedBytes = 0
        try await eventually { transcript.count == readers }
        while missedBytes <= ServedList.maximumBacklog {
            let isFull = highest >= full
            try await list.change()
            try await eventually { transcript.count == readers * Int(list.revision + 1) }
            highest = max(highest, list.server.unsentByteCount)
            if isFull { missedBytes += transcript.messages.last?.readableBytes ?? 0 }
        }
        return highest
    }
}
