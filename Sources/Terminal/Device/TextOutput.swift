internal import Dispatch
internal import Glibc

package protocol TextOutput: Sendable {
    /// Nil if the output is not a terminal.
    var columns: Int? { get }

    /// Writes all bytes before it returns.
    func write(_ bytes: [UInt8]) throws(OutputError)
}

extension TextOutput {
    package var isTerminal: Bool { columns != nil }

    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }
}

package enum OutputError: Error, Equatable, CustomStringConvertible {
    /// The reader closed the pipe, as `head` does. Not an error for the user.
    case readerGone
    case failed(reason: String)

    package var description: String {
        switch self {
        case .readerGone: "the reader of the output closed it"
        case .failed(let reason): "the output cannot be written: \(reason)"
        }
    }
}

package struct FileOutput: TextOutput {
    package static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
    package static let standardError = FileOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package var columns: Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw .readerGone
            default: throw .failed(reason: String(cString: strerror(errno)))
            }
        }
    }

    /// A parent process may have made the stream non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}

package protocol TextInput: Sendable {
    var isTerminal: Bool { get }

    /// Without its line break; nil at the end of the input, or if the task was cancelled.
    func nextLine() async -> String?
}

package struct StandardInput: TextInput {
    package init() {}

    package var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// After a cancellation the thread continues and its line is lost: the program ends then.
    package func nextLine() async -> String? {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        DispatchQueue.global().async {
            if let text = readLine(strippingNewline: true) { line.yield(text) }
            line.finish()
        }
        for await text in lines { return text }
        return nil
    }
}
