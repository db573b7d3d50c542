/// What an import took, and what it did not and why.
package struct ImportReport: Sendable, Hashable {
    /// Of the problems, so many are told; the rest is counted.
    package static let maximumProblems = 20

    /// The name under which fields are counted beyond those.
    package static let otherFields = "others"

    /// What was named on the command line.
    package struct Input: Sendable, Hashable {
        package var path: String
        /// Files read, 1 unless it is a folder.
        package var fileCount = 0
        /// Records taken.
        package var recordCount = 0
        /// Records of other publishers, which were not wanted.
        package var otherPublisherCount = 0

        /// Records of lists that say nothing of their format.
        package var listCount = 0
        /// The number of records that had each field that was not taken.
        package private(set) var droppedFields: [String: Int] = [:]

        init(path: String) { self.path = path }

        /// Counts fields of a record that are not taken. Of a hostile file, not every name is remembered.
        mutating func noteDropped(_ fields: [String]) {
            for field in fields {
                let isKnown = droppedFields[field] != nil || droppedFields.count < ImportReport.maximumProblems
                droppedFields[isKnown ? field : ImportReport.otherFields, default: 0] += 1
            }
        }
    }

    package var inputs: [Input] = []
    /// The first ones: file, line, and what is wrong there.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0
    /// Records that were found to be the same character as another by their id.
    package var mergedByID = 0
    /// And by their name.
    package var mergedByName = 0
    /// What was made of them; nil as long as it is not.
    package var catalog: CatalogDescription?

    package var recordCount: Int { inputs.reduce(0) { $0 + $1.recordCount } }

    mutating func note(_ reason: String, in path: String, line: Int? = nil) {
        problemCount += 1
        guard problems.count < ImportReport.maximumProblems else { return }
        problems.append("\(path)\(line.map { ":\($0)" } ?? ""): \(reason)")
    }
}

/// How far an import has come.
package enum ImportProgress: Sendable, Hashable {
    /// Bytes of all files, read and to be read.
    case reading(path: String, byteCount: Int, totalByteCount: Int, recordCount: Int)
    /// Characters written, and to be written.
    case writing(characterCount: Int, totalCharacterCount: Int)
}
