internal import Catalog
internal import MarvelDomain

/// A data set with its own numbers for characters, which are not Marvel's ids.
///
/// A character whose name is not in Marvel's data gets an id from a range of its data set, the same one in every
/// import. The ranges are above Marvel's ids (7 digits) and the synthetic ones, and below those of created characters.
enum ImportSource: Sendable, Hashable {
    case wikia
    case superheroAPI
    /// A list of no known format. The number is its index among the inputs and only distinguishes lists, because their
    /// characters are identified by name alone.
    case list(Int)

    /// The range of numbers in the records of a known data set.
    static let keys = Int64(1)...99_999_999
    /// The range of numbers that are generated for the records of lists.
    static let listKeys = Int64(1)...699_999_999

    /// Returns the id that is reserved for a number, for characters without a known id.
    func reservedID(_ key: Int64) -> Int64 { Int64(min(number, ImportSource.firstListNumber)) * 100_000_000 + key }

    /// Generates the number of a character of a list by a hash of its names, so that it is the same in every import.
    /// Two characters have the same number only by chance.
    static func listKey(name: some Sequence<UInt8>, fullName: some Sequence<UInt8>) -> Int64 {
        var hash = FNV1a()
        hash.combine(name)
        hash.combine(0)
        hash.combine(fullName)
        return listKeys.lowerBound + Int64(hash.value % UInt64(listKeys.upperBound))
    }

    /// Returns the line that must be shown with the data. CC BY 4.0 and the MIT license require it.
    ///
    /// - Parameter name: The name of the file.
    /// - Returns: The line.
    func attribution(of name: String) -> String {
        switch self {
        case .wikia:
            "Data: FiveThirtyEight, Comic Books Are Still Made By Men, For Men And About Men, from Marvel Wikia; "
                + "CC BY 4.0; changed by marvel-rpc."
        case .superheroAPI:
            "Data: superhero-api, Copyright (c) 2018 Yoann Cribier; MIT License; changed by marvel-rpc."
        case .list:
            "Data: the list \(name); changed by marvel-rpc."
        }
    }
}

/// The number of a data set in the staging tables.
extension ImportSource {
    /// The smallest number of a list.
    static let firstListNumber = 3

    var number: Int {
        switch self {
        case .wikia: 1
        case .superheroAPI: 2
        case .list(let place): ImportSource.firstListNumber + place
        }
    }

    init?(number: Int) {
        switch number {
        case 1: self = .wikia
        case 2: self = .superheroAPI
        case ImportSource.firstListNumber...: self = .list(number - ImportSource.firstListNumber)
        default: return nil
        }
    }
}
