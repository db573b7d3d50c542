import RPCCore
import ServerMetrics

/// A metric in which an event about a caller is counted. Each event is in one, which the compiler checks.
enum CallerMetric: String, CaseIterable {
    case identities = "marvel_auth_total"
    case quotas = "marvel_quota_rejections_total"

    var help: String {
        switch self {
        case .identities: "Callers that were identified, once for each connection and token, and calls of others."
        case .quotas: "Calls that were refused, and watches that were ended, because of a quota."
        }
    }

    /// Returns the metric of an event, and the values of its labels.
    static func metric(of event: CallerEvent) -> (metric: CallerMetric, labels: [Label]) {
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

    private static func identity(_ source: String, _ result: String) -> (CallerMetric, [Label]) {
        (.identities, [Label("source", source), Label("result", result)])
    }

    private static func quota(_ name: String) -> (CallerMetric, [Label]) { (.quotas, [Label("quota", name)]) }

    /// Reads the metrics of all events.
    static func families(_ count: (CallerEvent) -> Int) -> [MetricFamily] {
        var samples: [CallerMetric: [MetricFamily.Sample]] = [:]
        for event in CallerEvent.allCases {
            let (metric, labels) = metric(of: event)
            samples[metric, default: []].append(.init(labels, .number(Double(count(event)))))
        }
        return allCases.map { MetricFamily($0.rawValue, .counter, help: $0.help, samples: samples[$0] ?? []) }
    }
}
