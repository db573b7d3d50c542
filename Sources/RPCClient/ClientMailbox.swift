internal import NIOCore
internal import RPCCore
internal import Synchronization

/// The commands that callers, on any thread, send to their client on its event loop.
///
/// A caller that finds the mailbox empty wakes the loop, so many commands at once cost one hop.
final class ClientMailbox: Sendable {
    enum Command: Sendable {
        case call(ClientCall)
        case callOnce(ClientCall, CheckedContinuation<Result<ByteBuffer, RPCError>, Never>)
        case grant(UInt32, ClientCall)
        /// The caller cancelled.
        case abandon(ClientCall)
        /// Addresses that did not answer may be tried again at once.
        case connectNow
        case shutDown(EventLoopPromise<Void>?)
    }

    private struct State {
        var commands: [Command] = []
        /// An empty array with capacity, so that commands need no allocation.
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
