internal import ChildProcesses
internal import Foundation

/// Certificates for a test, made by the openssl program: two authorities, and what they issue. They go with the test.
package final class TestCertificates: Sendable {
    /// An authority. Peers are told to trust the known one only.
    package enum Authority: String, Sendable, CaseIterable {
        case known
        case foreign
    }

    /// The time in which a certificate is valid.
    package enum Validity: Sendable {
        case now
        case ended
        case begins

        fileprivate var dates: [String] {
            let (begin, end) =
                switch self {
                case .now: (-1, 2)
                case .ended: (-3, -1)
                case .begins: (1, 2)
                }
            return ["-startdate", Self.date(begin), "-enddate", Self.date(end)]
        }

        private static func date(_ days: Int) -> String {
            var seconds = time(nil) + days * 86_400
            var parts = tm()
            gmtime_r(&seconds, &parts)
            var text = [CChar](repeating: 0, count: 32)
            strftime(&text, text.count, "%Y%m%d%H%M%SZ", &parts)
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The paths of a certificate and of its key.
    package struct Pair: Sendable, Hashable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The program that makes them.
    package static let openssl = "/usr/bin/openssl"
    /// Whether it is there.
    package static var canBeMade: Bool { FileManager.default.isExecutableFile(atPath: openssl) }
    /// The names of a server on this machine.
    package static let here = "DNS:localhost,IP:127.0.0.1"

    private let folder: URL

    /// Makes the authorities.
    package init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "marvel-rpc-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.configuration(folder.path).utf8).write(to: folder.appending(path: "ca.conf"))
        try Data().write(to: folder.appending(path: "issued"))
        for authority in Authority.allCases {
            let name = authority.rawValue
            try await run(
                ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=\(name)", "-keyout", path("\(name).key")]
                    + ["-out", path("\(name).pem"), "-addext", "basicConstraints=critical,CA:TRUE"]
                    + ["-addext", "keyUsage=critical,keyCertSign"] + Self.newKey
            )
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the path of a file in the folder of the certificates.
    package func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Returns the path of an authority's certificate.
    package func authority(_ authority: Authority = .known) -> String { path("\(authority.rawValue).pem") }

    /// Makes a certificate and its key.
    ///
    /// - Parameters:
    ///   - name: The name of the files.
    ///   - names: What it is for, as openssl has it: `DNS:localhost`, `URI:marvel://principal/ops`.
    ///   - usage: What its key may be used for: `serverAuth`; nil for everything.
    ///   - authority: Its issuer.
    ///   - validity: The time in which it is valid.
    /// - Returns: The paths of both.
    /// - Throws: `OpenSSLError` if the program fails.
    @discardableResult
    package func issue(
        _ name: String = "server",
        for names: String = here,
        usage: String? = nil,
        by authority: Authority = .known,
        _ validity: Validity = .now
    ) async throws -> Pair {
        let pair = Pair(certificate: path("\(name).pem"), key: path("\(name).key"))
        try await run(
            ["req", "-new", "-nodes", "-subj", "/CN=\(name)", "-keyout", pair.key, "-out", path("\(name).csr")]
                + ["-addext", "subjectAltName=\(names)"] + Self.newKey
                + (usage.map { ["-addext", "extendedKeyUsage=\($0)"] } ?? [])
        )
        try await run(
            ["ca", "-batch", "-notext", "-config", path("ca.conf"), "-in", path("\(name).csr")]
                + ["-cert", self.authority(authority), "-keyfile", path("\(authority.rawValue).key")]
                + ["-out", pair.certificate] + validity.dates
        )
        chmod(pair.key, 0o600)
        return pair
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    private static func configuration(_ folder: String) -> String {
        """
        [ca]
        default_ca = test
        [test]
        new_certs_dir = \(folder)
        database = \(folder)/issued
        serial = \(folder)/serial
        rand_serial = yes
        default_md = sha256
        unique_subject = no
        policy = any
        copy_extensions = copy
        [any]
        commonName = supplied
        """
    }

    private func run(_ arguments: [String]) async throws {
        let log = path("openssl.log")
        let status = try await onThread {
            let descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            return try ChildProcess(Self.openssl, arguments, output: descriptor, errors: descriptor).wait()
        }
        guard status == 0 else {
            throw OpenSSLError(arguments: arguments, text: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
        }
    }
}

/// A failure of the openssl program.
package struct OpenSSLError: Error {
    package let arguments: [String]
    package let text: String
}
