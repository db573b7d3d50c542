/// All edits of a character as a line of text, for exports and imports: its document as one JSON object, with the
/// character's id as `edit`, and the picture of the edit as `picture`, in base64.
///
///     {"edit":1009610,"kind":"edited","edited_at":1700000000,"name":"A","media_type":"image/png","picture":"iVBORw0KGgo="}
package struct EditLine: Sendable, Hashable {
    package var edited: EditedCharacter
    package var picture: Picture?

    /// The order that gives a character these edits, in place of all others.
    var order: EditOrder {
        EditOrder(
            .imported(edited.id, edited.kind, at: edited.editedAt),
            edited.edit,
            picture: picture.map { .set($0) } ?? .remove
        )
    }

    /// The line of a character's edits, with its line break.
    package static func text(_ edited: EditedCharacter, _ picture: Picture?) -> [UInt8] {
        let line = JSONWriter.object { json in
            json.field("edit", edited.id)
            edited.writeMembers(to: &json)
            if let picture { json.field("picture", Base64.encode(picture.bytes)) }
        }
        return line + [UInt8(ascii: "\n")]
    }

    /// Nil if the line is not one of edits: it has no member `edit`.
    ///
    /// - Throws: The rule that the line breaks, as a text.
    package init?(_ bytes: some Collection<UInt8>) throws(ListLine.Problem) {
        let bytes = Array(bytes)
        var (id, picture): (Int64?, String?)
        var isEdit = false
        do throws(JSONError) {
            var reader = JSONReader(bytes)
            try reader.object { (reader, name) throws(JSONError) in
                switch name {
                case "edit":
                    isEdit = true
                    id = try reader.int64()
                case "picture": picture = try reader.string()
                default: try reader.skipValue()
                }
            }
        } catch {
            guard isEdit else { return nil }
            throw ListLine.Problem("\(error)")
        }
        guard let id else { return nil }
        func problem(_ text: String) -> ListLine.Problem { ListLine.Problem("the edits of character \(id): \(text)") }
        do throws(DamagedEdit) {
            edited = try EditedCharacter(id: id, revision: 1, document: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw problem("the id, kind, edited_at or another member is missing or invalid")
        }
        if edited.kind == .created, edited.edit.name == nil {
            throw problem("the character was created without a name")
        }
        if edited.kind == .reverted, edited.edit != CharacterEdit() || picture != nil {
            throw problem("they were reverted, but have values")
        }
        if let rule = edited.edit.problems.first { throw problem(rule.text) }
        guard let picture else { return }
        guard let bytes = Base64.decode(picture) else { throw problem("picture is not base64") }
        do throws(EditProblem) {
            self.picture = try Picture(edit: bytes, mediaType: edited.pictureType?.rawValue ?? "")
        } catch {
            throw problem(error.text)
        }
    }
}
