internal import Framing
internal import NIOCore
internal import RPCCore

/// Messages one after the other, while the peer takes them.
extension ServerConnection {
    /// Lets the ready calls send, one message each in turn.
    func pump() {
        guard !readyCalls.isEmpty, isWritable else { return }
        var next = readyCalls.startIndex
        while next < readyCalls.endIndex, !isClosing {
            guard outbound.byteCount < configuration.limits.maximumUnsentBytes else {
                // On by way of the loop's queue, so that one fast reader does not keep the other connections waiting.
                if hasRoom() { schedulePump() }
                break
            }
            let id = readyCalls[next]
            next += 1
            sendNext(on: id)
        }
        readyCalls.removeSubrange(..<min(next, readyCalls.endIndex))
    }

    private func sendNext(on id: StreamID) {
        switch calls[id]?.next {
        case .step(let step):
            calls[id]?.next = nil
            carryOut(step, of: id)
        case .source(let source):
            sendMessage(of: source, on: id)
        case nil:
            break
        }
    }

    private func sendMessage(of source: any MessageSource, on id: StreamID) {
        switch machine.messageWanted(on: id, now: now) {
        case .send:
            calls[id]?.next = nil
            do throws(RPCError) {
                carryOut(try source.next(), of: id)
            } catch {
                fail(id, error)
            }
        case .waitForCredit where isInputClosed:
            // The credit that it waits for cannot come any more.
            end(id)
        case .failCall(let refusal):
            counters.count(ServerEvent(refusal))
            fail(id, refusal.error)
        case .waitForCredit:
            armTimer()
        case .ignore:
            break
        }
    }

    private func schedulePump() {
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
