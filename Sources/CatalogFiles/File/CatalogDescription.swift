package import MarvelDomain

package struct CatalogOrigin: Sendable, Hashable {
    /// Real catalogs have far fewer.
    static let maximumCount = 100

    /// The address of a gateway or the name of a file, for display.
    package var name: String
    /// Attribution text to show with the data.
    package var attribution: String
    /// The time when the source was read, in whole seconds.
    package var readAt: Timestamp

    package init(name: String, attribution: String, readAt: Timestamp) {
        self.name = name
        self.attribution = attribution
        self.readAt = readAt
    }
}

package struct CatalogDescription: Sendable, Hashable {
    package var characterCount: Int
    package var pictureCount: Int
    /// The number of comics, creators, events, series and stories.
    package var documentCount: Int
    package var origins: [CatalogOrigin]
    /// In whole seconds.
    package var madeAt: Timestamp

    /// Attribution text to show with the data: the attribution of each source, once.
    package var attribution: String {
        var lines: [String] = []
        for line in origins.map(\.attribution) where !line.isEmpty && !lines.contains(line) { lines.append(line) }
        return lines.joined(separator: " ")
    }
}
