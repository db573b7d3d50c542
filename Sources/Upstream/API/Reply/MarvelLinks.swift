package import MarvelDomain

extension Thumbnail {
    /// Makes a gateway's picture address; nil if it is not a usable http or https address.
    ///
    /// Addresses of Marvel's hosts become https: the hosts support it, and many programs refuse plain http.
    init?(marvelPath path: String, _ fileExtension: String) {
        guard let link = WebLink(path), (1...16).contains(fileExtension.utf8.count),
            fileExtension.unicodeScalars.allSatisfy(isASCIILetterOrDigit)
        else { return nil }
        self.init(path: link.isMarvelHost ? "https" + link.afterScheme : path, fileExtension: fileExtension)
    }

    /// Whether this is one of Marvel's two placeholders for a missing picture.
    package var isPlaceholder: Bool {
        path.hasSuffix("/image_not_available") || path.hasSuffix("/4c002e0305708")
    }
}

extension CharacterURL {
    package init?(marvelType type: String, url: String, hiding keys: MarvelKeys?) {
        guard WebLink(url) != nil else { return nil }
        self.init(type: PlainText.line(type), url: CharacterURL.withoutCaller(url, keys))
    }

    /// Removes `utm_campaign=apiRef`, `utm_source=<public key>`, and every other item with the key.
    private static func withoutCaller(_ url: String, _ keys: MarvelKeys?) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let (address, query) = (url[..<mark], url[mark...].dropFirst())
        let end = query.firstIndex(of: "#") ?? query.endIndex
        let kept = query[..<end].split(separator: "&").filter { item in
            let namesKey = keys.map { item.contains($0.publicKey) } ?? false
            return item != "utm_campaign=apiRef" && !item.hasPrefix("utm_source=") && !namesKey
        }
        return address + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + query[end...]
    }
}

private struct WebLink {
    let afterScheme: Substring
    let host: String

    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), ["http", "https"].contains(text[..<colon].lowercased()),
            text[colon...].hasPrefix("://"),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { return nil }
        afterScheme = text[colon...]
        host = afterScheme.dropFirst(3).prefix { !"/?#:".contains($0) }.lowercased()
        guard !host.isEmpty, !host.contains("@") else { return nil }
    }

    var isMarvelHost: Bool {
        let hasNoPort = !afterScheme.dropFirst(3).prefix { !"/?#".contains($0) }.contains(":")
        return hasNoPort && ["annihil.us", "marvel.com"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}

private func isASCIILetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
}
