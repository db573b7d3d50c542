internal import NIOCore
package import RPCCore

/// The access to the pages for operators, by the same tokens and rules as that to calls.
extension AccessControl {
    /// The time for which an address that has sent too many wrong tokens waits for its answer.
    private static let delay = Duration.seconds(1)

    /// Checks that the sender of a request may see the pages for operators, for which it needs the scope `admin`.
    ///
    /// - Parameters:
    ///   - credentials: The values of its `authorization`.
    ///   - peer: The other side of its connection.
    /// - Returns: The reason if it may not see them.
    package func operatorFailure(_ credentials: [String], from peer: ConnectionPeer) async -> AccessFailure? {
        // Somebody may have read the token, and would read the page.
        guard peer.peer != .remote || peer.isProtected else { return .tokenInClear }
        do throws(AccessFailure) {
            try authenticate(credentials, from: peer, at: wallClock()).check(.admin)
            return nil
        } catch .tokenInvalid {
            let isSlowedDown = tokenFailed(from: peer.address, now: .now())
            if isSlowedDown { try? await Task.sleep(for: Self.delay) }
            return .tokenInvalid
        } catch {
            return error
        }
    }
}
