/// The tables of the store, in a schema of their own, and the steps that make them.
///
/// Servers of two versions in a row use one database during an upgrade, so a step only adds: tables, columns with
/// defaults, and functions whose names end in their version. A released step is never edited.
///
/// Parts that no version needs any more are removed by a later version: one step stops the use of them, and the step
/// that removes it names the version that stopped as its `minimum`. Servers that know fewer steps are then refused, and
/// take no more changes if they run. So two versions in a row always serve together, and others never do by mistake.
enum Schema {
    struct Step {
        var sql: String
        /// The number of steps that a server must know to use the schema after this one; nil if the step only adds.
        var minimum: Int?
    }

    /// The number of steps that this program knows.
    static var version: Int { steps.count }

    static let steps = [Step(sql: version1), Step(sql: version2), Step(sql: version3)]

    private static let version3 = """
        \(CallFunctions.tables)

        \(CallFunctions.shareCalls)
        """

    private static let version2 = """
        -- What the operator's edits of each character have come to. Null: left to the catalog's source.
        CREATE TABLE marvel.edits (
            character_id int8 PRIMARY KEY CHECK (character_id > 0),
            -- created, edited or reverted. A row stays when its edits are undone, so that servers hear of it, and the id
            -- is not given again.
            kind text NOT NULL,
            name text,
            description text,
            comic_count int8,
            series_count int8,
            story_count int8,
            event_count int8,
            -- JSON: an array of objects with type and url.
            urls text,
            -- Seconds since 1970-01-01T00:00:00Z, of the last edit.
            edited_at int8 NOT NULL,
            -- Of the last edit: one above that of the edit before it, of any character.
            revision int8 NOT NULL UNIQUE
        );

        CREATE TABLE marvel.edit_pictures (
            character_id int8 PRIMARY KEY,
            media_type text NOT NULL,
            bytes bytea NOT NULL
        );

        -- Requests with an id that were carried out.
        CREATE TABLE marvel.edit_requests (
            principal text COLLATE "C" NOT NULL,
            request_id text COLLATE "C" NOT NULL,
            -- Of what was asked for.
            digest int8 NOT NULL,
            character_id int8 NOT NULL,
            created_at int8 NOT NULL,
            PRIMARY KEY (principal, request_id)
        );
        CREATE INDEX edit_requests_created_at ON marvel.edit_requests (created_at);
        """

    private static let version1 = """
        -- One row: what holds for the whole store.
        CREATE TABLE marvel.meta (
            id int4 PRIMARY KEY CHECK (id = 1),
            -- The steps of the schema that were made.
            version int4 NOT NULL,
            -- The number of them that a server must know.
            minimum int4 NOT NULL DEFAULT 1,
            -- The history in which the revisions of all lists count.
            history int8 NOT NULL,
            -- The revision of lists that are not there.
            base int8 NOT NULL,
            -- The number of favorites that a list holds.
            capacity int4 NOT NULL CHECK (capacity BETWEEN 1 AND 100),
            -- The cluster and the timeline on which the history was last served: another one may lack its end.
            system_id int8 NOT NULL,
            timeline int8 NOT NULL,
            -- Whether a commit waited for a standby when a server last connected.
            is_synchronous bool NOT NULL
        );

        CREATE SEQUENCE marvel.deletions;

        CREATE TABLE marvel.lists (
            name text COLLATE "C" PRIMARY KEY,
            -- The name of the caller who made the list; null if nobody owns it.
            owner text COLLATE "C",
            -- Null while the list exists. The name of a deleted list keeps its row, and with it its last revision.
            -- Deletions are numbered, so that the oldest name is found first when there are too many.
            deletion int8,
            revision int8 NOT NULL,
            -- Of the last change and all changes before it.
            digest int8 NOT NULL,
            -- The characters on the list, oldest first.
            ids int8[] NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX lists_owner ON marvel.lists (owner) WHERE owner IS NOT NULL;
        CREATE INDEX lists_deletion ON marvel.lists (deletion) WHERE deletion IS NOT NULL;

        CREATE TABLE marvel.favorites (
            list text COLLATE "C" NOT NULL,
            character_id int8 NOT NULL,
            -- The revision that saved it: the order of saving, which no clock can upset.
            saved_revision int8 NOT NULL,
            -- The character and when it was saved, as JSON in UTF-8.
            snapshot bytea NOT NULL,
            PRIMARY KEY (list, character_id)
        );
        CREATE INDEX favorites_character ON marvel.favorites (character_id);

        -- How each list came to be as it is: its last changes. Every replica reads from here what the others did.
        CREATE TABLE marvel.changes (
            list text COLLATE "C" NOT NULL,
            -- The list's revision after this change. Without gaps up to the list's own.
            revision int8 NOT NULL,
            digest int8 NOT NULL,
            -- What was saved, removed, evicted, updated or cleared, as JSON of snapshots.
            change bytea NOT NULL,
            -- The transaction, by which a replica finds the changes that it has not seen.
            xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
            PRIMARY KEY (list, revision)
        );
        CREATE INDEX changes_xid ON marvel.changes (xid);

        -- What requests with an id were answered.
        CREATE TABLE marvel.answers (
            -- The one who asked; empty where all callers are one.
            principal text COLLATE "C" NOT NULL,
            request_id text COLLATE "C" NOT NULL,
            -- In which the revision below counts.
            history int8 NOT NULL,
            list text COLLATE "C" NOT NULL,
            character_id int8 NOT NULL,
            -- 0: toggle, 1: save, 2: remove, 3: delete the list.
            desired int2 NOT NULL,
            -- Of a deletion: whether there was such a list.
            is_favorite bool NOT NULL,
            revision int8 NOT NULL,
            -- A JSON array of snapshots; null if none.
            evicted bytea,
            -- Seconds since 1970-01-01T00:00:00Z.
            created_at int8 NOT NULL,
            PRIMARY KEY (principal, request_id)
        );
        CREATE INDEX answers_created_at ON marvel.answers (created_at);

        CREATE TABLE marvel.pictures (
            character_id int8 PRIMARY KEY,
            media_type text NOT NULL,
            -- Whether it is what the source shows where it has no picture.
            is_placeholder bool NOT NULL,
            bytes bytea NOT NULL,
            -- Seconds since 1970-01-01T00:00:00Z.
            fetched_at int8 NOT NULL
        );

        \(Functions.nextDigest)

        \(Functions.writeChange)

        \(Functions.applyRequests)

        \(Functions.updateList)

        \(Functions.dropDeletedNames)

        \(Functions.renewHistory)
        """
}
