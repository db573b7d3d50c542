/// The owner of a list: the caller whose toggle created it. A quota limits the lists of each owner.
package enum ListOwner: Sendable, Hashable {
    /// An unnamed caller on the server's own machine, or an older version. Such lists count for no quota.
    case nobody
    case named(String)
    /// An unnamed caller from elsewhere. It may not create lists, because it could never prove its ownership.
    case stranger

    /// In bytes.
    package static let maximumNameLength = 64

    /// Reads a stored owner: a name of 1 to 64 printable ASCII characters, or an empty text for `nobody`.
    package init?(stored name: String) {
        guard name.utf8.count <= Self.maximumNameLength, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self = name.isEmpty ? .nobody : .named(name)
    }

    /// Nil for an owner without a name.
    package var name: String? {
        guard case .named(let name) = self else { return nil }
        return name
    }
}
