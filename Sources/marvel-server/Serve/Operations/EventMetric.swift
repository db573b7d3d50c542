import RPCCore
import RPCTransport
import ServerMetrics

/// The metric in which an event of the server is counted. Each event is in one, which the compiler checks.
enum EventMetric: String, CaseIterable {
    case connectionsAccepted = "marvel_connections_accepted_total"
    case connectionsRefused = "marvel_connections_refused_total"
    case connectionsEnded = "marvel_connections_ended_total"
    case acceptPauses = "marvel_accept_pauses_total"
    case callsRefused = "marvel_calls_refused_total"
    case deadlines = "marvel_deadlines_total"
    case cancels = "marvel_cancels_total"
    case frames = "marvel_frames_total"

    var help: String {
        switch self {
        case .connectionsAccepted: "Connections that were accepted."
        case .connectionsRefused: "Connections that were closed at once, because a limit was reached."
        case .connectionsEnded: "Connections that the server ended, because of what the peer did or did not do."
        case .acceptPauses: "Times that accepting connections paused or failed."
        case .callsRefused: "Calls that were refused or ended for another cause than their method."
        case .deadlines: "Calls that passed their deadline."
        case .cancels: "Calls that their caller cancelled by a frame."
        case .frames: "Frames that waited for a peer to read, or had no effect."
        }
    }

    /// Returns the metric of an event, and the value of its label; nil if the metric has none.
    static func metric(of event: ServerEvent) -> (metric: EventMetric, label: Label?) {
        switch event {
        case .connectionAccepted: (.connectionsAccepted, nil)
        case .connectionShed: (.connectionsRefused, Label("reason", "shed"))
        case .connectionLimit: (.connectionsRefused, Label("reason", "limit"))
        case .acceptPaused: (.acceptPauses, Label("cause", "descriptors"))
        case .acceptFailed: (.acceptPauses, Label("cause", "error"))
        case .deadlineExceeded: (.deadlines, nil)
        case .cancelReceived: (.cancels, nil)
        case .frameHeld: (.frames, Label("kind", "held"))
        case .frameIgnored: (.frames, Label("kind", "ignored"))
        case .foreignHTTP, .foreignTLS, .foreignUnknown, .handshakeFailed, .protocolError, .malformedHello,
            .frameTimeout, .writeTimeout,
            .keepaliveTimeout, .idleTimeout, .tooManyCancels, .tooManyFaults, .tooManyGlitches, .tooManyControlFrames,
            .tooManyRejections, .memoryLimit:
            (.connectionsEnded, Label("reason", "\(event)".snakeCase))
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream, .unexpectedData, .frameTooLarge,
            .malformedRequest, .streamError, .streamLimit, .creditTimeout, .inputClosed, .draining,
            .rateLimit, .unauthenticated, .permissionDenied, .accessEnded:
            (.callsRefused, Label("reason", "\(event)".snakeCase))
        }
    }

    /// Reads the metrics of all events.
    static func families(_ count: (ServerEvent) -> Int) -> [MetricFamily] {
        var samples: [EventMetric: [MetricFamily.Sample]] = [:]
        for event in ServerEvent.allCases {
            let (metric, label) = metric(of: event)
            let labels = label.map { [$0] } ?? []
            samples[metric, default: []].append(.init(labels, .number(Double(count(event)))))
        }
        return allCases.map { MetricFamily($0.rawValue, .counter, help: $0.help, samples: samples[$0] ?? []) }
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
