/// The functions of the schema. A function whose parameters or results change gets a new name (`Schema`).
enum Functions {
    /// The first number of the advisory locks of this store: "Mrpc".
    private static let lockSpace = "1299345507"
    /// Writers share this lock. The server that begins a new history holds it alone.
    static let historyLock = "\(lockSpace), 1"
    /// Held for a step of the schema.
    static let migrationLock = "\(lockSpace), 2"
    /// Held by the replica that writes an edit of a character.
    static let editLock = "\(lockSpace), 4"
    /// Held by the replica that makes lists of owners, and counts them.
    static let ownerLock = "\(lockSpace), 5"
    /// Held by the replica that deletes old names.
    static let sweepLock = "\(lockSpace), 3"
    /// Shared by the feeds of all servers while they are connected.
    static let feedLock = "\(lockSpace), 6"

    /// The digest of a change and of all changes before it on its list.
    static let nextDigest = """
        CREATE FUNCTION marvel.next_digest_1(p_previous int8, p_revision int8, p_change bytea) RETURNS int8
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT ('x' || encode(substring(
                sha256(int8send(p_previous) || int8send(p_revision) || p_change) FROM 1 FOR 8
            ), 'hex'))::bit(64)::int8
        $$;
        """

    /// The checksums of rows: the first 8 bytes of a SHA-256.
    static let checksums = """
        CREATE FUNCTION marvel.favorite_checksum_1(
            p_list text, p_character_id int8, p_saved_revision int8, p_snapshot bytea
        ) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
            SELECT substring(sha256(convert_to(
                p_list || E'\\n' || p_character_id::text || E'\\n' || p_saved_revision::text || E'\\n', 'UTF8'
            ) || p_snapshot) FROM 1 FOR 8)
        $$;

        CREATE FUNCTION marvel.list_checksum_1(
            p_name text, p_owner text, p_deletion int8, p_revision int8, p_digest int8, p_ids int8[]
        ) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
            SELECT substring(sha256(convert_to(
                p_name || E'\\n' || coalesce(p_owner, '') || E'\\n' || coalesce(p_deletion::text, '') || E'\\n'
                    || p_revision::text || E'\\n' || p_digest::text || E'\\n' || p_ids::text, 'UTF8'
            )) FROM 1 FOR 8)
        $$;
        """

    /// The checksums of edits and of their pictures, which triggers write.
    static let editChecksums = """
        CREATE FUNCTION marvel.edit_checksum_1(p_edit marvel.edits) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
            SELECT substring(sha256(convert_to((to_jsonb(p_edit) - 'checksum')::text, 'UTF8')) FROM 1 FOR 8)
        $$;

        CREATE FUNCTION marvel.edit_picture_checksum_1(p_picture marvel.edit_pictures) RETURNS bytea
        LANGUAGE sql STABLE PARALLEL SAFE AS $$
            SELECT substring(sha256(convert_to(
                p_picture.character_id::text || E'\\n' || p_picture.media_type || E'\\n', 'UTF8'
            ) || p_picture.bytes) FROM 1 FOR 8)
        $$;

        CREATE FUNCTION marvel.set_edit_checksum_1() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.checksum := marvel.edit_checksum_1(NEW);
            RETURN NEW;
        END $$;

        CREATE FUNCTION marvel.set_edit_picture_checksum_1() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.checksum := marvel.edit_picture_checksum_1(NEW);
            RETURN NEW;
        END $$;
        """

    /// Refuses rows without a checksum: calls of a function that began before the migration write them.
    static let requireChecksums = """
        CREATE FUNCTION marvel.refuse_row_1() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'a row of marvel.% has no new checksum', TG_TABLE_NAME USING ERRCODE = '40001';
        END $$;
        CREATE TRIGGER checksum_of_insert BEFORE INSERT ON marvel.lists FOR EACH ROW
            WHEN (NEW.checksum IS NULL) EXECUTE FUNCTION marvel.refuse_row_1();
        CREATE TRIGGER checksum_of_update BEFORE UPDATE ON marvel.lists FOR EACH ROW
            WHEN (NEW.revision > OLD.revision AND NEW.checksum = OLD.checksum)
            EXECUTE FUNCTION marvel.refuse_row_1();
        CREATE TRIGGER checksum_of_insert BEFORE INSERT ON marvel.favorites FOR EACH ROW
            WHEN (NEW.checksum IS NULL) EXECUTE FUNCTION marvel.refuse_row_1();
        """

    /// Begins a new history, unless another server did: every list continues at a revision that no earlier history has used, nor
    /// the caller seen (`p_floor`), and the changes are deleted. A damaged row stays damaged.
    static let renewHistory = """
        CREATE OR REPLACE FUNCTION marvel.renew_history_1(p_history int8, p_next int8, p_floor int8) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            v_base int8;
        BEGIN
            PERFORM pg_advisory_xact_lock(\(historyLock));
            IF p_history <> (SELECT history FROM marvel.meta) THEN RETURN; END IF;
            SELECT greatest(
                base, p_floor,
                (SELECT max(revision) FROM marvel.lists), (SELECT max(revision) FROM marvel.answers)
            ) INTO v_base FROM marvel.meta;
            v_base := ((v_base >> 32) + 1) << 32;
            DELETE FROM marvel.changes;
            DELETE FROM marvel.lists WHERE deletion IS NOT NULL;
            UPDATE marvel.lists SET revision = v_base, digest = 0,
                checksum = CASE checksum
                    WHEN marvel.list_checksum_1(name, owner, deletion, revision, digest, ids)
                    THEN marvel.list_checksum_1(name, owner, deletion, v_base, 0, ids)
                    ELSE substring(sha256(checksum) FROM 1 FOR 8) END;
            UPDATE marvel.meta SET history = p_next, base = v_base;
        END $$;
        """

    /// Drops the names of lists that were deleted more than a maximum of deletions ago, the oldest first. The base rises to their
    /// last revisions, so that a new list of such a name continues above them. Otherwise the row of `meta` is not written: replicas
    /// would compare all lists (`FeedFollower`).
    static let dropDeletedNames = """
        CREATE FUNCTION marvel.drop_deleted_names_2(p_maximum int8, p_limit int8) RETURNS int8 LANGUAGE plpgsql AS $$
        DECLARE
            v_last int8;
            v_count int8 := 0;
            v_highest int8 := 0;
            v_name record;
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(\(historyLock));
            SELECT max(deletion) - p_maximum INTO v_last FROM marvel.lists WHERE deletion IS NOT NULL;
            FOR v_name IN
                SELECT name, revision FROM marvel.lists WHERE deletion <= v_last AND revision > 0
                ORDER BY deletion LIMIT p_limit FOR UPDATE SKIP LOCKED
            LOOP
                DELETE FROM marvel.changes WHERE list = v_name.name;
                DELETE FROM marvel.lists WHERE name = v_name.name;
                v_highest := greatest(v_highest, v_name.revision);
                v_count := v_count + 1;
            END LOOP;
            UPDATE marvel.meta SET base = v_highest WHERE base < v_highest;
            RETURN v_count;
        END $$;
        """
}
