package import RPCCore

/// A method as its `.proto` file declares it, without the types of its messages.
package protocol DeclaredMethod: Sendable {
    var path: MethodPath { get }
    var kind: RPCMethod.Kind { get }
    var hasNoSideEffects: Bool { get }
    /// The scope that the method's comment names: `catalog:read`, or `lists:read:L` for the list L of the request. Nil
    /// if the method needs none. It documents; the service's table of methods is what is enforced.
    var scope: String? { get }
}

/// A method as its `.proto` file declares it.
package struct MethodDescriptor<Request: WireMessage, Response: WireMessage>: DeclaredMethod {
    package let path: MethodPath
    package let kind: RPCMethod.Kind
    package let hasNoSideEffects: Bool
    package let scope: String?

    init(service: String, name: String, kind: RPCMethod.Kind, hasNoSideEffects: Bool = false, scope: String? = nil) {
        self.path = MethodPath(service: service, method: name)
        self.kind = kind
        self.hasNoSideEffects = hasNoSideEffects
        self.scope = scope
    }
}
