internal import FoundationEssentials
internal import Glibc
internal import MarvelDomain
package import RPCCore

/// JSON that only its owner may read. It contains digests, not tokens. It is replaced atomically.
package struct TokenFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    // MARK: Reading

    /// Empty without a file.
    ///
    /// - Throws: Like `read`.
    package func readIfPresent() throws(StartupError) -> [TokenRecord] {
        // The store reports an invalid folder.
        guard access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) else { return [] }
        return try read()
    }

    /// - Throws: `StartupError` if the file is missing, cannot be read, is readable by others, or is not a file of tokens.
    package func read() throws(StartupError) -> [TokenRecord] {
        let text = try SecretFile.text(path, "tokens")
        do {
            let stored = try Self.decoder.decode(StoredTokens.self, from: Data(text.utf8))
            return try stored.records()
        } catch let error as StoredTokens.Fault {
            throw StartupError(.configuration, "\(path): \(error.text)")
        } catch {
            // The decoder's text could repeat a part of the file.
            throw StartupError(.configuration, "\(path) is not a token file: unexpected JSON")
        }
    }

    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Another program that changes the records waits. It returns once the file is on disk.
    @discardableResult
    package func change<Value>(_ body: (inout [TokenRecord]) throws -> Value) throws -> Value {
        let target = target
        let folder = URL(filePath: target).deletingLastPathComponent().path
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw unwritable() }
        defer { close(lock) }
        var records = try readIfPresent()
        let value = try body(&records)
        try write(Self.encoded(records), to: target, in: folder)
        fsync(lock)
        return value
    }

    /// The file to write: the one that a symbolic link names. A server may read it by its own name, so the link stays.
    private var target: String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        // Its file may not be there yet.
        guard let file = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
        return file.hasPrefix("/") ? file : "\(URL(filePath: path).deletingLastPathComponent().path)/\(file)"
    }

    private static func encoded(_ records: [TokenRecord]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(StoredTokens(records))) + [UInt8(ascii: "\n")]
    }

    private func write(_ bytes: [UInt8], to target: String, in folder: String) throws(StartupError) {
        guard bytes.count <= SecretFile.maximumByteCount else {
            throw StartupError(.storage, "\(path) would be too large: revoke unused tokens")
        }
        let partial = "\(target).\(getpid()).new"
        unlink(partial)
        let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw unwritable() }
        keepReaders(of: file, in: folder)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(partial, target) == 0 else {
            let error = unwritable()
            unlink(partial)
            throw error
        }
    }

    /// Root may make tokens for a server of another user, who owns the file or has its group.
    private func keepReaders(of file: Int32, in folder: String) {
        var status = stat()
        guard geteuid() == 0 else { return }
        let isReplaced = stat(path, &status) == 0
        guard isReplaced || stat(folder, &status) == 0 else { return }
        _ = fchown(file, status.st_uid, status.st_gid)
        if isReplaced { _ = fchmod(file, status.st_mode & 0o640) }
    }

    private func unwritable() -> StartupError {
        StartupError(.storage, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}

private struct StoredTokens: Codable {
    struct Fault: Error { var text: String }

    struct Stored: Codable {
        var id: String
        var name: String
        var scopes: [String]
        var sha256: String?
        var createdAt: Date
        var expiresAt: Date?
    }

    var version = 1
    var tokens: [Stored]

    init(_ records: [TokenRecord]) {
        tokens = records.map { record in
            Stored(
                id: record.id,
                name: record.name,
                scopes: record.scopes.map(\.description),
                sha256: record.digest.map(Hexadecimal.text),
                createdAt: Date(timeIntervalSince1970: Double(record.createdAt)),
                expiresAt: record.expiry.map { Date(timeIntervalSince1970: Double($0)) }
            )
        }
    }

    func records() throws(Fault) -> [TokenRecord] {
        guard version == 1 else { throw Fault(text: "it was written by a newer marvel-server (version \(version))") }
        var records: [TokenRecord] = []
        var ids: Set<String> = []
        for token in tokens {
            guard ids.insert(token.id).inserted else { throw Fault(text: "two tokens have the id \(token.id)") }
            records.append(try token.record())
        }
        return records
    }
}

extension StoredTokens.Stored {
    fileprivate func record() throws(StoredTokens.Fault) -> TokenRecord {
        guard Principal.isName(name) else { throw .init(text: "the token \(id) has an invalid name") }
        var scopes: [Scope] = []
        for text in self.scopes {
            guard let scope = Scope(text) else {
                throw .init(text: "the token \(id) has the scope '\(text)', expected one of \(Scope.forms)")
            }
            scopes.append(scope)
        }
        let digest = sha256.map { Hexadecimal.bytes($0) ?? [] }
        guard digest.map({ $0.count == TokenRecord.digestLength }) ?? true else {
            throw .init(text: "the token \(id) has an invalid sha256")
        }
        return TokenRecord(
            id: id,
            name: name,
            scopes: scopes,
            digest: digest,
            createdAt: createdAt.seconds,
            expiry: expiresAt?.seconds
        )
    }
}

extension Date {
    /// Seconds since 1970. Dates that no number can represent have the maximum.
    fileprivate var seconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? .max }
}
