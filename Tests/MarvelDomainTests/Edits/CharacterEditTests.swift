import Testing

@testable import MarvelDomain

@Suite struct CharacterEditTests {
    private static let base = MarvelCharacter(
        id: 7,
        name: "Old Name",
        description: "Of the source.",
        modified: Timestamp(seconds: 1_000),
        thumbnail: Thumbnail(path: "http://host/x", fileExtension: "jpg"),
        comicCount: 1,
        seriesCount: 2,
        storyCount: 3,
        eventCount: 4,
        urls: [CharacterURL(type: "wiki", url: "http://w")]
    )

    private static func edited(
        _ edit: CharacterEdit,
        kind: EditedCharacter.Kind = .edited,
        pictureType: PictureType? = nil,
        at seconds: Int64 = 2_000
    ) -> EditedCharacter {
        EditedCharacter(
            id: 7,
            kind: kind,
            edit: edit,
            pictureType: pictureType,
            editedAt: Timestamp(seconds: seconds),
            revision: 1
        )
    }

    private static func changed(_ change: (inout MarvelCharacter) -> Void) -> MarvelCharacter {
        var character = base
        change(&character)
        return character
    }

    /// Each field alone: what it changes, and that it changes nothing else.
    @Test(arguments: [
        (CharacterEdit(name: "New"), changed { $0.name = "New" }),
        (CharacterEdit(description: ""), changed { $0.description = "" }),
        (CharacterEdit(comicCount: 0), changed { $0.comicCount = 0 }),
        (CharacterEdit(seriesCount: 9), changed { $0.seriesCount = 9 }),
        (CharacterEdit(storyCount: 9), changed { $0.storyCount = 9 }),
        (CharacterEdit(eventCount: 9), changed { $0.eventCount = 9 }),
        (CharacterEdit(urls: []), changed { $0.urls = [] }),
        (CharacterEdit(), base),
    ])
    func anEditChangesOnlyItsFields(edit: CharacterEdit, expected: MarvelCharacter) {
        var expected = expected
        expected.modified = Timestamp(seconds: 2_000)
        #expect(Self.edited(edit).applied(to: Self.base) == expected)
    }

    @Test func aCreatedCharacterNeedsNoSourceAndAnEditedOneDoes() {
        let edit = CharacterEdit(name: "Mine", comicCount: 3)
        #expect(
            Self.edited(edit, kind: .created).applied(to: nil)
                == MarvelCharacter(
                    id: 7,
                    name: "Mine",
                    modified: Timestamp(seconds: 2_000),
                    thumbnail: Thumbnail(path: "emblem/7", fileExtension: "png"),
                    comicCount: 3
                )
        )
        #expect(Self.edited(edit).applied(to: nil) == nil)
    }

    @Test(arguments: [(PictureType.png, "png"), (.jpeg, "jpg"), (.gif, "gif")])
    func aPictureOfTheEditIsTheServices(type: PictureType, fileExtension: String) {
        let character = Self.edited(CharacterEdit(), pictureType: type).applied(to: Self.base)
        #expect(character?.thumbnail == Thumbnail(path: "picture/7", fileExtension: fileExtension))
    }

    /// Revisions are counted on: a negative one would overflow.
    @Test func anEditWithoutAPossibleRevisionIsDamaged() throws {
        let document = #"{"kind":"edited","edited_at":5}"#
        #expect(try EditedCharacter(id: 7, revision: 1, document: document).revision == 1)
        for revision in [0, -1, Int64.min] {
            #expect(throws: DamagedEdit(of: 7)) {
                try EditedCharacter(id: 7, revision: revision, document: document)
            }
        }
    }
}
