internal import MarvelDomain
internal import RPCCore

extension RPCError {
    static func editsNotAllowed() -> RPCError {
        RPCError(
            .permissionDenied,
            reason: .editsNotAllowed,
            "this server does not allow edits of characters: start it with --allow-edits"
        )
    }

    static func editsUnsupported() -> RPCError {
        RPCError(
            .failedPrecondition,
            reason: .editsUnsupported,
            "the characters of a gateway cannot be edited: import them into a catalog file, and serve that"
        )
    }

    /// All problems are in the `BadRequest` and in the text.
    static func characterInvalid(_ problems: [EditProblem]) -> RPCError {
        var metadata = ["violations": "\(problems.count)"]
        if let first = problems.first { metadata["field"] = first.field }
        let text = problems.map(\.text).joined(separator: "; ")
        // The metadata has every value of the text.
        metadata["problems"] = text
        return RPCError(
            .invalidArgument,
            reason: .characterInvalid,
            text,
            metadata: metadata,
            details: [.badRequest(problems.map { FieldViolation(field: $0.field, description: $0.text) })]
        )
    }

    /// The error of a call that reads or writes edits.
    init(ofEdit error: StoreError) {
        switch error {
        case .characterExists(let id):
            self.init(
                .alreadyExists,
                reason: .characterExists,
                "a character with the id \(id) exists: update it, or omit the id",
                metadata: ["id": "\(id)"]
            )
        case .editConflict(let current):
            self.init(
                .aborted,
                reason: .editConflict,
                "the character was edited or reverted: its edit_revision is now \(current); read it again",
                metadata: ["current": "\(current)"]
            )
        case .requestIDReused:
            self = .invalid(
                "request_id",
                reason: .requestIDReused,
                "request_id was already used for another edit: use a new one"
            )
        case .editLimitReached(let maximum):
            let text = "the server already has edits of \(maximum) characters, its maximum"
            self = .limitReached(.editLimit, text, maximum: maximum, subject: "edits")
        case .notReadable(let cause):
            self = .unavailable(.editsUnreadable, "the edits cannot be read now", cause)
        case .outcomeUnknown(let cause): self = .outcomeUnknown(.editsOutcomeUnknown, cause)
        case .notWritable(let cause), .unavailable(let cause): self = .editsNotWritable(cause)
        case .overloaded: self = .editsNotWritable("too many calls are waiting for the store")
        case .listLimitReached, .ownedListLimitReached, .deadlineExceeded, .cancelled:
            self = .editsNotWritable("the store was not called")
        }
    }

    private static func editsNotWritable(_ cause: String) -> RPCError {
        .unavailable(.editsNotWritable, "characters cannot be edited now", cause)
    }
}
