internal import MarvelDomain

/// Turns an answer into characters or into the reason why not. A page is whole or refused; one odd character in it is
/// read as far as it can be, or left out.
package struct ReplyReader {
    /// Needed only to keep them out of texts and links that the gateway sends back.
    let keys: MarvelKeys

    package init(keys: MarvelKeys) { self.keys = keys }

    /// - Throws: `.invalidReply` if this is not the page that was asked for, or what the status stands for.
    package func page(_ response: HTTPResponse, offset: Int, limit: Int) throws(MarvelAPIError) -> CharacterResults {
        guard response.status == 200 else { throw refusal(response, notFoundMeansCharacter: false) }
        let wrapper = try wrapper(response)
        // A gateway that ignores the offset would show the first page for ever.
        if let answered = wrapper.data.offset, answered != offset {
            throw .invalidReply("the page starts at \(answered) where \(offset) was asked for")
        }
        // What comes beyond the limit comes again with the next page.
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

    /// - Throws: `.notFound` if there is no such character, `.invalidReply` if the answer is about another one.
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

    /// Where the gateway tells none, only a page that is not full says that there is nothing further.
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
