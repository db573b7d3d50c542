/// A method's full name: the service's protobuf name and the method's own.
public struct MethodPath: Sendable, Hashable, CustomStringConvertible {
    public let service: String
    public let method: String

    public init(service: String, method: String) {
        self.service = service
        self.method = method
    }

    public var description: String { "\(service)/\(method)" }
}
