import ChildProcesses
import Foundation
import Testing

/// Authorities and certificates of a test, made by `openssl` in a folder that goes with the value.
final class TestCertificates: Sendable {
    static let openssl = "/usr/bin/openssl"
    static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)

    /// A server's certificate and key.
    struct Identity: Sendable {
        var certificate: String
        var key: String
    }

    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "marvel-rpc-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            [ca]
            default_ca = test
            [test]
            database = index
            new_certs_dir = .
            default_md = sha256
            policy = policy
            rand_serial = yes
            unique_subject = no
            copy_extensions = copy
            [policy]
            commonName = supplied
            """
        try configuration.write(toFile: folder + "/configuration", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/index", atomically: true, encoding: .utf8)
        for name in ["authority", "stranger"] {
            try run(["req", "-x509", "-keyout", "\(name).key", "-out", "\(name).pem", "-subj", "/CN=\(name)"] + newKey)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The file to trust.
    var authority: String { folder + "/authority.pem" }

    /// A certificate signed by `authority`; dates as `yyyymmddhhmmssZ`.
    func identity(
        signedBy authority: String = "authority",
        names: String = "IP:127.0.0.1",
        from start: String = "20200101000000Z",
        to end: String = "20990101000000Z",
        usage: String = "serverAuth"
    ) throws -> Identity {
        let extensions = ["-addext", "subjectAltName=\(names)", "-addext", "extendedKeyUsage=\(usage)"]
        try run(["req", "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server"] + newKey + extensions)
        try run([
            "ca", "-batch", "-notext", "-config", "configuration", "-cert", "\(authority).pem", "-keyfile",
            "\(authority).key", "-in", "server.csr", "-startdate", start, "-enddate", end, "-out", "server.pem",
        ])
        return Identity(certificate: folder + "/server.pem", key: folder + "/server.key")
    }

    /// A certificate that vouches for itself.
    func selfSigned() throws -> Identity {
        let names = ["-addext", "subjectAltName=IP:127.0.0.1"]
        try run(["req", "-x509", "-keyout", "self.key", "-out", "self.pem", "-subj", "/CN=self"] + newKey + names)
        return Identity(certificate: folder + "/self.pem", key: folder + "/self.key")
    }

    private let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private func run(_ arguments: [String]) throws {
        let program = ["--chdir", folder, TestCertificates.openssl]
        let status = try ChildProcess("/usr/bin/env", program + arguments).wait()
        try #require(status == 0, "openssl \(arguments)")
    }
}

/// `openssl s_server` with that identity: it answers every request with a page about the connection.
final class TestTLSServer {
    let port: Int
    private let process: ChildProcess
    /// Kept open: a server that nobody listens to would fail.
    private let output: ReadablePipe

    init(_ identity: TestCertificates.Identity) throws {
        output = try ReadablePipe()
        process = try ChildProcess(
            TestCertificates.openssl,
            ["s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key, "-www"],
            output: output.writeEnd
        )
        output.closeWriteEnd()
        let line = try #require(output.line(beginningWith: "ACCEPT "))
        port = try #require(Int(line.drop { $0 != ":" }.dropFirst()))
    }

    deinit {
        // Not SIGTERM: tests run on threads that block it, and a child inherits that.
        process.send(SIGKILL)
        process.wait()
        output.closeReadEnd()
    }

    var url: String { "https://127.0.0.1:\(port)/" }
}

extension ReadablePipe {
    /// Reads until there is such a line; nil if the output ends before.
    fileprivate func line(beginningWith prefix: String) -> String? {
        var line: [UInt8] = []
        while let byte = read(atMost: 1).first {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix(prefix) { return text }
            line = []
        }
        return nil
    }
}
