/// The owner of a list: the caller whose toggle made it. A quota limits the lists of each owner.
package enum ListOwner: Sendable, Hashable {
    /// Nobody: the list was made by a caller on the server's own machine who proved no name, or by an older version. Such
    /// lists count for no quota.
    case nobody
    /// A caller that proved its name.
    case named(String)
    /// A caller from elsewhere without a name. It may make no list, because nobody could tell later that it is the owner.
    case stranger

    /// The maximum length of a name, in bytes.
    package static let maximumNameLength = 64

    /// Reads an owner as a store keeps it: a name, or an empty text for nobody. Nil if the text is not 1 to 64 printable
    /// characters of ASCII.
    package init?(stored name: String) {
        guard name.utf8.count <= Self.maximumNameLength, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self = name.isEmpty ? .nobody : .named(name)
    }

    /// The name of the owner; nil if there is none.
    package var name: String? {
        guard case .named(let name) = self else { return nil }
        return name
    }
}
