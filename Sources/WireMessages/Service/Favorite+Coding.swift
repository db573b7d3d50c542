internal import CMarvelMessages
internal import MarvelDomain

/// Both fields are always sent. A missing time counts as the beginning of 1970, like any unset number.
extension Favorite: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__Favorite> { marvel__v1__favorite__init }

    init(copying message: Marvel__V1__Favorite) throws(WireError) {
        guard let character = try MarvelCharacter(copying: message.character, field: "character") else {
            throw .invalidValue(field: "character")
        }
        let savedAt = try Timestamp(copying: message.saved_at, field: "saved_at")
        self.init(character: character, savedAt: savedAt ?? Timestamp(seconds: 0))
    }

    func fill(_ message: inout Marvel__V1__Favorite, in arena: inout EncodingArena) {
        message.character = arena.message(character)
        message.saved_at = arena.message(savedAt)
    }
}
