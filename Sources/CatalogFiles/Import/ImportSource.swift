/// The data sets that number their characters in their own way. Their numbers are not Marvel's: a character that is
/// found under no name that Marvel numbered gets an id from a range of its own, the same one in every import.
///
/// The ranges lie behind Marvel's ids (7 digits) and the synthetic ones, and below 2^31, as old programs have it.
package enum ImportSource: Int, Sendable, Hashable, CaseIterable {
    case wikia = 1
    case superheroAPI = 2

    /// Which numbers of its own a data set may have.
    static let keys = Int64(1)...99_999_999

    /// The id of the character with that number, unless a better one is known.
    func reservedID(_ key: Int64) -> Int64 { Int64(rawValue) * 100_000_000 + key }

    /// The line that must be shown with the data (CC BY 4.0 and the MIT license ask for the names).
    var attribution: String {
        switch self {
        case .wikia:
            "Data: FiveThirtyEight, Comic Books Are Still Made By Men, For Men And About Men, from Marvel Wikia; "
                + "CC BY 4.0; changed by marvel-rpc."
        case .superheroAPI:
            "Data: superhero-api, Copyright (c) 2018 Yoann Cribier; MIT License; changed by marvel-rpc."
        }
    }
}
