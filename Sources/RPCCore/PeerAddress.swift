package import NIOCore

/// The host at one end of a connection: the key for counting connections, calls and invalid tokens, and for recognizing
/// this machine.
///
/// An IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
package enum PeerAddress: Sendable, Hashable {
    /// 127.0.0.0/8 and ::1.
    case loopback
    case ipv4(UInt32)
    /// The first 64 bits of an IPv6 address: one host usually has all addresses that begin with them.
    case ipv6Network(UInt64)

    package init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        // The places of the address in sockaddr_in and sockaddr_in6, in network order.
        switch address {
        case .v4:
            self.init(ipv4: address.withSockAddr { sockaddr, _ in Self.load(sockaddr, at: 4) })
        case .v6:
            let (high, low): (UInt64, UInt64) = address.withSockAddr { sockaddr, _ in
                (Self.load(sockaddr, at: 8), Self.load(sockaddr, at: 16))
            }
            self.init(high: high, low: low)
        case .unixDomainSocket:
            return nil
        }
    }

    private static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ sockaddr: UnsafeRawPointer,
        at offset: Int
    ) -> Number {
        Number(bigEndian: sockaddr.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    package init?(host: String) {
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return nil }
        self.init(address)
    }

    private init(ipv4 address: UInt32) {
        self = address >> 24 == 127 ? .loopback : .ipv4(address)
    }

    private init(high: UInt64, low: UInt64) {
        if high == 0, low == 1 {
            self = .loopback
        } else if high == 0, low >> 32 == 0xFFFF {
            self.init(ipv4: UInt32(truncatingIfNeeded: low))
        } else {
            self = .ipv6Network(high)
        }
    }
}
