internal import FuzzTargets
internal import NIOCore

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

// The main program is libFuzzer's, which comes with the compiler.

/// The target that the environment names.
private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        fatalError("FUZZ_TARGET is '\(name)'; it must be one of \(names)")
    }
    return target
}()

/// libFuzzer calls this with one input after the other, and takes a trap for a find.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let breaches = target.run(ByteBuffer(bytes: UnsafeBufferPointer(start: start, count: count)))
    guard breaches.isEmpty else { fatalError(breaches.joined(separator: "\n")) }
    return 0
}
