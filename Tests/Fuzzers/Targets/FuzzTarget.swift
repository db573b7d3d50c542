package import NIOCore

/// A part of the program that reads what strangers wrote, as one function over any bytes.
package struct FuzzTarget: Sendable {
    /// Names its folder in the corpus.
    package let name: String
    /// Feeds it the bytes. A trap, a fault of memory and a run without end are failures as well.
    ///
    /// - Returns: Each breach of a promise; none, if all is well.
    package let run: @Sendable (ByteBuffer) -> [String]

    init(_ name: String, run: @escaping @Sendable (ByteBuffer) -> [String]) {
        self.name = name
        self.run = run
    }

    package static let all: [FuzzTarget] = [
        .server, .client, .http2, .http1, .messages, .metadata, .requests, .pageToken, .reply, .address,
        .terminalKeys, .pictures,
    ]
}

/// Collects what is wrong.
struct Findings {
    private(set) var breaches: [String] = []

    mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}
