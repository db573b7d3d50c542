internal import NIOCore
package import RPCCore

/// The answer to a request for a page by somebody who may not see it.
package struct OperatorRefusal: Sendable {
    package let failure: AccessFailure
    /// The time before it is told.
    package let delay: Duration

    package init(_ failure: AccessFailure, delay: Duration = .zero) { (self.failure, self.delay) = (failure, delay) }
}

/// The access to the pages for operators, by the same tokens and rules as that to calls.
extension AccessControl {
    /// The time for which an address that has sent too many wrong tokens waits for its answer.
    private static let delay = Duration.seconds(1)

    /// Checks that the sender of a request may see the pages for operators, for which it needs the scope `admin`.
    ///
    /// - Parameters:
    ///   - credentials: The values of its `authorization`.
    ///   - peer: The other side of its connection.
    /// - Returns: The refusal if it may not see them.
    package func operatorRefusal(_ credentials: [String], from peer: ConnectionPeer) -> OperatorRefusal? {
        // Somebody may have read the token, and would read the page.
        guard peer.peer != .remote || peer.isProtected else { return OperatorRefusal(.tokenInClear) }
        do throws(AccessFailure) {
            try authenticate(credentials, from: peer, at: wallClock()).check(.admin)
            return nil
        } catch .tokenInvalid {
            let isSlowedDown = tokenFailed(from: peer.address, now: .now())
            return OperatorRefusal(.tokenInvalid, delay: isSlowedDown ? Self.delay : .zero)
        } catch {
            return OperatorRefusal(error)
        }
    }
}
