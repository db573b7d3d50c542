internal import Catalog
internal import MarvelDomain

/// A data set that numbers its characters in its own way. Its numbers are not Marvel's: a character that is found under
/// no name that Marvel numbered gets an id from a range of its own, the same one in every import.
///
/// The ranges lie behind Marvel's ids (7 digits) and the synthetic ones, and below those of created characters.
enum ImportSource: Sendable, Hashable {
    case wikia
    case superheroAPI
    /// A list of no known format, by its place among the inputs, which only tells lists apart: their characters are known
    /// by their names alone.
    case list(Int)

    /// The numbers that the records of a known data set may have.
    static let keys = Int64(1)...99_999_999
    /// The numbers that are made up for the records of lists.
    static let listKeys = Int64(1)...699_999_999

    /// The id of the character with that number, unless a better one is known.
    func reservedID(_ key: Int64) -> Int64 { Int64(min(number, ImportSource.firstListNumber)) * 100_000_000 + key }

    /// The number made up for a character of a list: the same in every import, and of no other character but by chance.
    static func listKey(name: some Sequence<UInt8>, fullName: some Sequence<UInt8>) -> Int64 {
        var hash = FNV1a()
        hash.combine(name)
        hash.combine(0)
        hash.combine(fullName)
        return listKeys.lowerBound + Int64(hash.value % UInt64(listKeys.upperBound))
    }

    /// Names the line that must be shown with the data (CC BY 4.0 and the MIT license ask for the names).
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

/// As the staging has it.
extension ImportSource {
    /// All lists have this number or a larger one.
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
