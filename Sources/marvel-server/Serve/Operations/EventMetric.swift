import MarvelDomain
import RPCCore
import RPCServer

/// A metric that counts events. Each event of the server, and each about a caller, belongs to one: the compiler checks
/// this.
enum EventMetric: String, CaseIterable {
    case connectionsAccepted = "marvel_connections_accepted_total"
    case connectionsRefused = "marvel_connections_refused_total"
    case connectionsEnded = "marvel_connections_ended_total"
    case acceptPauses = "marvel_accept_pauses_total"
    case callsRefused = "marvel_calls_refused_total"
    case deadlines = "marvel_deadlines_total"
    case cancels = "marvel_cancels_total"
    case frames = "marvel_frames_total"
    case identities = "marvel_auth_total"
    case quotas = "marvel_quota_rejections_total"

    typealias Place = (metric: EventMetric, labels: [Label])

    var help: String {
        switch self {
        case .connectionsAccepted: "Accepted connections."
        case .connectionsRefused: "Connections rejected because a limit was reached."
        case .connectionsEnded: "Connections that the server closed because of the peer's behavior."
        case .acceptPauses: "Pauses and failures of accepting connections."
        case .callsRefused: "Calls rejected or ended by the server, not by their method."
        case .deadlines: "Calls that exceeded their deadline."
        case .cancels: "Calls cancelled by their caller."
        case .frames: "Frames delayed by a slow reader, or without effect."
        case .identities: "Authenticated callers, once per connection and token, and unauthenticated calls."
        case .quotas: "Calls rejected and watches ended because of a quota."
        }
    }

    static func place(of event: ServerEvent) -> Place {
        switch event {
        case .connectionAccepted: (.connectionsAccepted, [])
        case .connectionShed: (.connectionsRefused, [Label("reason", "shed")])
        case .connectionLimit: (.connectionsRefused, [Label("reason", "limit")])
        case .acceptPaused: (.acceptPauses, [Label("cause", "descriptors")])
        case .acceptFailed: (.acceptPauses, [Label("cause", "error")])
        case .deadlineExceeded: (.deadlines, [])
        case .cancelReceived: (.cancels, [])
        case .frameHeld: (.frames, [Label("kind", "held")])
        case .frameIgnored: (.frames, [Label("kind", "ignored")])
        case .foreignHTTP, .foreignTLS, .foreignUnknown, .handshakeFailed, .protocolError, .malformedHello,
            .frameTimeout, .writeTimeout,
            .keepaliveTimeout, .idleTimeout, .tooManyCancels, .tooManyFaults, .tooManyGlitches, .tooManyControlFrames,
            .tooManyRejections, .memoryLimit:
            (.connectionsEnded, [Label("reason", "\(event)".snakeCase)])
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream, .unexpectedData, .frameTooLarge,
            .malformedRequest, .streamError, .streamLimit, .creditTimeout, .inputClosed, .draining,
            .rateLimit, .unauthenticated, .permissionDenied, .accessEnded:
            (.callsRefused, [Label("reason", "\(event)".snakeCase)])
        }
    }

    static func place(of event: CallerEvent) -> Place {
        switch event {
        case .local: identity("local", "ok")
        case .anonymous: identity("anonymous", "ok")
        case .peer: identity("peer", "ok")
        case .certificate: identity("certificate", "ok")
        case .token: identity("token", "ok")
        case .tokenMissing: identity("anonymous", "token_missing")
        case .tokenInvalid: identity("token", "token_invalid")
        case .tokenExpired: identity("token", "token_expired")
        case .tokenInClear: identity("token", "token_in_clear")
        case .callQuota: quota("calls")
        case .searchQuota: quota("searches")
        case .upstreamQuota: quota("upstream")
        case .listQuota: quota("lists")
        case .watchQuota: quota("watches")
        }
    }

    private static func identity(_ source: String, _ result: String) -> Place {
        (.identities, [Label("source", source), Label("result", result)])
    }

    private static func quota(_ name: String) -> Place { (.quotas, [Label("quota", name)]) }

    static func families<Event: CaseIterable>(
        _ place: (Event) -> Place,
        _ count: (Event) -> Int
    ) -> [MetricFamily] {
        var samples: [EventMetric: [MetricFamily.Sample]] = [:]
        for event in Event.allCases {
            let (metric, labels) = place(event)
            samples[metric, default: []].append(.init(labels, .number(Double(count(event)))))
        }
        return allCases.compactMap { metric in
            samples[metric].map { MetricFamily(metric.rawValue, .counter, help: metric.help, samples: $0) }
        }
    }
}

extension String {
    /// A name of Swift as the value of a label: `foreignTLS` is `foreign_tls`.
    var snakeCase: String {
        var text = ""
        var wasLower = false
        for character in self {
            if character.isUppercase, wasLower { text += "_" }
            wasLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }
}
