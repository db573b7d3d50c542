/// The message `grpc.health.v1.HealthCheckRequest`.
package struct HealthCheckRequest: Sendable, Hashable {
    /// A service's full name; empty means the server as a whole.
    package var service: String

    package init(service: String = "") {
        self.service = service
    }
}

/// The message `grpc.health.v1.HealthCheckResponse`.
package struct HealthCheckResponse: Sendable, Hashable {
    package var status: ServingStatus

    package init(status: ServingStatus) {
        self.status = status
    }
}

/// The enum `grpc.health.v1.HealthCheckResponse.ServingStatus`. A value that this build does not know is kept.
package struct ServingStatus: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let unknown = ServingStatus(rawValue: 0)
    package static let serving = ServingStatus(rawValue: 1)
    package static let notServing = ServingStatus(rawValue: 2)
    /// The server has no service of that name.
    package static let serviceUnknown = ServingStatus(rawValue: 3)
}
