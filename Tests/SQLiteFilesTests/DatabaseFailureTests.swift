import GRDB
import SQLiteFiles
import Testing

@Suite struct DatabaseFailureTests {
    @Test(
        arguments: [
            (.SQLITE_FULL, .diskFull, "the disk is full", false),
            (.SQLITE_IOERR, .diskFailing, "the disk is failing", false),
            (.SQLITE_IOERR_WRITE, .diskFailing, "the disk is failing", false),
            (
                .SQLITE_IOERR_FSYNC, .syncFailed,
                "the disk failed to sync a change; no more are accepted until a restart", true
            ),
            (.SQLITE_READONLY, .readOnly, "the store is read-only", false),
            (.SQLITE_BUSY, .busy, "another program holds the store", false),
            (.SQLITE_CANTOPEN, .notOpened, "a file of the store cannot be opened", false),
            (.SQLITE_NOMEM, .outOfMemory, "the store is out of memory", false),
            (.SQLITE_CORRUPT, .damaged, "the store is damaged", true),
            (.SQLITE_NOTADB, .notADatabase, "the store is damaged", true),
            (.SQLITE_CONSTRAINT_UNIQUE, .constraint, "the store is damaged", true),
            (.SQLITE_TOOBIG, .tooLarge, "a record of the store is too large", false),
            (.SQLITE_INTERRUPT, .interrupted, "the store took too long", false),
            (.SQLITE_ERROR, .schema, "the store failed", false), (.SQLITE_ABORT, .other, "the store failed", false),
        ] as [(ResultCode, DatabaseFailure, String, Bool)]
    )
    func eachCodeHasItsTextAndItsEnd(_ code: ResultCode, _ kind: DatabaseFailure, _ text: String, _ endsWriting: Bool) {
        let failure = DatabaseError(resultCode: code).failure
        #expect(failure == kind)
        #expect(failure.text(about: "the store") == text)
        #expect(failure.endsWriting == endsWriting)
    }
}
