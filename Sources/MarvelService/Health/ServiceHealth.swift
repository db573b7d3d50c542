internal import Synchronization
internal import WireMessages

/// The health status of the server: it serves from the start until its drain begins.
package final class ServiceHealth: Sendable {
    package static let serviceName = HealthMethods.serviceName

    private let serving = Atomic(true)

    package init() {}

    package var isServing: Bool { serving.load(ordering: .acquiring) }

    /// Makes every later check answer NOT_SERVING.
    package func stopServing() { serving.store(false, ordering: .releasing) }
}
