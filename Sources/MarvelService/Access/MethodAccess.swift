package import Access
internal import MarvelDomain
package import RPCCore
internal import WireMessages

/// The access that a method needs. `MethodAccess.table` has a row for each method; one without a row needs all permissions.
package struct MethodAccess: Sendable, Hashable {
    /// The access to the list that a request names.
    package enum Lists: Sendable, Hashable {
        /// The method names no list.
        case none
        /// A request that names a list needs lists:read. One that names none gets no marks without it.
        case marking
        /// lists:read.
        case reading
        /// lists:write.
        case writing
    }

    package var permissions: Permissions
    package var lists = Lists.none

    package static let table: [MethodPath: MethodAccess] = [
        HealthMethods.check.path: MethodAccess(permissions: []),
        HealthMethods.watch.path: MethodAccess(permissions: []),
        HealthMethods.list.path: MethodAccess(permissions: []),
        ServerReflectionMethods.serverReflectionInfo.path: MethodAccess(permissions: .catalogRead),
        ServerReflection.olderPath: MethodAccess(permissions: .catalogRead),
        MarvelServiceMethods.searchCharacters.path: MethodAccess(permissions: .catalogRead, lists: .marking),
        MarvelServiceMethods.getCharacter.path: MethodAccess(permissions: .catalogRead, lists: .marking),
        MarvelServiceMethods.getCatalogInfo.path: MethodAccess(permissions: .catalogRead),
        MarvelServiceMethods.suggestNames.path: MethodAccess(permissions: .catalogRead),
        MarvelServiceMethods.getThumbnail.path: MethodAccess(permissions: .catalogRead),
        MarvelServiceMethods.listFavorites.path: MethodAccess(permissions: [], lists: .reading),
        MarvelServiceMethods.watchFavorites.path: MethodAccess(permissions: [], lists: .reading),
        MarvelServiceMethods.toggleFavorite.path: MethodAccess(permissions: [], lists: .writing),
        MarvelServiceMethods.deleteList.path: MethodAccess(permissions: [], lists: .writing),
        MarvelServiceMethods.listLists.path: MethodAccess(permissions: .admin),
        // The operator also has to allow edits.
        MarvelServiceMethods.createCharacter.path: MethodAccess(permissions: .catalogEdit),
        MarvelServiceMethods.updateCharacter.path: MethodAccess(permissions: .catalogEdit),
    ]

    /// Returns the permissions that a method needs.
    static func permissions(of path: MethodPath) -> Permissions {
        table[path]?.permissions ?? [.catalogRead, .catalogEdit, .admin]
    }
}

extension IncomingCall {
    /// Reads the name of the list that the request reads or changes.
    ///
    /// - Throws: LIST_NAME_INVALID, or the error of a caller who may not use the list, whether it exists or not.
    func list(_ text: String, for use: ListUse) throws(RPCError) -> ListName {
        let list = try ListName(request: text)
        try check(use, list: list.text)
        return list
    }

    /// Reads the name of the list by which the answer marks favorites.
    ///
    /// - Returns: The list; nil if the request names none, and its caller may not read the default list.
    /// - Throws: The same.
    func markingList(_ text: String) throws(RPCError) -> ListName? {
        guard !text.isEmpty || principal.grants.allows(.reading, list: ListName.default.text) else { return nil }
        return try list(text, for: .reading)
    }
}
