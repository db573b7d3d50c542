import Foundation
import Testing

@testable import ProgramSupport

/// A log whose reader may stall: it is bounded, counts dropped lines, and blocks no writer.
@Suite(.timeLimit(.minutes(10)))
struct LineWriterTests {
    private let pipe = Pipe()

    private func writer(capacity: Int = 1 << 20) -> LineWriter {
        LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, capacity: capacity) { dropped in
            Array("dropped \(dropped)\n".utf8)
        }
    }

    /// Everything up to a last line.
    private func readLines(until last: String) throws -> [Substring] {
        var text = ""
        while !text.hasSuffix("\(last)\n") {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        return text.split(separator: "\n")
    }

    @Test func linesArriveWholeAndInOrder() throws {
        let writer = writer()
        for number in 0..<1_000 { writer.write(Array("line \(number)\n".utf8)) }
        let lines = try readLines(until: "line 999")
        #expect(lines == (0..<1_000).map { "line \($0)" })
    }

    @Test func aStalledReaderBlocksNoOtherAndLearnsOfMissedEvents() throws {
        let writer = writer(capacity: 10_000)
        // More than a pipe takes (64 KiB) and what may wait.
        var count = 20_000
        for number in 0..<count { writer.write(Array("line \(number)\n".utf8)) }
        // Most of them may have been dropped before the writer's thread had its first turn: then the pipe has room yet.
        while writer.flush(within: .milliseconds(1)) {
            writer.write(Array("line \(count)\n".utf8))
            count += 1
        }
        var lines: [Substring] = []
        // The last line waits for room in the queue as all others do.
        while lines.last != "end" {
            writer.write(Array("end\n".utf8))
            lines += try readSome()
        }
        let dropped = lines.compactMap { $0.hasPrefix("dropped ") ? Int($0.dropFirst("dropped ".count)) : nil }
        let numbered = lines.filter { $0.hasPrefix("line ") }
        #expect(dropped.reduce(0, +) > 0)
        #expect(numbered.count + dropped.reduce(0, +) >= count)
        #expect(numbered == numbered.sorted { Int($0.dropFirst(5)) ?? 0 < Int($1.dropFirst(5)) ?? 0 })
    }

    private func readSome() throws -> [Substring] {
        var text = ""
        repeat {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        } while !text.hasSuffix("\n")
        return text.split(separator: "\n")
    }

    @Test func everythingIsWrittenAfterAFlush() throws {
        let writer = writer()
        writer.write(Array("last words\n".utf8))
        #expect(writer.flush(within: .seconds(600)))
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("last words\n".utf8))
        #expect(writer.flush(within: .seconds(600)), "there is nothing left")
    }

    /// A terminal that another program has made non-blocking.
    @Test func aDescriptorThatDoesNotBlockIsWaitedFor() throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        let writer = writer()
        for number in 0..<20_000 { writer.write(Array("line \(number)\n".utf8)) }
        let lines = try readLines(until: "line 19999")
        #expect(lines.count == 20_000)
    }
}
