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
///
/// It is an object, because a value of so many parts would be copied with each call.
final class LastAnswer {
    /// The maximum size of a request that is kept, in bytes.
    private static let maximumRequestBytes = 256

    private var request: [UInt8] = []
    private var method: RPCCore.Method?
    private var message: (any OutgoingMessage)?
    /// The number of the method.
    private(set) var number = CallCounters.otherMethod
    /// The validity of the access of the caller who got the answer.
    private(set) var stamp = AccessStamp.none
    private(set) var caller: CallCaller?
    /// The position in a trace that the request has.
    private var trace: TraceParent?

    /// Returns the answer to a request of the same bytes, if its method would still give it. Whether its caller may get it
    /// again is not checked.
    func message(to request: ByteBuffer) -> (any OutgoingMessage)? {
        guard let message, isRequest(request), method?.isCurrent?(message) == true else { return nil }
        return message
    }

    /// The end of a call that is answered with it.
    func endedCall(now: NIODeadline) -> EndedCall {
        EndedCall(
            method,
            .ttrpc,
            startedAt: now,
            byteCount: message?.byteCount ?? 0,
            principal: caller?.principal,
            trace: trace
        )
    }

    /// Keeps an answer in place of the one before, if its method can tell whether it is current.
    func keep(
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
        self.method = call.method
        self.message = message
        self.number = number
        self.caller = caller
        stamp = caller.stamp
        trace = TraceParent(call.metadata)
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
