internal import Foundation

/// The line that marvel-server logs when SIGUSR1 asks for its counters.
package struct CounterLine: Hashable, Sendable {
    package let counters: [String: Int]

    /// Nil if the line is another one, or not whole.
    package init?(_ line: some StringProtocol) {
        guard line.contains(#""message":"counted""#),
            let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            members["message"] as? String == "counted"
        else { return nil }
        counters = members.compactMapValues { value in
            (value as? Int) ?? (value as? String).flatMap { Int($0) }
        }
    }

    /// Each such line in a log, the oldest first.
    package static func all(in log: String) -> [CounterLine] {
        guard let end = log.lastIndex(of: "\n") else { return [] }
        return log[..<end].split(separator: "\n").compactMap { CounterLine($0) }
    }
}

/// A signal mask of proc(5), `SigCgt` or `SigIgn` of `status`.
package struct SignalMask: Hashable, Sendable {
    private let bits: UInt64

    /// Nil if the status has no such line.
    package init?(_ name: String, inStatus status: String) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let text = line?.split(separator: "\t").last, let bits = UInt64(text, radix: 16) else { return nil }
        self.bits = bits
    }

    package func contains(_ signal: Int32) -> Bool { (1...64).contains(signal) && bits >> UInt64(signal - 1) & 1 == 1 }
}
