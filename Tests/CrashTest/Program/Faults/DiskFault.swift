import Glibc

/// How one call that changes a file goes wrong, or all from one on. The numbers are those of `disk-faults.c`.
struct DiskFault: Sendable {
    enum Call: Int64, Sendable {
        case write = 1
        case sync
        case truncate

        /// About how many there are while a server opens its store, serves for a moment, and closes it.
        var count: Int {
            switch self {
            case .write: 211
            case .sync: 53
            case .truncate: 2
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
    }

    let call: Call
    let effect: Effect
    var error = EIO
    var isLasting = false

    var killsServer: Bool { effect == .kill || effect == .tearAndKill }

    static let all = [
        DiskFault(call: .write, effect: .tearAndKill),
        DiskFault(call: .write, effect: .tear),
        DiskFault(call: .write, effect: .cutShort),
        DiskFault(call: .write, effect: .kill),
        DiskFault(call: .write, effect: .fail),
        DiskFault(call: .write, effect: .fail, isLasting: true),
        DiskFault(call: .write, effect: .fail, error: ENOSPC),
        DiskFault(call: .write, effect: .fail, error: ENOSPC, isLasting: true),
        DiskFault(call: .sync, effect: .kill),
        DiskFault(call: .sync, effect: .fail),
        DiskFault(call: .sync, effect: .fail, isLasting: true),
        DiskFault(call: .truncate, effect: .kill),
        DiskFault(call: .truncate, effect: .fail),
    ]
}
