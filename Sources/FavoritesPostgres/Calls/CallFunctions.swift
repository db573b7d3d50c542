/// The tables and the function of the calls to gateways that several servers make from one budget.
enum CallFunctions {
    static let tables = """
        -- The calls that each server has made to a gateway, or has reserved. They are counted by the hour in which they
        -- were reserved, by the clock of this database.
        CREATE TABLE marvel.upstream_calls (
            gateway text COLLATE "C" NOT NULL,
            -- Since 1970.
            hour int8 NOT NULL,
            -- The process that makes them; 0 for calls from before the budget was shared.
            replica int8 NOT NULL,
            count int8 NOT NULL CHECK (count > 0),
            PRIMARY KEY (gateway, hour, replica)
        );

        -- The pauses of calls to gateways that refused one because of their own quota.
        CREATE TABLE marvel.upstream_pauses (
            gateway text COLLATE "C" PRIMARY KEY,
            -- Milliseconds since 1970-01-01T00:00:00Z, by the clock of this database. Null: the pause is over.
            until int8,
            -- Whether one call at a time tries whether it is over.
            is_probed bool NOT NULL,
            -- One more with each change.
            revision int8 NOT NULL
        );
        """

    /// Replaces the claims of a server, reserves calls for it, and returns the state of the budget: one row.
    ///
    /// Calls that are reserved in an hour may be made until the end of the next hour, less a minute for clocks that run
    /// at different rates and for requests that are on their way. The last of them is a day old 26 hours after the
    /// beginning of the hour. So the calls of an hour count for the 26 hours that begin with it.
    ///
    /// Servers that reserve calls wait for each other, so that together they never get more than there are. The others
    /// do not wait, because they only ask, or reduce their claims. A server may reserve a sixteenth of what is left, so
    /// that near the end of the budget none keeps from others what it may not need.
    ///
    /// p_pause is the time left of a pause in milliseconds, if p_pause_change is 1; 2 ends the pause, and 0 leaves it.
    static let shareCalls = """
        CREATE FUNCTION marvel.share_calls_1(
            p_gateway text, p_replica int8, p_maximum int8, p_wanted int8, p_hours int8[], p_counts int8[],
            p_earlier int8, p_pause_change int8, p_pause int8, p_is_probed int8
        ) RETURNS TABLE (
            o_hour int8, o_granted int8, o_usable int8, o_oldest int8, o_used int8, o_share int8, o_refill int8,
            o_pause int8, o_is_probed bool, o_revision int8
        ) LANGUAGE plpgsql AS $$
        DECLARE
            v_now int8;
        BEGIN
            -- Not for a standby, whose loss would hold up other reads of this server: if a fail-over loses claims, their
            -- servers send them again.
            PERFORM set_config('synchronous_commit', 'local', true);
            IF p_wanted > 0 THEN PERFORM pg_advisory_xact_lock(\(Functions.callLock)); END IF;
            -- Read after the wait: the time at which the transaction began may be in an hour before that of the others.
            v_now := floor(extract(epoch FROM clock_timestamp()) * 1000);
            o_hour := v_now / 3600000;
            o_usable := (o_hour + 2) * 3600000 - 60000 - v_now;
            o_oldest := o_hour - 25;

            DELETE FROM marvel.upstream_calls AS c
                WHERE gateway = p_gateway AND (hour < o_oldest OR replica = p_replica AND NOT EXISTS (
                    SELECT FROM unnest(p_hours, p_counts) AS claim (hour, count)
                    WHERE claim.hour = c.hour AND claim.count = c.count
                ));
            INSERT INTO marvel.upstream_calls (gateway, hour, replica, count)
                SELECT p_gateway, claim.hour, p_replica, claim.count
                FROM unnest(p_hours, p_counts) AS claim (hour, count) WHERE claim.hour >= o_oldest
                ON CONFLICT DO NOTHING;
            IF p_earlier > 0 AND NOT EXISTS (SELECT FROM marvel.upstream_calls WHERE gateway = p_gateway) THEN
                INSERT INTO marvel.upstream_calls (gateway, hour, replica, count)
                    VALUES (p_gateway, o_hour, 0, p_earlier) ON CONFLICT DO NOTHING;
            END IF;

            SELECT coalesce(sum(count), 0) INTO o_used FROM marvel.upstream_calls WHERE gateway = p_gateway;
            o_share := CASE WHEN o_used < p_maximum THEN greatest(1, (p_maximum - o_used) / 16) ELSE 0 END;
            o_granted := least(p_wanted, o_share);
            IF o_granted > 0 THEN
                INSERT INTO marvel.upstream_calls AS c (gateway, hour, replica, count)
                    VALUES (p_gateway, o_hour, p_replica, o_granted)
                    ON CONFLICT (gateway, hour, replica) DO UPDATE SET count = c.count + excluded.count;
                o_used := o_used + o_granted;
            END IF;
            SELECT (min(hour) + 26) * 3600000 - v_now INTO o_refill FROM marvel.upstream_calls WHERE gateway = p_gateway;
            o_refill := coalesce(o_refill, 0);

            IF p_pause_change > 0 THEN
                INSERT INTO marvel.upstream_pauses AS p (gateway, until, is_probed, revision)
                    VALUES (p_gateway, CASE WHEN p_pause_change = 1 THEN v_now + p_pause END, p_is_probed <> 0, 1)
                    ON CONFLICT (gateway) DO UPDATE SET until = excluded.until, is_probed = excluded.is_probed,
                        revision = p.revision + 1;
            END IF;
            SELECT until - v_now, is_probed, revision INTO o_pause, o_is_probed, o_revision
                FROM marvel.upstream_pauses WHERE gateway = p_gateway;
            o_is_probed := coalesce(o_is_probed, false);
            o_revision := coalesce(o_revision, 0);
            RETURN NEXT;
        END $$;
        """
}
