internal import MarvelClient
internal import RPCCore
internal import TerminalUI

struct ErrorText {
    var error: RPCError
    var servers: [ServerEndpoint]
    /// The command that shows whether the failed call changed something; nil for a call that only reads.
    var changesSeenWith: String?
    var isVerbose = false
    var hasAnswered = false

    var text: String {
        let sentences = [whatHappened, whatToDo, consequence].compactMap(\.self).joined(separator: " ")
        return isVerbose ? "\(sentences) [\(facts)]" : sentences
    }

    private var addresses: String { servers.map(\.description).joined(separator: ", ") }

    var whatHappened: String {
        switch (error.origin, error.code) {
        case (.local, .unavailable) where error.reason == .connectionLost: "The connection to \(addresses) was lost."
        case (.local, .unavailable) where refusal != nil: sentence(error.message)
        case (.local, .unavailable): unresolvedHost.map { "The host \($0) has no address." } ?? noAnswer
        case (_, .deadlineExceeded) where hasAnswered: "The timeout ended the command."
        case (_, .deadlineExceeded): "\(addresses) did not answer within the timeout."
        case (.local, .cancelled): "Cancelled."
        default: sentence(error.message)
        }
    }

    private var noAnswer: String { "No server answers at \(addresses)." }

    private var unresolvedHost: String? { error.info?.metadata["unresolved_host"]?.printable }

    private var refusal: String? {
        error.info.flatMap { $0.metadata["security"] == nil ? nil : $0.metadata["cause"] }
    }

    var whatToDo: String? {
        // A command that is run again has another request id, and a toggle would revert the one before.
        if error.isOutcomeUnknown { return nil }
        if error.origin == .peer, let delay = error.retryDelay { return "Try again in \(delay.inWords)." }
        switch (error.origin, error.code) {
        case (.local, .unavailable) where error.reason == .connectionLost:
            return "Try again; if it fails again, check the server."
        case (.local, .unavailable) where refusal != nil:
            return "See --server, --cacert, --cert and --key."
        case (.local, .unavailable) where unresolvedHost != nil:
            return "Check the name in --server or MARVEL_SERVER, and DNS."
        case (.local, .unavailable):
            return "Start one with `marvel-server`, or choose another with --server."
        case (.local, .internalError):
            return "Check that a marvel-server of this version listens at \(addresses)."
        case (_, .deadlineExceeded):
            return "Increase it, for example with --timeout 30s."
        case (.peer, .unimplemented) where error.reason == .matchUnsupported:
            return "In `marvel search` this is --match prefix, in `marvel browse` Ctrl-T."
        case (_, .permissionDenied) where error.reason == .scopeMissing:
            return "Use another token, or ask the operator for one with this scope."
        case (_, .unauthenticated) where error.reason == .tokenMissing:
            return "Set MARVEL_TOKEN, or MARVEL_TOKEN_FILE."
        case (_, .notFound) where error.reason == .characterNotFound:
            return "`marvel search NAME` finds ids."
        case (.peer, .internalError), (.peer, .unknown), (.peer, .dataLoss):
            return "This is an error in the server: see its log."
        default:
            return nil
        }
    }

    var isOutcomeUnknown: Bool {
        switch error.code {
        case .cancelled, .deadlineExceeded: true
        case .unavailable: error.isOutcomeUnknown || error.origin == .local && error.mayHaveReachedServer
        default: false
        }
    }

    private var consequence: String? {
        guard let changesSeenWith, isOutcomeUnknown else { return nil }
        return "The change may have been made anyway: see `\(changesSeenWith)`."
    }

    private var facts: String {
        var facts = [error.code.name]
        if let info = error.info {
            facts.append(info.reason.rawValue)
            facts += info.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        }
        return facts.joined(separator: ", ").printable
    }

    private func sentence(_ message: String) -> String {
        let message = message.printable
        guard let first = message.first, let last = message.last else {
            return "The server answered \(error.code.name) and gave no reason."
        }
        let beginning = beginsWithName(message) ? String(first) : first.uppercased()
        return beginning + message.dropFirst() + (".!?".contains(last) ? "" : ".")
    }

    /// Whether a message begins with the name of the caller, whose case has a meaning.
    private func beginsWithName(_ message: String) -> Bool {
        error.info?.metadata["principal"].map { message.hasPrefix($0.printable + " ") } ?? false
    }
}

/// Scripts depend on the numbers.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
    let rawValue: Int32

    static let done = ExitStatus(rawValue: 0)
    static let failed = ExitStatus(rawValue: 1)
    /// `EX_USAGE` of sysexits, which the parser uses.
    static let usage = ExitStatus(rawValue: 64)
    /// k6 has the same status.
    static let thresholdFailed = ExitStatus(rawValue: 99)
    /// 128 + SIGINT, as in shells.
    static let interrupted = ExitStatus(rawValue: 130)
}

extension ExitStatus {
    /// 64 + status code, as in grpcurl.
    init(_ error: RPCError) {
        self.init(rawValue: 64 + error.code.rawValue)
    }
}
