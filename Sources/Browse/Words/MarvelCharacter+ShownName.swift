internal import MarvelDomain
internal import TerminalUI

extension MarvelCharacter {
    /// The name made printable. The source's names may contain control characters, and spaces at their ends.
    var shownName: String { name.printable }
}
