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
