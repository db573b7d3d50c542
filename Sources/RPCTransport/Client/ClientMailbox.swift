internal import NIOCore
internal import RPCCore
internal import Synchronization

/// What callers, on whatever thread, want of their client, which lives on one event loop.
///
/// Whoever finds the box empty wakes the loop, so what many callers want at once costs one hop.
final class ClientMailbox: Sendable {
    enum Command: Sendable {
        case call(ClientCall)
        case callOnce(ClientCall, CheckedContinuation<Result<ByteBuffer, RPCError>, Never>)
        case grant(UInt32, ClientCall)
        /// The caller gave up.
        case abandon(ClientCall)
        /// No server is to be left alone any longer because it did not answer.
        case connectNow
        case shutDown(EventLoopPromise<Void>?)
    }

    private struct State {
        var commands: [Command] = []
        /// An empty array with room: commands cost no memory of their own.
        var spare: [Command] = []
    }

    let eventLoop: any EventLoop
    private let state = Mutex(State())
    private let core: NIOLoopBoundBox<ClientCore>

    init(eventLoop: any EventLoop, core: NIOLoopBoundBox<ClientCore>) {
        self.eventLoop = eventLoop
        self.core = core
    }

    func post(_ command: Command) {
        let isFirst = state.withLock { state in
            state.commands.append(command)
            return state.commands.count == 1
        }
        if isFirst { eventLoop.execute { self.empty() } }
    }

    private func empty() {
        var batch = state.withLock { state in
            let batch = state.commands
            state.commands = state.spare
            state.spare = []
            return batch
        }
        core.value.carryOut(batch)
        batch.removeAll(keepingCapacity: true)
        state.withLock { $0.spare = batch }
    }
}
