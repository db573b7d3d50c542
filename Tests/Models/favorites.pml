/* A model of the protocol between two replicas and their database, for one list. deploy/model checks it with spin.
 * An engine decides on its cache of the list, and sends its group of one request with compare-and-set: the place that
 * it expects, and the request's key. A lost connection leaves the group in doubt, and it is sent again as it was. A
 * failover may lose the last commits. The engine that connects first then begins a new history above all revisions
 * that it knows. A watcher resumes after its place, at either engine.
 * deploy/model sets the limits REQUESTS, CUTS and FAILOVERS, and MISTAKE to 0 or to one of these: */
#define LOST_AS_APPLIED 1    /* the engine believes that a lost compare-and-set was applied */
#define RESEND_AFRESH 2      /* a group in doubt is sent again with a new key */
#define NO_FLOOR 3           /* a new history begins above what the database has, whatever the engine has seen */
#define PROGRESS_TOO_HIGH 4  /* a progress names the next revision */
#define HISTORY_KEPT 5       /* no history begins after a failover */

/* A place is a history and a revision in one number. Revisions rise over all histories, and each history begins at a
   multiple of STRIDE. No more than two changes are made in one, because each request has one effect. */
#define LIMIT 16
#define STRIDE 4
#define revision(place) ((place) % LIMIT)
#define base(place) (revision(place) / STRIDE)
#define same(place, other) ((place) / LIMIT == (other) / LIMIT)  /* whether both are of one history */
#define FIRST LIMIT
#define AWAY 2

mtype = { NONE, APPLIED, REPEATED, LOST };
byte database = FIRST;             /* the place of the list in the database */
byte answers[2];                   /* the stored answer of each request: its place, 0 for none */
bool verified = true;              /* whether an engine has connected since the last failover */
byte histories = 1, former[6];     /* the number of histories, and the place before each */
byte change[6 * LIMIT];            /* the request that made the change of each place, plus 1; never forgotten */
byte cache[2] = FIRST;             /* the place of each engine's cache, which is also what it has published */
bool connected[2] = true;
byte cuts = CUTS, failovers = FAILOVERS;
byte said[2];                      /* the place in the last answer to each client; 0 before it */
byte watched = 0, seen = FIRST;    /* the watcher's engine or AWAY, and its place */
chan ask = [0] of { byte };

/* The next revision: to the watcher without a delay. One that reads late is one that leaves and resumes later. */
inline publish() {
    cache[me]++;
    if  /* no gap, no repeat, and nothing at or before a progress */
    :: watched == me -> assert(cache[me] == seen + 1); seen = cache[me] :: else fi
}
inline publishUpTo(place) { do :: cache[me] < place -> publish() :: else -> break od }

inline beginHistory() {
    histories++; former[histories] = database;
    database = histories * LIMIT + STRIDE * (1 +
        (base(cache[me]) > base(database) && MISTAKE != NO_FLOOR -> base(cache[me]) : base(database)))
}

/* Reads the list, and publishes what is new; a new history as a snapshot. */
inline load() {
    if
    :: same(database, cache[me]) -> assert(database >= cache[me]); publishUpTo(database)
    :: else ->
        if  /* It began on a server that knew less than this one. */
        :: base(database) <= base(cache[me]) && MISTAKE != NO_FLOOR -> beginHistory() :: else fi;
        assert(revision(database) > revision(cache[me]));  /* no revision that the engine has shown comes again */
        cache[me] = database;
        if :: watched == me -> seen = database :: else fi
    fi
}

proctype Feed(bit me) {
end:do
    :: d_step { connected[me] && cache[me] != database -> load() }
    :: d_step { !connected[me] ->
        if :: !verified -> beginHistory(); verified = true :: else fi;
        load(); connected[me] = true }
    od
}

inline compareAndSet() {
    outcome = (answers[request] && !isNewKey -> REPEATED : (database != expected -> LOST : APPLIED));
    if
    :: outcome == APPLIED ->
        assert(!answers[request]);  /* a request takes effect once */
        database++; assert(!change[database]);  /* a revision of a history is used once */
        change[database] = request + 1; answers[request] = database
    :: else fi;
    place = (outcome == REPEATED -> answers[request] : database)
}

inline doubt() { connected[me] = false; outcome = NONE; place = 0; isNewKey = (MISTAKE == RESEND_AFRESH) }

proctype Writer(bit me) {
    mtype outcome = NONE; byte request, expected, place; bool isNewKey;
end:do
    :: atomic { ask?request -> expected = cache[me] }
send:   if
        :: d_step { connected[me] -> compareAndSet() }
        :: atomic { connected[me] && cuts -> d_step { cuts--; doubt() } goto send }
        fi;
        if  /* The outcome arrives, or is lost with its connection. */
        :: atomic { connected[me] && cuts -> d_step { cuts--; doubt() } goto send }
        :: atomic { !connected[me] -> d_step { doubt() } goto send }
        :: atomic { outcome == LOST && MISTAKE != LOST_AS_APPLIED -> d_step {
            if  /* The feed reads another history when it connects. */
            :: same(place, cache[me]) -> publishUpTo(place) :: else -> connected[me] = false fi;
            expected = cache[me]; outcome = NONE; place = 0 } goto send }
        :: d_step { (outcome == APPLIED || (outcome == LOST && MISTAKE == LOST_AS_APPLIED)
            /* A stored answer waits for the feed, if it is above the cache. */
            || (outcome == REPEATED && (!same(place, cache[me]) || place <= cache[me]))) ->
            if :: outcome == LOST -> place = expected + 1 :: else fi;
            if
            :: outcome != REPEATED && same(place, cache[me]) && place > cache[me] ->
                assert(place == cache[me] + 1 && change[place] == request + 1);  /* the database has this change */
                publish()
            :: else fi;  /* the feed was first, or a new history has begun */
            said[request] = place;
            request = 0; expected = 0; outcome = NONE; place = 0; isNewKey = false }
        fi
    od
}

proctype Client(bit request) { do :: !said[request] -> ask!request :: said[request] -> break od }

/* A standby takes over. Any number of the last commits may be missing there, new histories included. */
active proctype Failover() {
end:do
    :: atomic { failovers ->
        d_step { failovers--; verified = (MISTAKE == HISTORY_KEPT); connected[0] = false; connected[1] = false }
        do
        :: d_step { change[database] -> answers[change[database] - 1] = 0; database-- }
        :: d_step { !change[database] && database != FIRST -> database = former[database / LIMIT] }
        :: break
        od }
    od
}

/* An engine whose cache does not have the watcher's place reads the database first. */
#define canResume(me) (watched == AWAY && ((same(seen, cache[me]) && seen <= cache[me]) \
    || (connected[me] && cache[me] == database)))
inline resume(me) { assert(!same(seen, cache[me]) || seen <= cache[me]); watched = me; seen = cache[me] }

active proctype Watcher() {
end:do
    :: watched != AWAY -> watched = AWAY
    :: d_step { canResume(0) -> resume(0) }
    :: d_step { canResume(1) -> resume(1) }
    :: d_step { watched != AWAY -> seen = cache[watched] + (MISTAKE == PROGRESS_TOO_HIGH -> 1 : 0) }  /* a progress */
    od
}

init { atomic { run Feed(0); run Feed(1); run Writer(0); run Writer(1);
    run Client(0); if :: REQUESTS > 1 -> run Client(1) :: else fi } }

/* The answered changes are in the database, or the history is another one. */
#define isKept(q) (!said[q] || !same(said[q], database) || (said[q] <= database && change[said[q]] == q + 1))
ltl kept { [] (!verified || (isKept(0) && isKept(1))) }
ltl served { <> (said[0] && (said[1] || REQUESTS == 1)) }
