/// The reasons of the Marvel service and of health checks about a request.
extension ErrorReason {
    /// The query has too few letters. INVALID_ARGUMENT: send more of them.
    public static let queryTooShort = ErrorReason(rawValue: "QUERY_TOO_SHORT")
    /// The query has too many letters. INVALID_ARGUMENT: send fewer of them.
    public static let queryTooLong = ErrorReason(rawValue: "QUERY_TOO_LONG")
    /// The page size is negative. INVALID_ARGUMENT: send another.
    public static let pageSizeInvalid = ErrorReason(rawValue: "PAGE_SIZE_INVALID")
    /// The number of results to skip is negative. INVALID_ARGUMENT: send another.
    public static let skipInvalid = ErrorReason(rawValue: "SKIP_INVALID")
    /// The maximum number of pages is negative. INVALID_ARGUMENT: send another.
    public static let maxPagesInvalid = ErrorReason(rawValue: "MAX_PAGES_INVALID")
    /// The maximum number of names is negative. INVALID_ARGUMENT: send another.
    public static let limitInvalid = ErrorReason(rawValue: "LIMIT_INVALID")
    /// The page token belongs to another query, or its position no longer exists. INVALID_ARGUMENT: start without a
    /// token.
    public static let pageTokenInvalid = ErrorReason(rawValue: "PAGE_TOKEN_INVALID")
    /// The read mask names a field that characters do not have. INVALID_ARGUMENT: send some of the metadata's `supported`.
    public static let readMaskInvalid = ErrorReason(rawValue: "READ_MASK_INVALID")
    /// The text is not the name of a list. INVALID_ARGUMENT: send another.
    public static let listNameInvalid = ErrorReason(rawValue: "LIST_NAME_INVALID")
    /// The text does not begin the name of any list. INVALID_ARGUMENT: send another.
    public static let prefixInvalid = ErrorReason(rawValue: "PREFIX_INVALID")
    /// The id is not positive. INVALID_ARGUMENT: send another.
    public static let characterIDInvalid = ErrorReason(rawValue: "CHARACTER_ID_INVALID")
    /// The variant is not one of the API's picture sizes. INVALID_ARGUMENT: send another.
    public static let variantUnknown = ErrorReason(rawValue: "VARIANT_UNKNOWN")
    /// The request id is too long, or not printable ASCII. INVALID_ARGUMENT: send another.
    public static let requestIDInvalid = ErrorReason(rawValue: "REQUEST_ID_INVALID")
    /// The request id was used before with other contents. INVALID_ARGUMENT: use a new one for a new change.
    public static let requestIDReused = ErrorReason(rawValue: "REQUEST_ID_REUSED")
    /// The server does not know the desired state. INVALID_ARGUMENT: send another.
    public static let desiredUnknown = ErrorReason(rawValue: "DESIRED_UNKNOWN")
    /// The revision is negative. INVALID_ARGUMENT: send another.
    public static let revisionInvalid = ErrorReason(rawValue: "REVISION_INVALID")
    /// The list has not reached the revision. INVALID_ARGUMENT: begin with a snapshot.
    public static let revisionAhead = ErrorReason(rawValue: "REVISION_AHEAD")
    /// The changes after the revision are no longer kept. OUT_OF_RANGE: begin with a snapshot, or at `oldest`.
    public static let revisionCompacted = ErrorReason(rawValue: "REVISION_COMPACTED")
    /// The text is not a place of this list. INVALID_ARGUMENT: send a place unchanged, with its list.
    public static let placeInvalid = ErrorReason(rawValue: "PLACE_INVALID")
    /// The server does not support this comparison. UNIMPLEMENTED: use one of the metadata's `supported`.
    public static let matchUnsupported = ErrorReason(rawValue: "MATCH_UNSUPPORTED")
    /// A health check names a service that the server does not have. NOT_FOUND: ask for another.
    public static let serviceUnknown = ErrorReason(rawValue: "SERVICE_UNKNOWN")
}

/// The reasons of the Marvel service about characters and their source.
extension ErrorReason {
    /// No character has the id. NOT_FOUND: search for it.
    public static let characterNotFound = ErrorReason(rawValue: "CHARACTER_NOT_FOUND")
    /// The character has no picture here. NOT_FOUND: show the name instead.
    public static let thumbnailNotFound = ErrorReason(rawValue: "THUMBNAIL_NOT_FOUND")
    /// The search queue is full. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let searchOverloaded = ErrorReason(rawValue: "SEARCH_OVERLOADED")
    /// The caller has its maximum of searches. RESOURCE_EXHAUSTED with `RetryInfo`: retry when one has ended.
    public static let searchShare = ErrorReason(rawValue: "SEARCH_SHARE")

    /// The gateway is down, or does not answer in time. UNAVAILABLE with `RetryInfo`: retry later.
    public static let upstreamUnavailable = ErrorReason(rawValue: "UPSTREAM_UNAVAILABLE")
    /// The gateway's reply is invalid. UNAVAILABLE: retry later, or tell the operator.
    public static let upstreamInvalid = ErrorReason(rawValue: "UPSTREAM_INVALID")
    /// The gateway refuses the server's keys. FAILED_PRECONDITION: tell the operator.
    public static let upstreamCredentials = ErrorReason(rawValue: "UPSTREAM_CREDENTIALS")
    /// The gateway's certificate is not trusted. FAILED_PRECONDITION: tell the operator.
    public static let upstreamUntrusted = ErrorReason(rawValue: "UPSTREAM_UNTRUSTED")
    /// The gateway refuses more calls for now. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let upstreamQuota = ErrorReason(rawValue: "UPSTREAM_QUOTA")
    /// The server has its maximum of calls to the gateway. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let upstreamOverloaded = ErrorReason(rawValue: "UPSTREAM_OVERLOADED")
    /// The server has spent its calls to the gateway for this day. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let budgetSpent = ErrorReason(rawValue: "BUDGET_SPENT")
    /// The connection has spent its share of those calls. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let budgetShare = ErrorReason(rawValue: "BUDGET_SHARE")
    /// The gateway refuses the server's request. INTERNAL: report the fault.
    public static let upstreamRejected = ErrorReason(rawValue: "UPSTREAM_REJECTED")
    /// The server's own part of a call to the gateway failed. INTERNAL: report the fault.
    public static let upstreamFailed = ErrorReason(rawValue: "UPSTREAM_FAILED")

    /// The server does not allow edits. PERMISSION_DENIED: tell the operator.
    public static let editsNotAllowed = ErrorReason(rawValue: "EDITS_NOT_ALLOWED")
    /// The catalog is a gateway. FAILED_PRECONDITION: use a server with a catalog file.
    public static let editsUnsupported = ErrorReason(rawValue: "EDITS_UNSUPPORTED")
    /// The character, or its picture, breaks a rule. INVALID_ARGUMENT: correct the fields that `BadRequest` names.
    public static let characterInvalid = ErrorReason(rawValue: "CHARACTER_INVALID")
    /// A character with the new one's id exists. ALREADY_EXISTS: update it, or leave the id to the server.
    public static let characterExists = ErrorReason(rawValue: "CHARACTER_EXISTS")
    /// The character was edited after it was read. ABORTED: read it again.
    public static let editConflict = ErrorReason(rawValue: "EDIT_CONFLICT")
    /// The maximum number of edited characters is reached. RESOURCE_EXHAUSTED: edit one that is already edited.
    public static let editLimit = ErrorReason(rawValue: "EDIT_LIMIT")
    /// Edits cannot be stored. UNAVAILABLE: retry later, or tell the operator; nothing was changed.
    public static let editsNotWritable = ErrorReason(rawValue: "EDITS_NOT_WRITABLE")
    /// Edits cannot be read. UNAVAILABLE: retry later, or tell the operator.
    public static let editsUnreadable = ErrorReason(rawValue: "EDITS_UNREADABLE")
    /// The edit may have been stored. UNAVAILABLE with `RetryInfo`: retry later with the same request id, or read the character.
    public static let editsOutcomeUnknown = ErrorReason(rawValue: "EDITS_OUTCOME_UNKNOWN")
}

/// The reasons of the Marvel service about lists of favorites.
extension ErrorReason {
    /// The server or the caller has its maximum of lists. RESOURCE_EXHAUSTED with `QuotaFailure`: use or delete a list.
    public static let listLimit = ErrorReason(rawValue: "LIST_LIMIT")
    /// The queue for the disk is full. RESOURCE_EXHAUSTED with `RetryInfo`: retry later.
    public static let storeOverloaded = ErrorReason(rawValue: "STORE_OVERLOADED")
    /// Favorites cannot be changed. UNAVAILABLE: retry later, or tell the operator; nothing was changed.
    public static let storeReadOnly = ErrorReason(rawValue: "STORE_READ_ONLY")
    /// Favorites cannot be read. UNAVAILABLE: retry later, or tell the operator.
    public static let storeUnreadable = ErrorReason(rawValue: "STORE_UNREADABLE")
    /// The favorites database cannot be reached. UNAVAILABLE with `RetryInfo`: retry later; nothing was changed.
    public static let storeUnavailable = ErrorReason(rawValue: "STORE_UNAVAILABLE")
    /// The change may have been made. UNAVAILABLE with `RetryInfo`: retry later with the same request id, or read the list.
    public static let storeOutcomeUnknown = ErrorReason(rawValue: "STORE_OUTCOME_UNKNOWN")
    /// The store was restored, and lacks the place's changes. FAILED_PRECONDITION: read the list again.
    public static let historyChanged = ErrorReason(rawValue: "HISTORY_CHANGED")
    /// The server or the caller has its maximum of watches. RESOURCE_EXHAUSTED with `RetryInfo`: end one, or retry
    /// later.
    public static let watchLimit = ErrorReason(rawValue: "WATCH_LIMIT")
}
