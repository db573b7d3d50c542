package import MarvelDomain

/// Where characters of a catalog file came from.
package struct CatalogOrigin: Sendable, Hashable {
    /// More lines of attribution are those of one source in many years.
    static let maximumCount = 100

    /// A gateway's address, a file's name: for people.
    package var name: String
    /// The line that must be shown with the data.
    package var attribution: String
    /// When it was read, to the second.
    package var readAt: Timestamp

    package init(name: String, attribution: String, readAt: Timestamp) {
        self.name = name
        self.attribution = attribution
        self.readAt = readAt
    }
}

/// What a finished catalog file says of itself.
package struct CatalogDescription: Sendable, Hashable {
    package var characterCount: Int
    package var pictureCount: Int
    /// In the order in which they were taken.
    package var origins: [CatalogOrigin]
    /// When the file was finished, to the second.
    package var madeAt: Timestamp

    /// The line that must be shown with the data: that of each source, once.
    package var attribution: String {
        var lines: [String] = []
        for line in origins.map(\.attribution) where !line.isEmpty && !lines.contains(line) { lines.append(line) }
        return lines.joined(separator: " ")
    }
}
