package import NIOCore
package import RPCCore

/// The access to the pages for operators, by the same tokens and rules as that to calls.
extension AccessControl {
    /// The time for which an address that has sent too many wrong tokens waits for its answer.
    private static let delay = Duration.seconds(1)

    /// Checks that the sender of a request may see the pages for operators, for which it needs the scope `admin`.
    ///
    /// - Parameters:
    ///   - channel: The connection of the request.
    ///   - credentials: The values of its `authorization`.
    ///   - certificateName: The name of the principal in the verified certificate of the peer; nil if there is none.
    ///   - isProtected: Whether the connection is encrypted.
    /// - Returns: The reason if it may not see them.
    package func operatorFailure(
        on channel: any Channel,
        credentials: [String],
        certificateName: String?,
        isProtected: Bool
    ) async -> AccessFailure? {
        // A connection that has ended needs no page.
        let peer = (try? await channel.eventLoop.submit { AccessRules.Peer(channel) }.get()) ?? .remote
        // Somebody may have read the token, and would read the page.
        guard peer != .remote || isProtected else { return .tokenInClear }
        do throws(AccessFailure) {
            try principal(of: peer, credentials, certificateName).check(.admin)
            return nil
        } catch .tokenInvalid {
            let isSlowedDown = tokenFailed(from: PeerAddress(channel.remoteAddress), now: .now())
            if isSlowedDown { try? await Task.sleep(for: Self.delay) }
            return .tokenInvalid
        } catch {
            return error
        }
    }

    private func principal(
        of peer: AccessRules.Peer,
        _ credentials: [String],
        _ certificateName: String?
    ) throws(AccessFailure) -> Principal {
        let now = wallClock()
        guard let value = credentials.first else {
            return rules.principal(of: peer, certificateName: certificateName, in: table, at: now)
        }
        // Which of two is meant is for nobody to guess.
        guard credentials.count == 1 else { throw .tokenInvalid }
        return try table.principal(of: try Authorization.token(value), at: now)
    }
}
