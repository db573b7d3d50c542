internal import HTTPFraming

package struct Readiness: Sendable, Hashable {
    package struct Check: Sendable, Hashable {
        package let name: String
        package let isGood: Bool
        /// The server is not ready unless this is good.
        package let isRequired: Bool
        /// One line for a person.
        package let detail: String

        package init(_ name: String, isGood: Bool, isRequired: Bool = true, detail: String) {
            self.name = name
            self.isGood = isGood
            self.isRequired = isRequired
            self.detail = detail
        }
    }

    package let checks: [Check]

    package init(_ checks: [Check]) { self.checks = checks }

    package var isReady: Bool { checks.allSatisfy { $0.isGood || !$0.isRequired } }

    /// 200 or 503, with the verdict in words. If verbose, each check is a line.
    func reply(isVerbose: Bool) -> PlainAnswer {
        let verdict = isReady ? "ready\n" : "not ready\n"
        let lines = checks.map { check in
            let mark = check.isGood ? "[+]" : check.isRequired ? "[-]" : "[!]"
            return "\(mark) \(check.name): \(check.detail)\n"
        }
        return PlainAnswer(isReady ? 200 : 503, .text, (isVerbose ? lines.joined() : "") + verdict)
    }
}
