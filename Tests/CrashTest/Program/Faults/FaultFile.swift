import Foundation
import LongRuns

/// Tells `disk-faults.c`, preloaded into a server, which call shall go wrong, through a file that both have open.
struct FaultFile {
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

    /// Nothing goes wrong any more. The counts begin anew.
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
        guard data.count == 8 * Field.count else { throw RunError("\(path) is not what it was") }
        return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * field, as: Int64.self) }
    }
}
