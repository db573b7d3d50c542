public import RPCCore
internal import TransportSecurity

extension MarvelClient {
    /// The TLS of connections to servers at `tls://` addresses: the trusted authorities, and the client's certificate.
    ///
    /// ```swift
    /// let tls = try MarvelClient.TLS(authorities: "/etc/marvel-rpc/ca.pem")
    /// let client = MarvelClient(servers: [ServerEndpoint("tls://marvel.example:6160")!], tls: tls)
    /// ```
    ///
    /// The server's name is always verified, or its address if that names it. A connection that cannot be verified
    /// carries no call: the calls fail with UNAVAILABLE, and the message names the cause.
    public struct TLS: Sendable {
        /// The authorities that the system trusts, without a client certificate.
        public static let system = TLS(.system)

        package let security: ClientSecurity

        private init(_ tls: ClientTLS) { security = tls.security }

        /// Reads PEM files.
        ///
        /// - Parameters:
        ///   - authorities: The path of the trusted authorities; nil for those of the system.
        ///   - certificate: The path of the client's certificate and its intermediate certificates.
        ///   - key: The path of the certificate's key, which other users may not read.
        /// - Throws: INVALID_ARGUMENT if a file cannot be used.
        public init(
            authorities: String? = nil,
            certificate: String? = nil,
            key: String? = nil
        ) throws(RPCError) {
            let files = ClientTLS.Files(authorities: authorities, certificate: certificate, key: key)
            do throws(StartupError) {
                self.init(try ClientTLS(files))
            } catch {
                throw RPCError(.invalidArgument, reason: .valueInvalid, error.message)
            }
        }
    }
}
