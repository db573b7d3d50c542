import ChildProcesses
import Foundation
import TestCertificates
import Testing

/// `openssl s_server` with that identity: it answers every request with a page about the connection.
final class TestTLSServer {
    let port: Int
    private let process: ChildProcess
    /// Kept open: a server that nobody listens to would fail.
    private let output: ReadablePipe

    init(_ identity: TestCertificates.Pair) throws {
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
