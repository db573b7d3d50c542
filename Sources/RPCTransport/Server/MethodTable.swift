internal import RPCCore

/// The methods of all services by name.
struct MethodTable: Sendable {
    private var services: [String: [String: RPCCore.Method]] = [:]

    init(_ services: [Service]) {
        for service in services {
            let methods = service.methods.map { ($0.name, $0) }
            self.services[service.name] = Dictionary(methods, uniquingKeysWith: { first, _ in first })
        }
    }

    /// - Throws: UNIMPLEMENTED, saying whether the service or only the method is unknown.
    func method(_ name: String, of service: String) throws(RPCError) -> RPCCore.Method {
        guard let methods = services[service] else {
            throw RPCError(
                .unimplemented,
                reason: "METHOD_UNKNOWN",
                "this server has no such service",
                metadata: ["known_services": services.keys.sorted().joined(separator: ",")]
            )
        }
        guard let method = methods[name] else {
            throw RPCError(
                .unimplemented,
                reason: "METHOD_UNKNOWN",
                "the service \(service) has no such method",
                metadata: ["service": service]
            )
        }
        return method
    }
}
