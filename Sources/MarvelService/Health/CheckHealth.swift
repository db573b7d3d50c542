internal import RPCCore
internal import Synchronization
internal import WireMessages

extension CharacterService {
    private static let serving = EncodedMessage(HealthCheckResponse(status: .serving).encoded())
    private static let notServing = EncodedMessage(HealthCheckResponse(status: .notServing).encoded())

    /// Handles `grpc.health.v1.Health/Check`: the empty name means the server as a whole.
    func checkHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        switch request.service {
        case "", CharacterService.name, ServiceHealth.serviceName:
            return .last(health.isServing ? CharacterService.serving : CharacterService.notServing)
        default:
            throw .serviceUnknown()
        }
    }
}

/// The health status of the server: it serves from the start until its drain begins.
package final class ServiceHealth: Sendable {
    package static let serviceName = HealthMethods.serviceName

    private let serving = Atomic(true)

    package init() {}

    package var isServing: Bool { serving.load(ordering: .acquiring) }

    /// Makes every later check answer NOT_SERVING.
    package func stopServing() { serving.store(false, ordering: .releasing) }
}
