/// Why a run failed.
struct CrashTestError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
