internal import MarvelClient
internal import TerminalUI

/// The text of a server's status.
struct HealthReport {
    var service: String
    var status: HealthStatus
    var style: ANSIStyle

    var lines: [String] {
        let subject = service.isEmpty ? "The server" : service.printable
        switch status {
        case .serving: return ["\(subject) is serving."]
        case .notServing: return [style.apply(.failure, to: "\(subject) is not serving.")]
        case .serviceUnknown: return ["The server has no service \(subject)."]
        case .unknown: return ["\(subject) does not know yet whether it is serving."]
        case .other(let number): return ["\(subject) answers with the unknown status \(number)."]
        }
    }
}
