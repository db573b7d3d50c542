package import MarvelDomain

/// A source of a catalog file's characters.
package struct CatalogOrigin: Sendable, Hashable {
    /// The maximum number of origins. Real catalogs have far fewer.
    static let maximumCount = 100

    /// The address of a gateway or the name of a file, for display.
    package var name: String
    /// The line that must be shown with the data.
    package var attribution: String
    /// The time at which the source was read, in whole seconds.
    package var readAt: Timestamp

    package init(name: String, attribution: String, readAt: Timestamp) {
        self.name = name
        self.attribution = attribution
        self.readAt = readAt
    }
}

/// The metadata of a finished catalog file.
package struct CatalogDescription: Sendable, Hashable {
    package var characterCount: Int
    package var pictureCount: Int
    /// The number of comics, creators, events, series and stories.
    package var documentCount: Int
    /// The origins in the order in which they were read.
    package var origins: [CatalogOrigin]
    /// The time at which the file was finished, in whole seconds.
    package var madeAt: Timestamp

    /// The line that must be shown with the data. It contains the attribution of each source once.
    package var attribution: String {
        var lines: [String] = []
        for line in origins.map(\.attribution) where !line.isEmpty && !lines.contains(line) { lines.append(line) }
        return lines.joined(separator: " ")
    }
}
