internal import MarvelDomain

/// A toggle that waits for the writer, with the function that answers its caller. It is an object because it is passed
/// on several times, and a copy of its values costs as much as a small statement.
final class WaitingToggle: Sendable {
    let toggle: Toggle
    let character: MarvelCharacter?
    let caller: WaitingCaller
    let answer: @Sendable (Result<ToggleOutcome, StoreError>) -> Void

    init(
        _ toggle: Toggle,
        _ character: MarvelCharacter?,
        _ caller: WaitingCaller,
        _ answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) {
        self.toggle = toggle
        self.character = character
        self.caller = caller
        self.answer = answer
    }
}
