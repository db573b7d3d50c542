internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

extension EditOrder {
    /// `requestID` may be empty. CHARACTER_INVALID has all problems, `others` at the end.
    init(
        _ target: Target,
        _ character: MarvelCharacter,
        _ upload: PictureUpload?,
        setting fields: Set<EditedField>,
        expectedRevision: Int64? = nil,
        requestID text: String,
        of principal: String,
        others: [EditProblem]
    ) throws(RPCError) {
        let edit = CharacterEdit(character, setting: fields)
        var problems = edit.problems.map { EditProblem("character.\($0.field)", $0.text) }
        if character.modified != nil {
            problems.append(EditProblem("character.modified", "modified is set by the server: omit it"))
        }
        if character.thumbnail != nil {
            problems.append(EditProblem("character.thumbnail", "thumbnail is set by the server: send picture instead"))
        }
        var picture: PictureChange?
        if fields.contains(.picture) {
            do throws(EditProblem) {
                picture = try PictureChange(upload)
            } catch {
                problems.append(error)
            }
        }
        let requestID = RequestID(text)
        if requestID == nil, !text.isEmpty {
            let text = "request_id is not 1 to \(RequestID.maximumLength) printable ASCII characters"
            problems.append(EditProblem("request_id", text))
        }
        problems += others
        guard problems.isEmpty else { throw .characterInvalid(problems) }
        self.init(
            target,
            edit,
            picture: picture,
            expectedRevision: expectedRevision,
            request: RequestKey(requestID, of: principal)
        )
    }
}

extension EditOrder.PictureChange {
    fileprivate init(_ upload: PictureUpload?) throws(EditProblem) {
        guard let upload else {
            self = .remove
            return
        }
        self = .set(try Picture(edit: Array(upload.data.readableBytesView), mediaType: upload.mediaType))
    }
}
