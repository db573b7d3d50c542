internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// The errors of invalid requests. They do not repeat a caller's text, which may be long or secret.
extension RPCError {
    /// `allowed` is the range of the number of letters.
    init(_ refusal: SearchQuery.Refusal, allowed: ClosedRange<Int> = SearchQuery.letters) {
        let (least, most) = (allowed.lowerBound, allowed.upperBound)
        switch refusal {
        case .tooShort(let letters):
            self = .invalid(
                "query",
                reason: .queryTooShort,
                "query needs at least \(least) \(least == 1 ? "letter" : "letters"), it has \(letters)",
                metadata: ["letters": "\(letters)", "minimum": "\(least)"]
            )
        case .tooLong(let letters):
            self = .invalid(
                "query",
                reason: .queryTooLong,
                "query may have at most \(most) letters, it has \(letters)",
                metadata: ["letters": "\(letters)", "maximum": "\(most)"]
            )
        }
    }

    init(_ refusal: PageToken.Refusal) {
        let text =
            switch refusal {
            case .malformed: "page_token is invalid: send it unchanged"
            case .otherSearch: "page_token belongs to another search: send the same query and match, or omit the token"
            }
        self = .invalid("page_token", reason: .pageTokenInvalid, text)
    }

    static func pageTokenOutdated() -> RPCError {
        .invalid(
            "page_token",
            reason: .pageTokenInvalid,
            "the catalog changed and the position of page_token no longer exists: omit the token"
        )
    }

    init(_ unknown: CharacterFields.UnknownPath) {
        let supported = CharacterFields.names.joined(separator: ", ")
        self = .invalid(
            "read_mask",
            reason: .readMaskInvalid,
            "path \(unknown.index + 1) of read_mask is not a field of Character: send some of \(supported)",
            metadata: ["path": "\(unknown.index + 1)", "supported": supported]
        )
    }

    static func tooLow(
        _ value: some BinaryInteger,
        field: String,
        minimum: Int = 0,
        _ reason: ErrorReason
    ) -> RPCError {
        .invalid(
            field,
            reason: reason,
            "\(field) is \(value), minimum is \(minimum)",
            metadata: ["value": "\(value)", "minimum": "\(minimum)"]
        )
    }

    static func variantUnknown() -> RPCError {
        .invalid(
            "variant",
            reason: .variantUnknown,
            "variant is not a picture size of the Marvel API, such as standard_large; omit it for the full picture"
        )
    }

    static func listNameInvalid() -> RPCError { nameInvalid("list", .listNameInvalid, "1 to") }

    static func prefixInvalid() -> RPCError { nameInvalid("prefix", .prefixInvalid, "at most") }

    private static func nameInvalid(_ field: String, _ reason: ErrorReason, _ least: String) -> RPCError {
        let maximum = ListName.maximumLength
        let text = "\(field) is not \(least) \(maximum) of A-Z a-z 0-9 . _ -"
        return .invalid(field, reason: reason, text, metadata: ["maximum": "\(maximum)"])
    }

    static func listsPageTokenInvalid() -> RPCError {
        .invalid(
            "page_token",
            reason: .pageTokenInvalid,
            "page_token is not a token of this prefix, or is cut off: send it unchanged, with the prefix that it belongs to"
        )
    }

    static func requestIDInvalid() -> RPCError {
        .invalid(
            "request_id",
            reason: .requestIDInvalid,
            "request_id is not 1 to \(RequestID.maximumLength) printable ASCII characters",
            metadata: ["maximum": "\(RequestID.maximumLength)"]
        )
    }

    static func placeInvalid(field: String = "place") -> RPCError {
        .invalid(
            field,
            reason: .placeInvalid,
            "\(field) is not a valid place of this list: send it unchanged, with the list it was returned for"
        )
    }

    static func placeAndRevision() -> RPCError {
        .invalid("place", reason: .placeInvalid, "place and from_revision are both set: set only one")
    }

    static func revisionAhead(_ value: Int64, current: Int64, _ place: FavoritesPlace) -> RPCError {
        .invalid(
            "from_revision",
            reason: .revisionAhead,
            "from_revision is \(value), but the list is only at \(current): start from 0",
            metadata: ["value": "\(value)", "current": "\(current)", "minimum": "0", "place": place.text]
        )
    }

    static func desiredUnknown(_ value: DesiredValue) -> RPCError {
        .invalid(
            "desired",
            reason: .desiredUnknown,
            "desired has the unknown value \(value.rawValue)",
            metadata: ["value": "\(value.rawValue)"]
        )
    }

    /// The field is in the `BadRequest` and, like every value in the text, in the metadata.
    static func invalid(
        _ field: String,
        reason: ErrorReason,
        _ text: String,
        metadata: [String: String] = [:]
    ) -> RPCError {
        RPCError(
            .invalidArgument,
            reason: reason,
            text,
            metadata: metadata.merging(["field": field]) { value, _ in value },
            details: [.badRequest([FieldViolation(field: field, description: text)])]
        )
    }
}

extension ListName {
    init(request text: String) throws(RPCError) {
        guard let name = ListName(text) else { throw .listNameInvalid() }
        self = name
    }
}

extension RequestID {
    /// Nil if the text is empty.
    static func read(_ text: String) throws(RPCError) -> RequestID? {
        guard !text.isEmpty else { return nil }
        guard let id = RequestID(text) else { throw .requestIDInvalid() }
        return id
    }
}
