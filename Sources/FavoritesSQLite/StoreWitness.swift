internal import Foundation
internal import MarvelDomain
internal import Synchronization

/// A record beside the store, in `STORE.witness`, of how far it had come when it last acknowledged something, and of
/// losses that no operator has acknowledged.
///
/// A disk that claims a write it did not make leaves, after a restart, a store that is whole and older, which nothing
/// inside it can show. The account is not synced, and no one depends on it: it may lag behind the store, and then says
/// nothing. If it is ahead, changes were lost. It is the first line, of fixed length; each loss is a line after it.
final class StoreWitness: Sendable {
    /// The progress of a store at one moment.
    struct Account: Hashable, Sendable {
        /// Of all lists together: the sum of their revisions.
        var changeCount: Int64 = 0
        /// The list that changed last, and where it was then.
        var list: ListName = .default
        var revision: Int64 = 0
        var digest: Int64 = 0
        /// The history that they count in; nil in an account of a version that knew none.
        var history: HistoryID?
    }

    /// The contents of the file.
    struct Record: Hashable, Sendable {
        /// Nil if there is none, or none that can be read.
        var account: Account?
        /// In words for the operator, with the time at which each was found.
        var losses: [String] = []
    }

    /// Longer than any account: a list's name has at most 64 bytes, a number 20.
    private static let accountLength = 256
    private static let maximumLossCount = 20
    private static let maximumSize = 64 << 10

    /// Nil once released.
    private let descriptor: Mutex<CInt?>

    /// Nil if it cannot be written, which is no reason not to serve.
    init?(store: String) {
        let path = StoreWitness.path(of: store)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        _ = fchmod(descriptor, 0o600)
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() { close(open) }
        }
    }

    /// Replaces all of it, and syncs what must not be forgotten.
    func write(_ record: Record) {
        let losses = record.losses.prefix(StoreWitness.maximumLossCount).map { "loss \($0)\n" }.joined()
        let text = StoreWitness.line(record.account ?? Account()) + losses
        write(text) { descriptor, count in
            ftruncate(descriptor, off_t(count))
            if !losses.isEmpty { fsync(descriptor) }
        }
    }

    /// Always of one length, so that it lies over what was there. That it fails is borne: the account is older then.
    func write(_ account: Account) {
        write(StoreWitness.line(account)) { _, _ in }
    }

    private func write(_ text: String, _ finish: (_ descriptor: CInt, _ count: Int) -> Void) {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            let bytes = Array(text.utf8)
            _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            finish(descriptor, bytes.count)
        }
    }

    private static func line(_ account: Account) -> String {
        var text = "changes \(account.changeCount) last \(account.list) \(account.revision) \(account.digest) "
        if let history = account.history {
            text += "history \(history.value) "
            text += "check \(check(text)) "
        }
        return text.padding(toLength: accountLength - 1, withPad: ".", startingAt: 0) + "\n"
    }

    /// A number over the words of an account: half of a line over another one may say anything.
    fileprivate static func check(_ text: String) -> String {
        var hash = FNV1a()
        hash.combine(text.utf8)
        return String(hash.value, radix: 16)
    }

    /// The record of the store at a path, empty if there is none. Anything may be in the file.
    static func record(of store: String) -> Record {
        let bytes = FilePath.firstBytes(of: path(of: store), count: maximumSize)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let losses = lines.dropFirst().compactMap { line in
            line.hasPrefix("loss ") ? String(line.dropFirst("loss ".count).filter(isPrintable).prefix(500)) : nil
        }
        return Record(
            account: lines.first.flatMap { Account(line: String($0)) },
            losses: Array(losses.prefix(maximumLossCount))
        )
    }

    /// Forgets the losses that are recorded.
    ///
    /// - Throws: `.notWritable`.
    static func acknowledgeLosses(of store: String) throws(FavoritesStoreOpenError) {
        let path = StoreWitness.path(of: store)
        let bytes = FilePath.firstBytes(of: path, count: maximumSize)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
        guard truncate(path, off_t(end + 1)) == 0 else {
            let reason = String(cString: strerror(errno))
            throw FavoritesStoreOpenError(code: .notWritable, message: "\(path) cannot be written: \(reason)")
        }
    }

    private static func isPrintable(_ character: Character) -> Bool {
        character.asciiValue.map { (0x20...0x7E).contains($0) } ?? false
    }

    private static func path(of store: String) -> String {
        FilePath.resolved(store) + ".witness"
    }
}

extension StoreWitness.Account {
    /// Nil if the line is none that a server wrote.
    init?(line: String) {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[0] == "changes", words[2] == "last",
            let changeCount = Int64(words[1]), changeCount >= 0, let list = ListName(String(words[3])),
            let revision = Int64(words[4]), revision >= 0, let digest = Int64(words[5])
        else { return nil }
        self.init(changeCount: changeCount, list: list, revision: revision, digest: digest)
        guard words.count >= 10, words[6] == "history", words[8] == "check" else { return }
        guard let history = Int64(words[7]),
            words[9] == StoreWitness.check(words[..<8].joined(separator: " ") + " ")
        else { return nil }
        self.history = HistoryID(history)
    }

    /// Takes the progress from `state`.
    ///
    /// - Parameters:
    ///   - state: Where the store is.
    ///   - list: The list of the last change.
    ///   - last: Where that list is, or was when it was deleted.
    init(_ state: StoreState, last list: ListName, _ last: ListState) {
        self.init(
            changeCount: state.changeCount,
            list: list,
            revision: last.revision,
            digest: last.digest,
            history: state.history.id
        )
    }
}
