internal import CMarvelMessages
internal import NIOCore

extension HealthCheckRequest: ProtobufMessage {
    package static let fullName = "grpc.health.v1.HealthCheckRequest"

    static var initialize: CInitializer<Grpc__Health__V1__HealthCheckRequest> {
        grpc__health__v1__health_check_request__init
    }

    init(copying message: Grpc__Health__V1__HealthCheckRequest) throws(WireError) {
        self.init(service: try message.service.text("service"))
    }

    func fill(_ message: inout Grpc__Health__V1__HealthCheckRequest, in arena: inout EncodingArena) {
        message.service = arena.text(service)
    }
}

extension HealthCheckResponse: ProtobufMessage {
    package static let fullName = "grpc.health.v1.HealthCheckResponse"

    static var initialize: CInitializer<Grpc__Health__V1__HealthCheckResponse> {
        grpc__health__v1__health_check_response__init
    }

    init(copying message: Grpc__Health__V1__HealthCheckResponse) throws(WireError) {
        self.init(status: ServingStatus(rawValue: Int32(bitPattern: message.status.rawValue)))
    }

    func fill(_ message: inout Grpc__Health__V1__HealthCheckResponse, in arena: inout EncodingArena) {
        message.status = Grpc__Health__V1__HealthCheckResponse__ServingStatus(
            rawValue: UInt32(bitPattern: status.rawValue)
        )
    }
}
