import Foundation
import Glibc
import MarvelDomain

/// The k-th write, sync or truncation of a server goes wrong, counted from its start: it fails, a write may be torn or
/// spoiled, and the server may end in the middle of it.
///
/// Each server opens a store that was left behind by a kill, serves for a moment, and is told to stop: so k comes to
/// recovery, to commits, and to the last checkpoint. The runs are short, so that all their calls can be met.
struct BrokenDisk: Fault {
    /// In the seed's order: few cycles come to all parts of a run, and as many as there are cases meet each once.
    private let cases: [(fault: DiskFault, number: Int)]
    private let file: FaultFile
    private let stage: ServerStage
    private var fault: DiskFault
    private var cycle = 0
    private var metCount = 0
    private var refusedStarts = 0

    var summary: String? {
        """
        \(min(cycle, cases.count)) of \(cases.count) calls and faults tried: in \(metCount) of \(cycle) cycles the call \
        was made and went wrong; \(refusedStarts) starts failed
        """
    }

    init(_ stage: ServerStage, _ settings: TrialSettings) throws {
        self.stage = stage
        var random = SplitMix64(seed: settings.seed)
        cases = DiskFault.all.shuffled(using: &random)
        fault = cases[0].fault
        file = try FaultFile(stage.path("disk-faults"))
        stage.environment = ["LD_PRELOAD": settings.libraries + "/disk-faults.so", "MARVEL_DISK_FAULTS": file.path]
    }

    mutating func prepare() async throws {
        let (fault, number) = cases[cycle % cases.count]
        self.fault = fault
        cycle += 1
        try await stage.kill()
        try file.arm(fault, number: number)
        do {
            try await stage.start()
        } catch is ServerRefused {
            guard try file.metCount() > 0 else { throw RunError("the store was refused on a good disk") }
            refusedStarts += 1
            metCount += 1
            try file.disarm()
            try await stage.start()
        }
    }

    /// At once: all have been answered by now, or told that they cannot be.
    func strike(after delay: Duration, _ signs: Signs) async throws {
        signs.stop()
        if try file.metCount() > 0, !fault.killsServer { try await checkWhatIsServed(signs) }
        try await stage.stop()
    }

    mutating func recover() async throws {
        guard try file.count(of: .write) > 0 else { throw RunError("the server's calls are not seen") }
        if try file.metCount() > 0 { metCount += 1 }
        try file.disarm()
        try await stage.start()
    }

    /// Lists can be read. A failed change succeeds when it is sent again, but after a failed sync all are refused.
    private func checkWhatIsServed(_ signs: Signs) async throws {
        try await stage.read(signs.lists)
        if fault.call == .sync {
            try await stage.checkWritesAreRefused(on: signs.lists[0])
        } else if !fault.isLasting {
            try await stage.checkWrites(on: signs.lists[0])
        }
    }
}

/// The failure of one call that changes a file, or of all from one on. The numbers are those of `disk-faults.c`.
private struct DiskFault {
    enum Call: Int64 {
        case write = 1
        case sync
        case truncate

        /// More than a run of `BrokenDisk` makes.
        fileprivate var count: Int {
            switch self {
            case .write: 256
            case .sync: 32
            case .truncate: 8
            }
        }
    }

    enum Effect: Int64 {
        /// Nothing is done, and the call fails.
        case fail
        /// Half is written, and the call fails.
        case tear
        /// Half is written, and the call says so.
        case cutShort
        /// The server ends before the call.
        case kill
        /// The server ends when half is written.
        case tearAndKill
        /// The server ends when all is written, one bit of it wrong.
        case spoilAndKill
    }

    let call: Call
    let effect: Effect
    var error = EIO
    /// All that follow fail too.
    var isLasting = false

    var killsServer: Bool {
        switch effect {
        case .kill, .tearAndKill, .spoilAndKill: true
        case .fail, .tear, .cutShort: false
        }
    }

    private static let kinds = [
        DiskFault(call: .write, effect: .fail),
        DiskFault(call: .write, effect: .fail, error: ENOSPC, isLasting: true),
        // As Linux makes a file system when its disk fails.
        DiskFault(call: .write, effect: .fail, error: EROFS, isLasting: true),
        DiskFault(call: .write, effect: .tear),
        DiskFault(call: .write, effect: .cutShort),
        DiskFault(call: .write, effect: .kill),
        DiskFault(call: .write, effect: .tearAndKill),
        DiskFault(call: .write, effect: .spoilAndKill),
        DiskFault(call: .sync, effect: .fail),
        DiskFault(call: .sync, effect: .fail, isLasting: true),
        DiskFault(call: .sync, effect: .kill),
        DiskFault(call: .truncate, effect: .fail),
        DiskFault(call: .truncate, effect: .kill),
    ]

    /// Each kind of fault at each call of a run, which is counted from 1.
    static let all = kinds.flatMap { fault in (1...fault.call.count).map { (fault: fault, number: $0) } }
}

/// Tells `disk-faults.c`, preloaded into a server, which call shall go wrong, through a file that both have open.
private struct FaultFile {
    /// The positions of the fields of `struct faults`, in numbers of 8 bytes.
    private enum Field {
        static let met = 5
        static let counts = 6
        static let count = 10
    }

    let path: String

    /// Nothing goes wrong yet.
    init(_ path: String) throws {
        self.path = path
        try Data(count: 8 * Field.count).write(to: URL(fileURLWithPath: path))
    }

    /// Counts from 0 again, and lets the calls of the next server go wrong, from that number on.
    func arm(_ fault: DiskFault, number: Int) throws {
        let last = fault.isLasting ? Int64.max : Int64(number)
        try write([fault.call.rawValue, Int64(number), last, fault.effect.rawValue, Int64(fault.error)])
    }

    /// Nothing goes wrong any more. The counts start over.
    func disarm() throws { try write([]) }

    /// Returns the number of calls that failed.
    func metCount() throws -> Int64 { try number(Field.met) }

    /// Returns the number of calls of a kind.
    func count(of call: DiskFault.Call) throws -> Int64 { try number(Field.counts + Int(call.rawValue)) }

    /// In place: the server has it mapped.
    private func write(_ numbers: [Int64]) throws {
        let all = numbers + Array(repeating: 0, count: Field.count - numbers.count)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: all.withUnsafeBytes { Data($0) })
        try file.close()
    }

    private func number(_ field: Int) throws -> Int64 {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard data.count == 8 * Field.count else { throw RunError("\(path) has changed") }
        return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * field, as: Int64.self) }
    }
}
