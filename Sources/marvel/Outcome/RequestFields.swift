internal import MarvelClient

/// Fields of requests as the command line names them.
enum RequestFields {
    /// The flags by the last part of the field's path; fields that no command sets are not in it.
    private static let names = [
        "page_size": "--page-size", "page_token": "--page-token", "max_pages": "--pages", "skip": "--skip",
        "match": "--match", "limit": "--limit", "list": "--list", "variant": "--variant",
        "from_revision": "--from-revision", "edit_revision": "--revision", "character_id": "the id",
        "query": "the query",
        "name": "--name", "description": "--description", "comic_count": "--comics", "series_count": "--series",
        "story_count": "--stories", "event_count": "--events", "urls": "--url",
    ]

    /// A server's message about a request, with flags in place of the fields.
    ///
    /// - Parameter error: Its details say which fields are meant; a part of its message begins with the field.
    /// - Returns: The message; fields that have no flag stay as they are.
    static func naming(flagsIn error: RPCError) -> String {
        var message = error.message
        for case .badRequest(let violations) in error.details {
            for violation in violations {
                let field = violation.field.split(separator: ".").last.map(String.init) ?? ""
                guard let name = names[field], violation.description.hasPrefix("\(field) ") else { continue }
                let text = name + violation.description.dropFirst(field.count)
                message = message.replacing(violation.description, with: text, maxReplacements: 1)
            }
        }
        return message
    }
}
