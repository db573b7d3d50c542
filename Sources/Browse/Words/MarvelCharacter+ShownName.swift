internal import MarvelDomain
internal import TerminalUI

extension MarvelCharacter {
    /// The source's names may begin or end with spaces, and hold anything.
    var shownName: String { name.printable }
}
