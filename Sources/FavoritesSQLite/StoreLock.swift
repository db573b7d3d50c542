internal import Foundation
internal import Synchronization

/// One store, one server: an exclusive lock on `STORE.lock`, held as long as this object lives.
///
/// The kernel drops it with the process, however that ends. The file stays behind and means nothing unlocked. A lock on
/// the store itself would not do: SQLite has its own there, and closing any other descriptor of that file drops them;
/// its exclusive mode shuts out programs that copy or check the store.
final class StoreLock: Sendable {
    /// Nil once released.
    private let descriptor: Mutex<CInt?>

    /// - Parameters:
    ///   - store: The path of the store, which need not exist yet.
    ///   - address: Where this server can be reached, for the one that comes second.
    /// - Throws: `.inUse`, naming the holder, or `.notWritable`.
    init(store: String, address: String?) throws(FavoritesStoreOpenError) {
        let path = StoreLock.resolved(store) + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw FavoritesStoreOpenError(
                code: .notWritable,
                message: "cannot keep a store at \(store): its lock file \(path) cannot be written: \(reason)"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = StoreLock.note(in: descriptor)
            close(descriptor)
            throw FavoritesStoreOpenError(
                code: .inUse,
                message: "the store \(store) is already in use by \(holder): stop that server or name another store"
            )
        }
        self.descriptor = Mutex(descriptor)
        write(address: address)
    }

    deinit { release() }

    /// Writes down who holds the lock. Failing to is no reason to stop: the lock holds without it.
    func write(address: String?) {
        let note = "pid \(getpid())" + (address.map { " at \($0)" } ?? "") + "\n"
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            ftruncate(descriptor, 0)
            _ = Array(note.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            // Closing alone would leave the lock to a child that was forked and has not yet become its program.
            flock(open, LOCK_UN)
            close(open)
        }
    }

    /// What the holder wrote; the file may hold anything, so only a short printable line of it is used.
    private static func note(in descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        let printable = bytes.prefix(max(0, count)).prefix { (0x20...0x7E).contains($0) }
        return printable.isEmpty ? "another process" : String(decoding: printable, as: UTF8.self)
    }

    /// The path behind symbolic links, so that two names of one file meet at one lock.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
