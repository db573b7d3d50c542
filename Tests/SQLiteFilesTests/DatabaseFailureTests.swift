import CSQLite
import SQLiteFiles
import Testing

@Suite struct DatabaseFailureTests {
    @Test(
        arguments: [
            (SQLITE_FULL, .diskFull, "the disk is full", false),
            (SQLITE_IOERR, .diskFailing, "the disk is failing", false),
            (SQLITE_IOERR | 3 << 8, .diskFailing, "the disk is failing", false),
            (
                SQLITE_IOERR | 4 << 8, .syncFailed,
                "the disk failed to sync a change; restart to accept changes again", true
            ),
            (SQLITE_READONLY, .readOnly, "the store is read-only", false),
            (SQLITE_BUSY, .busy, "another program has locked the store", false),
            (SQLITE_CANTOPEN, .notOpened, "cannot open a file of the store", false),
            (SQLITE_NOMEM, .outOfMemory, "the store is out of memory", false),
            (SQLITE_CORRUPT, .damaged, "the store is damaged", true),
            (SQLITE_NOTADB, .notADatabase, "the store is damaged", true),
            (SQLITE_CONSTRAINT | 8 << 8, .constraint, "the store is damaged", true),
            (SQLITE_TOOBIG, .tooLarge, "a record of the store is too large", false),
            (SQLITE_INTERRUPT, .interrupted, "the store took too long", false),
            (SQLITE_ERROR, .schema, "the store failed", false), (SQLITE_ABORT, .other, "the store failed", false),
        ] as [(CInt, DatabaseFailure, String, Bool)]
    )
    func eachCodeHasItsTextAndItsEnd(_ code: CInt, _ kind: DatabaseFailure, _ text: String, _ endsWriting: Bool) {
        let failure = DatabaseError(code).failure
        #expect(failure == kind)
        #expect(failure.text(about: "the store") == text)
        #expect(failure.endsWriting == endsWriting)
    }
}
