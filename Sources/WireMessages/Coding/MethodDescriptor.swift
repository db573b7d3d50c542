package import RPCCore

/// A method without the types of its messages.
package protocol DeclaredMethod: Sendable {
    var path: MethodPath { get }
    var kind: RPCMethod.Kind { get }
    var hasNoSideEffects: Bool { get }
    /// `catalog:read`, or `lists:read:L` for the list L of the request. It documents; the service's table is enforced.
    var scope: String? { get }
}

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
