internal import Framing
internal import NIOCore
internal import RPCCore

/// The sending of stream messages, one after the other, while the peer takes them.
extension ServerConnection {
    /// Lets the ready calls send, one message each in turn.
    func pump() {
        guard !readyCalls.isEmpty, isWritable else { return }
        var next = readyCalls.startIndex
        while next < readyCalls.endIndex, !isClosing {
            guard outbound.byteCount < configuration.limits.maximumUnsentBytes else {
                // Continue in a later task of the loop, so that one fast reader does not keep the other connections
                // waiting.
                if hasRoom() { schedulePump() }
                break
            }
            let call = readyCalls[next]
            next += 1
            sendNext(of: call)
        }
        readyCalls.removeSubrange(..<min(next, readyCalls.endIndex))
    }

    func isReady(_ call: ActiveCall) -> Bool {
        readyCalls.contains { $0 === call }
    }

    /// Sends the call's next message. A call that has ended since has none.
    private func sendNext(of call: ActiveCall) {
        switch call.next {
        case .step(let step):
            call.next = nil
            carryOut(step, of: call)
        case .source(let source):
            sendMessage(of: source, to: call)
        case nil:
            break
        }
    }

    private func sendMessage(of source: any MessageSource, to call: ActiveCall) {
        if call.isWatch, let wait = source.wait { return begin(wait, of: call) }
        let id = call.id
        switch call.holdsCredit ? .send : machine.messageWanted(on: id, now: now) {
        case .send:
            call.next = nil
            call.holdsCredit = false
            do throws(RPCError) {
                carryOut(try source.next(), of: call)
            } catch {
                fail(id, error)
            }
        case .waitForCredit where isInputClosed:
            // The credit that it waits for cannot arrive any more.
            interrupt(id, .inputClosed)
        case .failCall(let refusal):
            interrupt(id, refusal)
        case .waitForCredit:
            armTimer()
        case .ignore:
            break
        }
    }

    func schedulePump() {
        guard !isPumpScheduled else { return }
        isPumpScheduled = true
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            connection.value.isPumpScheduled = false
            connection.value.now = .now()
            connection.value.turnEnded()
        }
    }
}
