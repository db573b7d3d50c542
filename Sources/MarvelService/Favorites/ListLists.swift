internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    func listLists(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try ListListsRequest(call)
        // An empty text is the name `default`, and a valid prefix too.
        guard ListName(request.prefix) != nil else { throw .prefixInvalid() }
        guard request.pageSize >= 0 else { throw .tooLow(request.pageSize, field: "page_size", .pageSizeInvalid) }
        let pageSize = request.pageSize == 0 ? 100 : min(Int(request.pageSize), 1_000)
        let prefix = request.prefix
        let last = try ListsPageToken.read(request.pageToken, prefix: prefix)?.last
        return .later { [store] () async throws(RPCError) in
            // The additional list shows whether there is another page.
            var lists = try await fromStore { () async throws(StoreError) in
                try await store.lists(prefix: prefix, after: last, limit: pageSize + 1)
            }
            let hasMore = lists.count > pageSize
            lists = Array(lists.prefix(pageSize))
            let token = hasMore ? lists.last.map { ListsPageToken(prefix: prefix, last: $0.name).text } : nil
            let named = lists.map { list in
                NamedList(name: list.name.text, revision: list.revision, favoriteCount: Int32(clamping: list.count))
            }
            return .last(ListListsResponse(lists: named, nextPageToken: token ?? "").encoded())
        }
    }
}

/// The last name of a page. It is opaque to clients, safe in URLs, and does not expire.
///
///     u8 version (1) | u64 FNV-1a of the version, the prefix, a zero byte and the name (big-endian) | the name
///     | zero bytes up to a multiple of three
///
/// The hash is not a signature: a forged token gives access only to names that are open to everyone.
struct ListsPageToken: Sendable, Hashable {
    private static let version: UInt8 = 1
    private static let headByteCount = 9
    private static let maximumTextLength = 100

    let prefix: String
    let last: ListName

    init(prefix: String, last: ListName) {
        self.prefix = prefix
        self.last = last
    }

    /// Nil if the text is empty. Throws PAGE_TOKEN_INVALID if it is not a token for the prefix.
    static func read(_ text: String, prefix: String) throws(RPCError) -> ListsPageToken? {
        guard !text.isEmpty else { return nil }
        let length = text.utf8.count
        guard length <= maximumTextLength, length.isMultiple(of: 4),
            let bytes = Base64.decodeURL(text, byteCount: length / 4 * 3), bytes.count > headByteCount
        else { throw .listsPageTokenInvalid() }
        let name = String(decoding: bytes[headByteCount...].prefix { $0 != 0 }, as: UTF8.self)
        guard !name.isEmpty, let last = ListName(name) else { throw .listsPageTokenInvalid() }
        let token = ListsPageToken(prefix: prefix, last: last)
        guard token.bytes == bytes else { throw .listsPageTokenInvalid() }
        return token
    }

    var text: String {
        Base64.encode(bytes, .url)
    }

    private var bytes: [UInt8] {
        var hash = FNV1a()
        hash.combine(Self.version)
        hash.combine(prefix.utf8)
        hash.combine(0)
        hash.combine(last.text.utf8)
        var bytes = [Self.version] + withUnsafeBytes(of: hash.value.bigEndian, Array.init) + Array(last.text.utf8)
        while !bytes.count.isMultiple(of: 3) { bytes.append(0) }
        return bytes
    }
}
