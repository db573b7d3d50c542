internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `grpc.health.v1.Health/Check`: the server as a whole for the empty name, or one of its services.
    func checkHealth(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try HealthCheckRequest(call)
        switch request.service {
        case "", CharacterService.name, ServiceHealth.serviceName:
            let status: ServingStatus = health.isServing ? .serving : .notServing
            return .last(HealthCheckResponse(status: status).encoded())
        default:
            throw .serviceUnknown()
        }
    }
}
