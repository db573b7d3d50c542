internal import MarvelDomain
internal import Testing

@Suite struct ToggleDecisionTests {
    @Test(arguments: [
        ([], Toggle.Desired.toggle, Toggle.Decision.save(evicting: 0)),
        ([7], .toggle, .remove),
        ([], .saved, .save(evicting: 0)),
        ([7], .saved, .nothing(isFavorite: true)),
        ([], .removed, .nothing(isFavorite: false)),
        ([7], .removed, .remove),
        ([1, 2], .toggle, .save(evicting: 0)),
        ([1, 2, 3], .toggle, .save(evicting: 1)),
        ([1, 2, 7], .toggle, .remove),
        ([1, 2, 3, 4, 5], .saved, .save(evicting: 3)),
        ([1, 2, 3, 4, 7], .saved, .nothing(isFavorite: true)),
    ])
    func aListOfThreeDecides(ids: [Int64], desired: Toggle.Desired, expected: Toggle.Decision) {
        let toggle = Toggle(list: .default, characterID: 7, desired: desired)
        #expect(toggle.decision(ids: ids, capacity: 3) == expected)
    }

    @Test func aListOfOneEvictsItsOnlyFavorite() {
        let toggle = Toggle(list: .default, characterID: 7)
        #expect(toggle.decision(ids: [1], capacity: 1) == .save(evicting: 1))
    }
}
