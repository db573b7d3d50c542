internal import NIOCore
internal import RPCCore
internal import WireMessages

extension SearchCharactersRequest {
    /// How the search goes on that broke off behind a page: from the page's token, with as many pages fewer.
    ///
    /// - Parameters:
    ///   - last: The last page that arrived, encoded.
    ///   - pages: How many arrived, from the first request on.
    /// - Returns: What to send.
    func resumption(after last: ByteBuffer, pages: Int) -> Resumption {
        guard let page = try? SearchCharactersResponse(decoding: last, limit: .response) else { return .impossible }
        guard !page.nextPageToken.isEmpty else { return .complete }
        var request = self
        request.pageToken = page.nextPageToken
        request.skip = 0
        if maxPages > 0 {
            request.maxPages = maxPages - Int32(clamping: pages)
            guard request.maxPages > 0 else { return .complete }
        }
        return .request(request.encoded())
    }
}
