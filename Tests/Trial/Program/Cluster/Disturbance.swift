import MarvelDomain
import NIOCore
import Synchronization

/// A part of a replica's store that has a connection of its own, as it names itself to the database.
enum ConnectionPart: String, CaseIterable {
    case writer
    case reader
    case feed
    case background

    /// Finds the part in the first bytes that a replica sends.
    init?(startup bytes: ByteBufferView) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let part = Self.allCases.first(where: { text.contains("marvel-server \($0.rawValue)\0") }) else {
            return nil
        }
        self = part
    }
}

/// An end of a connection after some bytes, wherever in a message that is.
struct ByteCut: Sendable, Hashable {
    enum Direction: CaseIterable, Sendable {
        case toDatabase
        case toReplica
    }

    var part: ConnectionPart
    var direction: Direction
    /// The number of bytes that still pass, on all connections of the part.
    var byteCount: Int

    static func random(using random: inout SplitMix64) -> ByteCut {
        ByteCut(
            part: Bool.random(using: &random) ? .writer : .feed,
            direction: Bool.random(using: &random) ? .toDatabase : .toReplica,
            byteCount: Int.random(in: 0..<3_000, using: &random)
        )
    }
}

/// The faults that the proxies between replicas and databases make now, and counts of what they have done.
final class Disturbance: Sendable {
    enum Notifications: Sendable {
        case pass
        case drop
        case delay(TimeAmount)
    }

    struct Counts: Sendable {
        var cuts = 0
        var droppedNotifications = 0
        var delayedNotifications = 0
        var delayedBytes = 0
    }

    private struct State {
        var cut: ByteCut?
        var notifications = Notifications.pass
        var feedDelay: TimeAmount?
        var counts = Counts()
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock(\.counts) }
    /// The cut that has not happened yet.
    var nextCut: ByteCut? { state.withLock(\.cut) }

    func cut(_ cut: ByteCut) { state.withLock { $0.cut = cut } }
    func set(_ notifications: Notifications) { state.withLock { $0.notifications = notifications } }
    func delayFeed(by delay: TimeAmount?) { state.withLock { $0.feedDelay = delay } }

    func stop() {
        state.withLock { state in
            (state.cut, state.notifications, state.feedDelay) = (nil, .pass, nil)
        }
    }

    /// Returns the number of bytes after which a connection is cut; nil if all of them pass.
    func bytesBeforeCut(of count: Int, _ part: ConnectionPart, _ direction: ByteCut.Direction) -> Int? {
        state.withLock { state in
            guard var cut = state.cut, cut.part == part, cut.direction == direction else { return nil }
            guard cut.byteCount < count else {
                cut.byteCount -= count
                state.cut = cut
                return nil
            }
            state.cut = nil
            state.counts.cuts += 1
            return cut.byteCount
        }
    }

    /// Returns the delay of bytes to a feed; nil if they are dropped.
    func delay(ofNotification isNotification: Bool, _ byteCount: Int) -> TimeAmount? {
        state.withLock { state in
            if let delay = state.feedDelay {
                state.counts.delayedBytes += byteCount
                return delay
            }
            guard isNotification else { return .zero }
            switch state.notifications {
            case .pass:
                return .zero
            case .drop:
                state.counts.droppedNotifications += 1
                return nil
            case .delay(let delay):
                state.counts.delayedNotifications += 1
                return delay
            }
        }
    }
}
