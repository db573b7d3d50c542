import Glibc

/// The failure of one call that changes a file, or of all from one on. The numbers are those of `disk-faults.c`.
struct DiskFault: Sendable {
    enum Call: Int64, Sendable {
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

    enum Effect: Int64, Sendable {
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
