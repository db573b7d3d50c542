internal import MarvelDomain

/// A reader of responses, which returns characters or throws the error. A page is read completely or refused; a single
/// unreadable character is read as far as possible, or left out.
package struct ReplyReader {
    /// The keys, which are removed from texts and links that the gateway sends back.
    let keys: MarvelKeys

    package init(keys: MarvelKeys) { self.keys = keys }

    /// Reads a page of characters.
    ///
    /// - Throws: `.invalidReply` if this is not the requested page; the error of the status if it is not 200.
    package func page(_ response: HTTPResponse, offset: Int, limit: Int) throws(MarvelAPIError) -> CharacterResults {
        guard response.status == 200 else { throw refusal(response, notFoundMeansCharacter: false) }
        let wrapper = try wrapper(response)
        // A gateway that ignores the offset would return the first page again and again.
        if let answered = wrapper.data.offset, answered != offset {
            throw .invalidReply("the page starts at \(answered) where \(offset) was asked for")
        }
        // Entries beyond the limit are returned again with the next page.
        let entries = wrapper.data.results.prefix(limit)
        return CharacterResults(
            characters: entries.compactMap { $0?.character(hiding: keys) },
            offset: offset,
            receivedCount: entries.count,
            total: total(wrapper.data, offset: offset, count: entries.count, limit: limit),
            attribution: wrapper.attribution,
            etag: response.headers["ETag"] ?? wrapper.etag
        )
    }

    /// Reads the response to a request for one character.
    ///
    /// - Throws: `.notFound` if there is no such character, `.invalidReply` if the response is about another one.
    package func character(_ response: HTTPResponse, id: Int64) throws(MarvelAPIError) -> CharacterResults {
        guard response.status == 200 else { throw refusal(response, notFoundMeansCharacter: true) }
        let wrapper = try wrapper(response)
        guard let entry = wrapper.data.results.first else { throw .notFound }
        guard let character = entry?.character(hiding: keys), character.id == id else {
            throw .invalidReply("it does not hold the character that was asked for")
        }
        return CharacterResults(
            characters: [character],
            offset: 0,
            receivedCount: 1,
            total: 1,
            attribution: wrapper.attribution,
            etag: response.headers["ETag"] ?? wrapper.etag
        )
    }

    /// Returns the number of matches. If the gateway reports none, only a page that is not full proves the end.
    private func total(_ data: CharacterDataWrapper.Container, offset: Int, count: Int, limit: Int) -> Int {
        let end = offset + count
        guard let told = data.total else { return count == limit ? end + 1 : end }
        return count == 0 ? told : max(told, end)
    }

    private func wrapper(_ response: HTTPResponse) throws(MarvelAPIError) -> CharacterDataWrapper {
        do throws(JSONObject.Refusal) {
            return try JSONObject.decode(CharacterDataWrapper.self, from: response.body)
        } catch {
            throw .invalidReply(error.description)
        }
    }
}
