internal import MarvelClient

/// The names of request fields on the command line.
enum RequestFields {
    /// The flags by the last part of the field's path. Fields that no command sets are missing.
    private static let names = [
        "page_size": "--page-size", "page_token": "--page-token", "max_pages": "--pages", "skip": "--skip",
        "match": "--match", "limit": "--limit", "list": "--list", "variant": "--variant",
        "from_revision": "--from-revision", "edit_revision": "--revision", "character_id": "the id",
        "query": "the query", "prefix": "the prefix",
        "name": "--name", "description": "--description", "comic_count": "--comics", "series_count": "--series",
        "story_count": "--stories", "event_count": "--events", "urls": "--url",
    ]

    /// Returns a server's message about a request, with flags in place of the fields.
    ///
    /// - Parameter error: The error. Its details name the fields, and a part of its message begins with the field.
    /// - Returns: The message; fields without a flag are left unchanged.
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
