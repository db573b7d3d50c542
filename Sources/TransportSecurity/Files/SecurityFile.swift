internal import FoundationEssentials
internal import Glibc
internal import NIOSSL
internal import RPCCore

/// The content of a file of certificates or of a key. Reading it blocks.
struct SecurityFile {
    /// The largest file that is read, in bytes: a store of all public authorities has some 200 KiB.
    private static let maximumByteCount = 4 * 1024 * 1024

    let path: String
    let bytes: [UInt8]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - isSecret: Whether it holds a key, which other users may not read and the group may not change.
    /// - Throws: `StartupError` if it cannot be read, or if others can read a secret.
    init(_ path: String, isSecret: Bool = false) throws(StartupError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw StartupError(.configuration, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StartupError(.configuration, "\(path) is not a regular file")
        }
        guard !isSecret || status.st_mode & 0o027 == 0 else {
            throw StartupError(
                .configuration,
                "the key in \(path) is accessible to other users: run chmod 600"
            )
        }
        guard let bytes = Self.read(descriptor) else {
            throw StartupError(
                .configuration,
                "\(path) cannot be read, or has more than \(Self.maximumByteCount) bytes"
            )
        }
        self.bytes = bytes
    }

    private static func read(_ descriptor: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= maximumByteCount {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
        }
        return nil
    }
}

extension SecurityFile {
    /// Returns the certificates in the file, at least one.
    func certificates() throws(StartupError) -> [NIOSSLCertificate] {
        let certificates = (try? NIOSSLCertificate.fromPEMBytes(bytes)) ?? []
        guard !certificates.isEmpty else {
            throw StartupError(.configuration, "\(path) contains no valid PEM certificate")
        }
        return certificates
    }

    /// Returns the key in the file.
    func key() throws(StartupError) -> NIOSSLPrivateKey {
        do {
            return try NIOSSLPrivateKey(bytes: bytes, format: .pem)
        } catch {
            throw StartupError(.configuration, "\(path) contains no valid PEM key without a passphrase")
        }
    }
}

extension NIOSSLCertificate {
    /// The time in which it is valid, in seconds since 1970.
    var validity: ClosedRange<Int> {
        let begin = Int(notValidBefore)
        return begin...max(begin, Int(notValidAfter))
    }
}

/// Returns the time in which a certificate is valid, in seconds since 1970, as text for somebody at another time.
func validityText(_ validity: ClosedRange<Int>) -> String {
    "valid from \(dateText(validity.lowerBound)) to \(dateText(validity.upperBound)), and not now: "
        + "replace it, or correct the clock of this machine"
}

/// Returns a time in seconds since 1970 as text.
func dateText(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
}
