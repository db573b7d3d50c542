internal import Foundation
internal import MarvelDomain
internal import Synchronization

/// How far the store had come when it last acknowledged something, written down beside it in `STORE.witness`.
///
/// A disk that claims a write it did not make leaves, after a restart, a store that is whole and older, which nothing
/// inside it can show. The witness is not synced, and no one depends on it: it may lag behind the store, and then says
/// nothing. If it is ahead, changes were lost.
final class StoreWitness: Sendable {
    /// What is written down.
    struct Account: Hashable, Sendable {
        /// Of all lists together: the sum of their revisions.
        var changeCount: Int64 = 0
        /// The list that changed last, and where it was then.
        var list: ListName = .default
        var revision: Int64 = 0
        var digest: Int64 = 0
    }

    private static let length = 128

    /// Nil once released.
    private let descriptor: Mutex<CInt?>

    /// Nil if it cannot be written, which is no reason not to serve.
    init?(store: String) {
        let path = StoreWitness.path(of: store)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() { close(open) }
        }
    }

    /// Always of one length, so that it lies over what was there. That it fails is borne: the account is older then.
    func write(_ account: Account) {
        let text = "changes \(account.changeCount) last \(account.list) \(account.revision) \(account.digest) "
        let line = text.padding(toLength: StoreWitness.length - 1, withPad: ".", startingAt: 0) + "\n"
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            _ = Array(line.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    /// Nil if there is none, or none that can be read.
    static func account(of store: String) -> Account? {
        guard let text = try? String(contentsOfFile: path(of: store), encoding: .utf8) else { return nil }
        let words = text.split(separator: " ")
        guard words.count >= 6, words[0] == "changes", words[2] == "last", let changeCount = Int64(words[1]),
            let list = ListName(String(words[3])), let revision = Int64(words[4]), let digest = Int64(words[5])
        else { return nil }
        return Account(changeCount: changeCount, list: list, revision: revision, digest: digest)
    }

    private static func path(of store: String) -> String {
        StoreLock.resolved(store) + ".witness"
    }
}
