/// A method's full name: the service's protobuf name and the method's own.
package struct MethodPath: Sendable, Hashable, CustomStringConvertible {
    package let service: String
    package let method: String

    package init(service: String, method: String) {
        self.service = service
        self.method = method
    }

    package var description: String { "\(service)/\(method)" }
}
