internal import Glibc
package import NIOCore
package import RPCCore

/// A function that returns the caller of a connection from an address; nil if it has no quota.
package typealias CallerOfAddress = @Sendable (SocketAddress?) -> CallerAccounts.Caller?

extension CallerAccounts.Caller {
    /// Makes the caller of a connection from an address. Nil for this machine's own: loopback and unix sockets.
    package init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(ipv4: bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            let isMapped = bytes.starts(with: Self.mappedPrefix)
            guard bytes != Self.loopback else { return nil }
            // A host has a whole /64 to choose addresses from.
            if isMapped { self.init(ipv4: bytes[12...]) } else { self = .address(Self.text(bytes[..<8])) }
        } else {
            self = .address(text)
        }
    }

    private init?(ipv4 bytes: ArraySlice<UInt8>) {
        guard bytes.first != 127 else { return nil }
        self = .address(Self.text(bytes))
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }
}
