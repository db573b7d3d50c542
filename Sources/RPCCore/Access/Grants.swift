/// The permissions that concern no list, as a set that one instruction compares.
package struct Permissions: OptionSet, Sendable, Hashable {
    @usableFromInline
    package let rawValue: UInt8

    package static let catalogRead = Permissions(rawValue: 1)
    package static let catalogEdit = Permissions(rawValue: 2)
    package static let admin = Permissions(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    fileprivate var firstScope: Scope? {
        if contains(.catalogRead) { return .catalogRead }
        if contains(.catalogEdit) { return .catalogEdit }
        return contains(.admin) ? .admin : nil
    }
}

package enum ListUse: Sendable, Hashable {
    case reading
    case writing
}

package struct Grants: Sendable, Hashable {
    package static let all = Grants(Scope.all)
    package static let none = Grants([])

    package let permissions: Permissions
    /// Precomputed, because most principals may read all lists, and need no comparison of names.
    package let readsAllLists: Bool
    private let readable: [ListPattern]
    private let writable: [ListPattern]

    package init(_ scopes: some Sequence<Scope>) {
        var permissions: Permissions = []
        var (readable, writable): ([ListPattern], [ListPattern]) = ([], [])
        for scope in scopes {
            switch scope {
            case .catalogRead: permissions.insert(.catalogRead)
            case .catalogEdit: permissions.insert(.catalogEdit)
            case .admin: permissions.insert(.admin)
            case .listsRead(let pattern): readable.append(pattern)
            case .listsWrite(let pattern):
                writable.append(pattern)
                readable.append(pattern)
            }
        }
        self.permissions = permissions
        self.readable = readable
        self.writable = writable
        readsAllLists = readable.contains(.all)
    }

    package func missing(of wanted: Permissions) -> Scope? {
        wanted.subtracting(permissions).firstScope
    }

    package func allows(_ use: ListUse, list: String) -> Bool {
        switch use {
        case .reading: readsAllLists || readable.contains { $0.covers(list) }
        case .writing: writable.contains { $0.covers(list) }
        }
    }
}
