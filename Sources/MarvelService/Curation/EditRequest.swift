internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// Reads a request to edit a character. It collects all problems, to report them together.
struct EditRequest {
    private var problems: [EditProblem] = []
    private(set) var edit = CharacterEdit()
    private(set) var picture: EditOrder.PictureChange?
    private(set) var requestID: RequestID?

    /// - Parameters:
    ///   - character: The character in the request, unchecked.
    ///   - picture: The picture in the request, unchecked.
    ///   - fields: The fields that the request sets.
    ///   - requestID: The request id, unchecked; it may be empty.
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

    /// Checks whether a new picture can be decoded.
    ///
    /// - Throws: CANCELLED if the task is cancelled.
    mutating func checkPicture(by check: any PictureCheck) async throws(RPCError) {
        guard case .set(let picture) = picture else { return }
        let problem: String?
        do throws(CancellationError) {
            problem = try await check.problem(with: picture)
        } catch {
            throw RPCError(.cancelled, reason: .cancelled, "the edit was cancelled, and nothing was changed")
        }
        if let problem { problems.append(EditProblem("picture.data", problem)) }
    }

    mutating func refuse(_ field: String, _ text: String) { problems.append(EditProblem(field, text)) }

    /// - Throws: CHARACTER_INVALID with all problems.
    func validate() throws(RPCError) {
        guard problems.isEmpty else { throw .characterInvalid(problems) }
    }
}
