internal import MarvelDomain

/// The statements of the commands that check and export a store.
extension Statement {
    // MARK: Reading

    static let recordedNames =
        "SELECT name, revision, digest, coalesce(owner, ''), deletion, ids FROM marvel.lists ORDER BY name"

    static let recordedFavorites =
        "SELECT list, character_id, saved_revision, snapshot FROM marvel.favorites ORDER BY list, saved_revision"

    static let recordedChanges = "SELECT list, revision, digest, change FROM marvel.changes ORDER BY list, revision"

    /// The answers to callers. Those with keys of the store's own cannot be asked for again.
    static let recordedAnswers = """
        SELECT principal, request_id, history, list, character_id, desired, is_favorite, revision, evicted
        FROM marvel.answers WHERE principal <> E'\\n'
        ORDER BY created_at, principal, request_id
        """

    /// The names of lists without a row that have favorites.
    static let missingLists: Statement = """
        SELECT DISTINCT f.list FROM marvel.favorites AS f
        WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = f.list) ORDER BY 1
        """

    // MARK: Checking

    /// The number of favorites and changes whose list has no row.
    static let strayRecords: Statement = """
        SELECT (SELECT count(*) FROM marvel.favorites AS f
                WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = f.list)),
            (SELECT count(*) FROM marvel.changes AS c
                WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = c.list))
        """

    /// Rows of lists and favorites that differ from what was written: the list, and the character; null for the list's own.
    static let damagedRows: Statement = """
        SELECT l.name, NULL::int8 FROM marvel.lists AS l WHERE NOT \(isListWhole)
        UNION ALL
        SELECT f.list, f.character_id FROM marvel.favorites AS f WHERE NOT \(isFavoriteWhole)
        ORDER BY 1, 2
        """

    /// Lists whose requests were answered with a revision of the present history that they have not reached.
    static let answersAhead: Statement = """
        SELECT a.list, max(a.revision), coalesce(max(l.revision), max(m.base))
        FROM marvel.answers AS a JOIN marvel.meta AS m ON m.history = a.history
        LEFT JOIN marvel.lists AS l ON l.name = a.list
        GROUP BY a.list HAVING max(a.revision) > coalesce(max(l.revision), max(m.base)) ORDER BY 1 LIMIT 20
        """

    static let storeByteCount: Statement = """
        SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = 'marvel' AND c.relkind = 'r'
        """
}
