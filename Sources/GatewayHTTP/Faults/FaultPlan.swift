internal import MarvelDomain

/// The fault of each request, computed from the settings and the request's number.
struct FaultPlan: Sendable, Hashable {
    private let faultInjection: FaultInjection

    init(_ faultInjection: FaultInjection) { self.faultInjection = faultInjection }

    /// Requests are numbered from 0 in the order of their arrival.
    func fault(forRequest number: UInt64) -> Fault {
        var random = SplitMix64(stream: number)
        // All random values are drawn for each request, so that one setting does not change the faults of another.
        let delay = random.duration(in: faultInjection.latency.bounds)
        let lot = random.fraction()
        let choice = random.next()
        return Fault(delay: delay, kind: kind(lot, choice))
    }

    /// The shares are consecutive ranges between 0 and 1. `lot` selects one of them, or none.
    private func kind(_ lot: Double, _ choice: UInt64) -> Fault.Kind {
        func pick<Element>(_ elements: [Element]) -> Element { elements[Int(choice % UInt64(elements.count))] }
        var edge = faultInjection.errorShare.value
        if lot < edge { return .failure(status: pick(FailurePage.statuses)) }
        edge += faultInjection.cutShare.value
        if lot < edge { return .cut }
        edge += faultInjection.wrongJSONShare.value
        if lot < edge { return .wrongBody(pick(Fault.WrongBody.allCases)) }
        return .none
    }
}

struct Fault: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case none
        /// The request is not processed.
        case failure(status: Int)
        case cut
        /// The status is that of a success.
        case wrongBody(WrongBody)
    }

    enum WrongBody: Sendable, Hashable, CaseIterable {
        /// With a matching length.
        case halfJSON
        case wrongShape
        case html
    }

    var delay: Duration
    var kind: Kind
}

extension SplitMix64 {
    /// The n-th request has the same fault in every run, and neighboring requests have unrelated ones.
    fileprivate init(stream: UInt64) { self.init(seed: SplitMix64.hash(stream)) }

    fileprivate mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }

    fileprivate mutating func duration(in bounds: ClosedRange<Duration>) -> Duration {
        bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) * fraction()
    }
}

extension Fault.Kind {
    var replacement: Reply? {
        if case .failure(let status) = self { FailurePage.reply(status: status) } else { nil }
    }

    /// A reply without a body, or with an error, is left unchanged.
    func applied(to reply: Reply) -> Reply {
        guard reply.status == 200, !reply.body.isEmpty else { return reply }
        var faulty = reply
        switch self {
        case .none, .failure: break
        case .cut: faulty.ending = .cut
        case .wrongBody(let wrong): if reply.hasResults { wrong.replaceBody(of: &faulty) }
        }
        return faulty
    }
}

extension Fault.WrongBody {
    fileprivate func replaceBody(of reply: inout Reply) {
        switch self {
        case .halfJSON:
            reply.body.removeLast(reply.body.count - reply.body.count / 2)
        case .wrongShape:
            reply.body = JSONWriter.object { json in
                json.field("code", 200)
                json.field("status", "Ok")
                json.array("data", EmptyCollection<Never>()) { _, _ in }
            }
        case .html:
            reply.body = FailurePage.html("Welcome")
            reply["Content-Type"] = "text/html"
        }
    }
}

/// A page like that of a proxy whose server is down.
enum FailurePage {
    private static let reasons = [
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    static let statuses = reasons.keys.sorted()

    static func html(_ title: String) -> [UInt8] {
        let page = """
            <html>
            <head><title>\(title)</title></head>
            <body>
            <center><h1>\(title)</h1></center>
            </body>
            </html>

            """
        return Array(page.utf8)
    }

    static func reply(status: Int) -> Reply {
        let title = [String(status), reasons[status]].compactMap(\.self).joined(separator: " ")
        var reply = Reply(status: status, body: html(title))
        reply["Content-Type"] = "text/html"
        return reply
    }
}
