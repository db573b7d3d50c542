import ArgumentParser
import MarvelClient

/// The ways to break the server, and what clients are told meanwhile.
enum FaultKind: String, CaseIterable, Sendable, ExpressibleByArgument {
    case kill
    case fullDisk = "full-disk"
    case readOnly = "read-only"
    case ioError = "io-error"
    case brokenDisk = "broken-disk"
    case stopped
    case clock
    case flippedBit = "flipped-bit"
    case killedRestore = "killed-restore"

    /// - Parameters:
    ///   - stage: Where the server runs.
    ///   - pause: How long `stopped` halts it.
    ///   - libraries: What some need.
    ///   - seed: Decides what some do first.
    /// - Returns: The fault, before its first cycle.
    /// - Throws: If this machine or this user cannot have it.
    func made(on stage: Stage, pause: Duration, libraries: FaultLibraries, seed: UInt64) throws -> any Fault {
        switch self {
        case .kill: Kill()
        case .fullDisk: try FullDisk(stage)
        case .readOnly: ReadOnly()
        case .ioError: IOErrors()
        case .stopped: Stopped(pause: pause)
        case .brokenDisk: try BrokenDisk(stage, library: libraries.diskFaults ?? "", seed: seed)
        case .clock: try ClockJump(stage, library: libraries.clockShift ?? "")
        case .flippedBit: FlippedBit(seed: seed)
        case .killedRestore: KilledRestore()
        }
    }

    /// Whether a toggle may fail like that. The disk's faults are told as such, and only they.
    func explains(_ error: RPCError) -> Bool {
        let isOfStore = error.reason?.rawValue.hasPrefix("STORE_") == true
        let blamesStore = error.code == .unavailable && error.reason == .storeReadOnly
        return switch self {
        case .kill, .stopped, .clock, .flippedBit, .killedRestore:
            (error.code == .unavailable || error.code == .deadlineExceeded) && !isOfStore
        case .fullDisk, .readOnly: blamesStore
        case .ioError, .brokenDisk: blamesStore || (error.code == .unavailable && !isOfStore)
        }
    }

    /// Returns the timeout of a toggle. It is short for a halted server, so that toggles time out.
    func timeout(pause: Duration) -> Duration { self == .stopped ? pause / 4 : .seconds(10) }
}
