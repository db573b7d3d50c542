package import RPCCore

/// A method as its `.proto` file declares it: its name, its kind, and the types of its messages.
package struct MethodDescriptor<Request: WireMessage, Response: WireMessage>: Sendable {
    package let path: MethodPath
    package let kind: RPCMethod.Kind
    package let hasNoSideEffects: Bool

    init(service: String, name: String, kind: RPCMethod.Kind, hasNoSideEffects: Bool = false) {
        self.path = MethodPath(service: service, method: name)
        self.kind = kind
        self.hasNoSideEffects = hasNoSideEffects
    }
}
