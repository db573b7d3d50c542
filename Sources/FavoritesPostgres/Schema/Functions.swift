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

    /// The digest of a change and of all changes before it on its list.
    static let nextDigest = """
        CREATE FUNCTION marvel.next_digest_1(p_previous int8, p_revision int8, p_change bytea) RETURNS int8
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT ('x' || encode(substring(
                sha256(int8send(p_previous) || int8send(p_revision) || p_change) FROM 1 FOR 8
            ), 'hex'))::bit(64)::int8
        $$;
        """

    /// Adds a change to the log of a list, and deletes old ones. For servers that know seven steps of the schema.
    static let writeChange = """
        CREATE FUNCTION marvel.write_change_1(
            p_list text, p_revision int8, p_digest int8, p_change bytea, p_kept int8
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO marvel.changes (list, revision, digest, change)
                VALUES (p_list, p_revision, p_digest, p_change);
            IF p_revision > p_kept THEN
                DELETE FROM marvel.changes WHERE list = p_list AND revision <= p_revision - p_kept;
            END IF;
        END $$;
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

    /// Applies toggles and deletions of lists in their order. Servers that know seven steps of the schema decide by it.
    ///
    /// p_known has the revisions that the server has shown. o_status: 0 nothing changed, or the request was answered before; 1
    /// changed; 2 the character is needed; 3 too many lists; 4 the request's id was used for another one; 5 too many lists of the
    /// owner; 6 a row is damaged. o_left has the removed, evicted or cleared favorites as a JSON array.
    static let applyRequests = """
        CREATE FUNCTION marvel.apply_requests_2(
            p_history int8, p_room int8, p_owned int8, p_kept int8, p_now int8,
            p_lists text[], p_characters int8[], p_desired int2[], p_principals text[], p_requests text[],
            p_owners text[], p_snapshots bytea[], p_known int8[]
        ) RETURNS TABLE (
            o_status int2, o_is_favorite bool, o_history int8, o_revision int8, o_digest int8, o_left bytea
        ) LANGUAGE plpgsql AS $$
        DECLARE
            v_meta marvel.meta%ROWTYPE;
            v_answer marvel.answers%ROWTYPE;
            v_list marvel.lists%ROWTYPE;
            v_room int8 := p_room;
            v_exists bool;
            v_has bool;
            v_wants bool;
            v_surplus int4;
            v_leaving int8[];
            v_change bytea;
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(\(historyLock));
            -- Names are made and lists are locked in their order, so that groups never deadlock.
            INSERT INTO marvel.lists (name, deletion, revision, digest, ids, checksum)
                SELECT DISTINCT wanted.name COLLATE "C", 0, 0, 0, '{}'::int8[],
                    marvel.list_checksum_1(wanted.name, NULL, 0, 0, 0, '{}')
                FROM unnest(p_lists, p_desired, p_snapshots) AS wanted (name, desired, snapshot)
                WHERE wanted.desired < 2 AND wanted.snapshot IS NOT NULL
                    AND NOT EXISTS (SELECT FROM marvel.lists WHERE lists.name = wanted.name)
                ORDER BY 1 ON CONFLICT DO NOTHING;
            PERFORM FROM marvel.lists WHERE name = ANY (p_lists) ORDER BY name FOR NO KEY UPDATE;
            -- Read after the locks: who drops a deleted name raises the base before another may make it again.
            SELECT * INTO v_meta FROM marvel.meta;
            IF v_meta.history <> p_history THEN
                RAISE EXCEPTION 'the store has another history' USING ERRCODE = 'MV001';
            END IF;

            FOR i IN 1 .. cardinality(p_lists) LOOP
                o_digest := NULL;
                o_left := NULL;
                o_history := v_meta.history;

                SELECT * INTO v_answer FROM marvel.answers
                    WHERE principal = p_principals[i] AND request_id = p_requests[i];
                IF FOUND THEN
                    o_status := CASE
                        WHEN v_answer.list = p_lists[i] AND v_answer.character_id = p_characters[i]
                            AND v_answer.desired = p_desired[i]
                        THEN 0 ELSE 4 END;
                    o_is_favorite := v_answer.is_favorite;
                    o_history := v_answer.history;
                    o_revision := v_answer.revision;
                    o_left := v_answer.evicted;
                    RETURN NEXT;
                    CONTINUE;
                END IF;

                SELECT * INTO v_list FROM marvel.lists WHERE name = p_lists[i];
                v_exists := FOUND AND v_list.deletion IS NULL;
                IF v_list.checksum <> marvel.list_checksum_1(
                    v_list.name, v_list.owner, v_list.deletion, v_list.revision, v_list.digest, v_list.ids
                ) THEN
                    o_status := 6;
                    RETURN NEXT;
                    CONTINUE;
                END IF;
                IF NOT v_exists THEN v_list.ids := '{}'; END IF;
                o_revision := CASE WHEN v_list.revision > 0 THEN v_list.revision ELSE v_meta.base END;
                IF o_revision < p_known[i] THEN
                    RAISE EXCEPTION 'a list is at revision %, and was shown at %', o_revision, p_known[i]
                        USING ERRCODE = 'MV002';
                END IF;
                v_has := p_characters[i] = ANY (v_list.ids);
                v_wants := CASE p_desired[i] WHEN 0 THEN NOT v_has WHEN 1 THEN true ELSE false END;
                v_surplus := cardinality(v_list.ids) + 1 - v_meta.capacity;
                v_leaving := CASE
                    WHEN p_desired[i] = 3 THEN v_list.ids
                    WHEN v_wants AND NOT v_has AND v_surplus > 0 THEN v_list.ids[1:v_surplus]
                    WHEN v_has AND NOT v_wants THEN p_characters[i:i]
                    ELSE '{}' END;
                -- Each by the whole key: a list has many index entries of favorites that were deleted lately.
                IF v_leaving <> '{}' AND cardinality(v_leaving) <> (
                    SELECT count(*) FROM unnest(v_leaving) AS leaving (id) WHERE (
                        SELECT f.checksum = marvel.favorite_checksum_1(
                            f.list, f.character_id, f.saved_revision, f.snapshot
                        ) FROM marvel.favorites AS f WHERE f.list = p_lists[i] AND f.character_id = leaving.id
                    )
                ) THEN
                    o_status := 6;
                    RETURN NEXT;
                    CONTINUE;
                END IF;
                v_change := NULL;
                o_is_favorite := v_has;

                IF p_desired[i] = 3 THEN
                    o_is_favorite := v_exists;
                    IF v_exists THEN
                        WITH cleared AS (
                            DELETE FROM marvel.favorites WHERE list = p_lists[i] RETURNING saved_revision, snapshot
                        )
                        SELECT '['::bytea || string_agg(snapshot, ',' ORDER BY saved_revision) || ']'::bytea
                            INTO o_left FROM cleared;
                        v_change := coalesce('{"cleared":'::bytea || o_left || ',"deleted":true}'::bytea,
                            '{"deleted":true}'::bytea);
                        v_list.ids := '{}';
                        v_list.deletion := nextval('marvel.deletions');
                        v_list.owner := NULL;
                        v_room := v_room + 1;
                    END IF;
                ELSIF v_wants AND NOT v_has THEN
                    IF p_snapshots[i] IS NULL THEN
                        o_status := 2;
                        RETURN NEXT;
                        CONTINUE;
                    END IF;
                    IF NOT v_exists AND v_room <= 0 THEN
                        o_status := 3;
                        RETURN NEXT;
                        CONTINUE;
                    END IF;
                    IF NOT v_exists AND p_owners[i] <> '' THEN
                        IF p_owners[i] = ' ' OR p_owned > 0
                            AND p_owned <= (SELECT count(*) FROM marvel.lists WHERE owner = p_owners[i])
                        THEN
                            o_status := 5;
                            RETURN NEXT;
                            CONTINUE;
                        END IF;
                    END IF;
                    IF v_list.name IS NULL THEN
                        RAISE EXCEPTION 'the name was dropped meanwhile' USING ERRCODE = '40001';
                    END IF;
                    IF v_surplus > 0 THEN
                        WITH evicted AS (
                            DELETE FROM marvel.favorites
                                WHERE list = p_lists[i] AND character_id = ANY (v_leaving)
                                RETURNING saved_revision, snapshot
                        )
                        SELECT '['::bytea || string_agg(snapshot, ',' ORDER BY saved_revision) || ']'::bytea
                            INTO o_left FROM evicted;
                        v_list.ids := v_list.ids[v_surplus + 1:];
                    END IF;
                    INSERT INTO marvel.favorites (list, character_id, saved_revision, snapshot, checksum)
                        VALUES (p_lists[i], p_characters[i], o_revision + 1, p_snapshots[i],
                            marvel.favorite_checksum_1(p_lists[i], p_characters[i], o_revision + 1, p_snapshots[i]));
                    v_change := coalesce('{"evicted":'::bytea || o_left || ','::bytea, '{'::bytea)
                        || '"saved":'::bytea || p_snapshots[i] || '}'::bytea;
                    v_list.ids := v_list.ids || p_characters[i];
                    IF NOT v_exists THEN
                        v_room := v_room - 1;
                        v_list.owner := nullif(p_owners[i], '');
                    END IF;
                    v_list.deletion := NULL;
                    o_is_favorite := true;
                ELSIF v_has AND NOT v_wants THEN
                    DELETE FROM marvel.favorites WHERE list = p_lists[i] AND character_id = p_characters[i]
                        RETURNING '['::bytea || snapshot || ']'::bytea INTO STRICT o_left;
                    v_change := '{"removed":'::bytea || substring(o_left FROM 2 FOR length(o_left) - 2) || '}'::bytea;
                    v_list.ids := array_remove(v_list.ids, p_characters[i]);
                    o_is_favorite := false;
                END IF;

                IF v_change IS NOT NULL THEN
                    o_revision := o_revision + 1;
                    o_digest := marvel.next_digest_1(v_list.digest, o_revision, v_change);
                    UPDATE marvel.lists
                        SET owner = v_list.owner, deletion = v_list.deletion, revision = o_revision,
                            digest = o_digest, ids = v_list.ids,
                            checksum = marvel.list_checksum_1(
                                p_lists[i], v_list.owner, v_list.deletion, o_revision, o_digest, v_list.ids
                            )
                        WHERE name = p_lists[i];
                    PERFORM marvel.write_change_1(p_lists[i], o_revision, o_digest, v_change, p_kept);
                END IF;
                INSERT INTO marvel.answers
                    VALUES (p_principals[i], p_requests[i], v_meta.history, p_lists[i], p_characters[i], p_desired[i],
                        o_is_favorite, o_revision, CASE WHEN v_wants THEN o_left END, p_now);
                o_status := CASE WHEN v_change IS NULL THEN 0 ELSE 1 END;
                RETURN NEXT;
            END LOOP;

            -- Names that were made above, and whose toggles then changed nothing.
            DELETE FROM marvel.lists WHERE name = ANY (p_lists) AND revision = 0;
        END $$;
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

        -- For servers that know six steps of the schema.
        CREATE OR REPLACE FUNCTION marvel.drop_deleted_names_1(p_maximum int8, p_limit int8) RETURNS int8 LANGUAGE sql
        AS $$ SELECT marvel.drop_deleted_names_2($1, $2) $$;
        """
}
