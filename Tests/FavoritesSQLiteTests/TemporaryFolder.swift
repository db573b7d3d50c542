internal import ChildProcesses
internal import Foundation
internal import Testing

/// A folder for each test of a suite, which is removed when the test ends.
struct FolderOfTest: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var current: TemporaryFolder?

    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(TemporaryFolder()) { try await body() }
    }
}

extension Trait where Self == FolderOfTest {
    static var temporaryFolder: Self { FolderOfTest() }
}

/// The folder of the running test.
var folder: String {
    guard let current = FolderOfTest.current else { preconditionFailure("the suite has no temporary folder") }
    return current.url.path
}

/// The path of the store of the running test.
var path: String { "\(folder)/favorites.db" }
