/// A report of an import: the imported records, and the problems.
package struct ImportReport: Sendable, Hashable {
    /// The maximum number of problems that are described. Further ones are only counted.
    package static let maximumProblems = 20

    /// The name under which further fields are counted.
    package static let otherFields = "others"

    /// The result for one path of the command line.
    package struct Input: Sendable, Hashable {
        package var path: String
        /// The number of files that were read, 1 unless the path is a folder.
        package var fileCount = 0
        /// The number of imported records.
        package var recordCount = 0
        /// The number of records that were left out because of their publisher.
        package var otherPublisherCount = 0

        /// The number of records from lists of no known format.
        package var listCount = 0
        /// The number of records with each field that was not imported.
        package private(set) var droppedFields: [String: Int] = [:]

        init(path: String) { self.path = path }

        /// Counts the fields of a record that are not imported. The number of different names is limited, because a
        /// file may be hostile.
        mutating func noteDropped(_ fields: [String]) {
            for field in fields {
                let isKnown = droppedFields[field] != nil || droppedFields.count < ImportReport.maximumProblems
                droppedFields[isKnown ? field : ImportReport.otherFields, default: 0] += 1
            }
        }
    }

    package var inputs: [Input] = []
    /// The first problems, each with file, line and reason.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0
    /// The number of records that were merged into a character by id.
    package var mergedByID = 0
    /// The number of records that were merged into a character by name.
    package var mergedByName = 0
    /// The metadata of the new catalog; nil until it is finished.
    package var catalog: CatalogDescription?

    package var recordCount: Int { inputs.reduce(0) { $0 + $1.recordCount } }

    mutating func note(_ reason: String, in path: String, line: Int? = nil) {
        problemCount += 1
        guard problems.count < ImportReport.maximumProblems else { return }
        problems.append("\(path)\(line.map { ":\($0)" } ?? ""): \(reason)")
    }
}

/// The progress of an import.
package enum ImportProgress: Sendable, Hashable {
    /// The import reads files. The numbers of bytes are those of all files together.
    case reading(path: String, byteCount: Int, totalByteCount: Int, recordCount: Int)
    /// The import writes characters to the catalog.
    case writing(characterCount: Int, totalCharacterCount: Int)
}
