internal import Glibc

/// An output stream of the process, written without a buffer: a call returns when the bytes are written.
struct FileOutput: TextOutput {
    static let standardOutput = FileOutput(descriptor: STDOUT_FILENO)
    static let standardError = FileOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    var columns: Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    func write(_ bytes: [UInt8]) throws(OutputError) {
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

    /// Waits until the stream is writable. A parent process may have made the stream non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
