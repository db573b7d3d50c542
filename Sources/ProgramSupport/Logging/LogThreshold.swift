package import Logging
internal import Synchronization

/// The minimum level of logged events. It may change while the program runs.
package final class LogThreshold: Sendable {
    /// Making the array for each event would allocate.
    private static let levels = Logger.Level.allCases

    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
