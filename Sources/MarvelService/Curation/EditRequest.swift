internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// Collects all problems, to report them together.
struct EditRequest {
    private var problems: [EditProblem] = []
    private var edit = CharacterEdit()
    private var picture: EditOrder.PictureChange?
    private var requestID: RequestID?

    /// The values are unchecked. `requestID` may be empty.
    init(
        _ character: MarvelCharacter,
        _ picture: PictureUpload?,
        setting fields: Set<EditedField>,
        requestID: String
    ) {
        edit = CharacterEdit(character, setting: fields)
        problems = edit.problems.map { EditProblem("character.\($0.field)", $0.text) }
        if character.modified != nil {
            problems.append(EditProblem("character.modified", "modified is set by the server: omit it"))
        }
        if character.thumbnail != nil {
            problems.append(EditProblem("character.thumbnail", "thumbnail is set by the server: send picture instead"))
        }
        if fields.contains(.picture) { read(picture) }
        if !requestID.isEmpty {
            self.requestID = RequestID(requestID)
            if self.requestID == nil {
                let text = "request_id is not 1 to \(RequestID.maximumLength) printable ASCII characters"
                problems.append(EditProblem("request_id", text))
            }
        }
    }

    private mutating func read(_ upload: PictureUpload?) {
        guard let upload else {
            picture = .remove
            return
        }
        do throws(EditProblems) {
            picture = .set(try Picture(edit: Array(upload.data.readableBytesView), mediaType: upload.mediaType))
        } catch {
            problems += error.problems
        }
    }

    mutating func refuse(_ field: String, _ text: String) { problems.append(EditProblem(field, text)) }

    /// CHARACTER_INVALID has all problems.
    func order(
        _ target: EditOrder.Target,
        expectedRevision: Int64? = nil,
        of principal: String
    ) throws(RPCError) -> EditOrder {
        guard problems.isEmpty else { throw .characterInvalid(problems) }
        return EditOrder(
            target,
            edit,
            picture: picture,
            expectedRevision: expectedRevision,
            request: RequestKey(requestID, of: principal)
        )
    }
}
