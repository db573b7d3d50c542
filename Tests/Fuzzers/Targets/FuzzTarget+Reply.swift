internal import MarvelDomain
internal import NIOCore
internal import Upstream
internal import WireMessages

/// The answers of a gateway. The first line is the status and the text of `Retry-After`, the rest is the body.
extension FuzzTarget {
    static let reply = FuzzTarget("reply") { bytes in
        guard let keys = MarvelKeys(publicKey: "public1234", privateKey: "private5678") else { return ["no keys"] }
        var findings = Findings()
        let response = HTTPResponse(reply: [UInt8](bytes.readableBytesView))
        let reader = ReplyReader(keys: keys)
        do throws(SourceError) {
            check(try reader.page(response, offset: 0, limit: 5), &findings)
        } catch {
            findings.expect(!"\(error)".contains("private5678"), "an error tells the private key")
        }
        do throws(SourceError) {
            let results = try reader.character(response, id: 7)
            findings.expect(results.characters.map(\.id) == [7], "another character is taken for the one asked for")
        } catch {
            findings.expect(!"\(error)".contains("private5678"), "an error tells the private key")
        }
        return findings.breaches
    }

    private static func check(_ results: CharacterResults, _ findings: inout Findings) {
        findings.expect(results.receivedCount <= 5, "a page of 5 has \(results.receivedCount) entries")
        findings.expect(results.characters.count <= results.receivedCount, "there are more characters than entries")
        findings.expect(results.total >= results.receivedCount, "the page has more entries than there are in total")
        for character in results.characters {
            findings.expect(character.id > 0, "a character has the id \(character.id)")
            for text in [character.name, character.description] {
                let isPrintable = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                findings.expect(isPrintable, "a text has control characters")
            }
        }
        let page = SearchCharactersResponse(
            characters: results.characters,
            total: Int32(clamping: results.total),
            attribution: results.attribution
        )
        let sent = try? SearchCharactersResponse(decoding: page.encoded(), limit: .response)
        findings.expect(sent == page, "a page from a gateway cannot be sent on")
    }
}

extension HTTPResponse {
    fileprivate init(reply bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let line = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = line.split(separator: " ", maxSplits: 1)
        self.init(
            status: words.first.flatMap { Int($0) } ?? 200,
            headers: [
                "Date": "Wed, 08 May 2024 17:57:08 GMT",
                "Retry-After": words.count > 1 ? String(words[1]) : "",
            ],
            body: parts.count > 1 ? [UInt8](parts[1]) : []
        )
    }
}
