internal import MarvelDomain

extension MarvelCharacter {
    /// The source's names may begin or end with spaces.
    var shownName: String {
        let start = name.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
