internal import NIOCore
internal import RPCCore

#if canImport(Glibc)
private import Glibc
#else
private import Darwin
#endif

/// The last answer of a connection that may be sent again, with the bytes of its request.
///
/// Clients that poll, and load tests, send one request again and again. Comparing its bytes takes a tenth of the time that
/// reading it and asking its method takes. One request is enough: answers to many are the service's to keep, for all
/// connections.
struct LastAnswer {
    /// The maximum size of a request that is kept, in bytes.
    private static let maximumRequestBytes = 256

    /// An answer, and the facts of the call that got it. It is an object, so that sending it again takes one reference.
    final class Kept {
        let message: any OutgoingMessage
        let method: RPCCore.Method
        /// The number of the method.
        let number: Int
        let caller: CallCaller
        /// The position in a trace that the request has.
        let trace: TraceParent?

        init(_ message: any OutgoingMessage, to call: CallRequest, number: Int, by caller: CallCaller) {
            self.message = message
            method = call.method
            self.number = number
            self.caller = caller
            trace = TraceParent(call.metadata)
        }
    }

    private var request: [UInt8] = []
    private var kept: Kept?

    /// Returns the answer to a request of the same bytes, if its method would still give it. Its caller's access and quota
    /// are not checked.
    func current(for request: ByteBuffer) -> Kept? {
        guard let kept, isRequest(request), kept.method.isCurrent?(kept.message) == true else { return nil }
        return kept
    }

    /// Keeps an answer in place of the one before, if its method can tell whether it is current.
    mutating func keep(
        _ message: any OutgoingMessage,
        to request: ByteBuffer,
        of call: CallRequest,
        number: Int,
        by caller: CallCaller
    ) {
        guard let isCurrent = call.method.isCurrent, request.readableBytes <= Self.maximumRequestBytes,
            isCurrent(message)
        else { return }
        // The array's memory is used again, and the buffer may share that of a whole read.
        self.request.removeAll(keepingCapacity: true)
        self.request += request.readableBytesView
        kept = Kept(message, to: call, number: number, by: caller)
    }

    private func isRequest(_ other: ByteBuffer) -> Bool {
        guard request.count == other.readableBytes else { return false }
        return request.withUnsafeBytes { request in
            other.withUnsafeReadableBytes { other in
                guard let request = request.baseAddress, let start = other.baseAddress else { return true }
                return memcmp(request, start, other.count) == 0
            }
        }
    }
}
