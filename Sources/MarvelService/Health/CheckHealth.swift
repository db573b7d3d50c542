internal import RPCCore
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
