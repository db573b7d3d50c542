import Framing
import NIOCore
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// The rules of every connection on every wire. The rules of one wire are in the suites of that wire. After each test
/// nothing of a connection may be left: no byte, no timer, no task.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionContractTests {
    // MARK: Calls

    @Test(arguments: Wire.all) func manyCallsOfAConnectionAreEachAnswered(over wire: Wire) async throws {
        try await wire.run { _, _, peer in
            var bytes = ByteBuffer()
            for number in 0..<100 {
                bytes.writeImmutableBuffer(try peer.encode(Call("Echo", ByteBuffer(string: "\(number)"))).bytes)
            }
            // One write, so that most of them are read together.
            try await peer.socket.send(bytes)
            for number in 0..<100 { #expect(try await peer.answer(to: number).isMessage("\(number)")) }
        }
    }

    @Test(arguments: Wire.calls) func aLongStreamArrivesWholeAndInOrder(over wire: Wire) async throws {
        try await wire.run { _, _, peer in
            let answer = try await peer.call(.count(20_000, size: 4))
            #expect(answer.messages.map { $0.getInteger(at: $0.readerIndex) } == (0..<20_000).map(UInt32.init))
            #expect(answer.isEnded && answer.error == nil)
        }
    }

    @Test(arguments: Wire.all) func aRequestMayArriveByteByByte(over wire: Wire) async throws {
        try await wire.run { _, _, peer in
            let (number, bytes) = try peer.encode(Call("Echo", ByteBuffer(string: "abc")))
            for byte in bytes.readableBytesView { try await peer.socket.send(ByteBuffer(bytes: [byte])) }
            #expect(try await peer.answer(to: number).isMessage("abc"))
        }
    }

    // MARK: Deadlines and cancellation

    @Test(arguments: Wire.calls, ["Hold", "HoldThenCount"])
    func aDeadlineEndsTheCallAndItsWork(over wire: Wire, _ method: String) async throws {
        try await wire.run { _, methods, peer in
            let answer = try await peer.call(Call(method, timeout: .milliseconds(30)))
            #expect(answer.error?.code == .deadlineExceeded)
            await methods.hasCancelled.wait()
        }
    }

    @Test(arguments: Wire.calls) func aCallWithoutADeadlineHasTheServersOwn(over wire: Wire) async throws {
        try await wire.run({ $0.unaryTimeout = .milliseconds(30) }) { (_, _, peer) async throws in
            #expect(try await peer.call(.hold).error?.code == .deadlineExceeded)
        }
    }

    @Test(arguments: Wire.multiplexed)
    func aCallPastItsDeadlineKeepsItsPlaceUntilItsWorkStops(over wire: Wire) async throws {
        try await wire.run({ $0.maximumStreams = 1 }) { server, methods, peer in
            #expect(try await peer.call(Call("Stubborn", timeout: .milliseconds(1))).error?.code == .deadlineExceeded)
            #expect(try await peer.call(Call("Echo")).error != nil)
            #expect(server.count(of: .streamLimit) == 1)
            methods.stubbornMayEnd()
            try await eventually { server.runningTaskCount == 0 }
            // The task has ended a moment before its place is free.
            while try await peer.call(Call("Echo")).error != nil {}
        }
    }

    @Test(arguments: Wire.controlled) func aCancelledCallStops(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            let number = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            try await peer.cancel(number)
            await methods.hasCancelled.wait()
            #expect(server.count(of: .cancelReceived) == 1)
            #expect(try await peer.call(Call("Echo")).error == nil, "the connection continues")
        }
    }

    /// A Cancel makes no room for another call: the work of the first continues until it has stopped.
    @Test(arguments: Wire.controlled)
    func cancelledCallsKeepTheirPlacesUntilTheirWorkStops(over wire: Wire) async throws {
        try await wire.run({ $0.maximumStreams = 4 }) { server, methods, peer in
            for _ in 0..<40 { try await peer.cancel(try await peer.send(Call("Stubborn"))) }
            try await eventually { server.count(of: .streamLimit) == 36 }
            #expect(server.runningTaskCount == 4)
            methods.stubbornMayEnd()
            try await eventually { server.runningTaskCount == 0 }
            while try await peer.call(Call("Echo")).error != nil {}
        }
    }

    /// CVE-2023-44487. Streams are no way around the limit: neither one whose first message is made at once but not sent before
    /// the end, nor one whose work has only begun.
    @Test(arguments: Wire.controlled, [Call.hold, Call("OneThenHold"), .count(3, method: "HoldThenCount")])
    func callsThatAreBegunAndCancelledEndTheConnection(over wire: Wire, _ call: Call) async throws {
        try await wire.run({ $0.cancels = RateLimit(count: 5, window: .seconds(30)) }) { server, _, peer in
            var bytes = ByteBuffer()
            for _ in 0..<7 {
                let (number, begin) = try peer.encode(call)
                bytes.writeImmutableBuffer(begin)
                bytes.writeImmutableBuffer(peer.encodeCancel(number))
            }
            try await peer.socket.send(bytes)
            try await peer.untilClosed()
            #expect(peer.goAways.last == "TOO_MANY_CANCELS")
            #expect(server.count(of: .tooManyCancels) == 1)
            #expect(try await wire.isServed(by: server), "others are served")
        }
    }

    /// A user who types cancels each search when its first page is there.
    @Test(arguments: Wire.controlled) func streamsMayBeCancelledAfterTheirFirstMessage(over wire: Wire) async throws {
        try await wire.run(credit: 1, { $0.cancels = RateLimit(count: 2, window: .seconds(30)) }) { server, _, peer in
            for _ in 0..<10 {
                let number = try await peer.send(.count(100))
                #expect(try await peer.message(of: number) != nil)
                try await peer.cancel(number)
            }
            try await eventually { server.count(of: .cancelReceived) == 10 }
            #expect(server.count(of: .tooManyCancels) == 0)
        }
    }

    /// A client cancels its calls when their deadlines pass, all at once if the server is late.
    @Test(arguments: Wire.controlled) func callsMayBeCancelledWhenTheyAreNotNew(over wire: Wire) async throws {
        try await wire.run({ $0.cancels = RateLimit(count: 2, window: .seconds(30)) }) { server, _, peer in
            var numbers: [Int] = []
            for _ in 0..<20 { numbers.append(try await peer.send(.hold)) }
            #expect(try await peer.call(Call("Echo")).error == nil)
            try await Task.sleep(for: .milliseconds(20))
            for number in numbers { try await peer.cancel(number) }
            try await eventually { server.count(of: .cancelReceived) == 20 }
            #expect(server.count(of: .tooManyCancels) == 0)
            #expect(try await peer.call(Call("Echo")).error == nil, "the connection continues")
        }
    }

    // MARK: The client leaves

    enum Leave: CaseIterable {
        case close, reset
    }

    @Test(arguments: Wire.all, Leave.allCases)
    func aConnectionThatEndsCancelsItsCalls(over wire: Wire, _ leave: Leave) async throws {
        // A page is made for a client that has closed its side: it may still read.
        guard wire != .pages || leave == .reset else { return }
        try await wire.run { server, methods, peer in
            try await peer.send(wire == .pages ? .hold : Call("OneThenHold"))
            await methods.hasWaiting.wait()
            switch leave {
            case .close: try await peer.socket.close()
            case .reset: try await peer.socket.reset()
            }
            await methods.hasCancelled.wait()
        }
    }

    /// By HTTP the end of its side is the only way in which a client without HTTP/2 cancels a call.
    @Test(arguments: Wire.all, [Call.hold, .count(3, method: "HoldThenCount")])
    func aClientThatClosesItsSideIsAnsweredOrItsCallIsCancelled(over wire: Wire, _ call: Call) async throws {
        guard wire != .pages || !call.isStream else { return }
        // A page is made for no longer than the linger.
        try await wire.run(closesWithServer: false, { $0.lingerTimeout = .seconds(60) }) { server, methods, peer in
            let number = try await peer.send(call)
            await methods.hasWaiting.wait()
            try await peer.socket.closeOutput()
            guard wire.answersAfterHalfClose else { return await methods.hasCancelled.wait() }
            // Every event loop has had a turn since, so the server has seen the end of the input.
            for _ in 0..<8 { #expect(try await wire.isServed(by: server)) }
            methods.holdsMayEnd()
            let answer = try await peer.answer(to: number)
            #expect((answer.isEnded, answer.error) == (true, nil))
            #expect(answer.messages.count == (call.isStream ? 3 : 1))
            try await peer.untilClosed()
        }
    }

    /// The server knows of every task that runs for it, also of those whose calls and connections are gone.
    @Test(arguments: Wire.calls) func workIsCountedUntilItStops(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            try await peer.send(Call("Stubborn"))
            try await eventually { server.runningTaskCount == 1 }
            try await peer.socket.reset()
            try await eventually { server.connectionCount == 0 }
            #expect(server.runningTaskCount == 1)
            methods.stubbornMayEnd()
            try await eventually { server.runningTaskCount == 0 }
        }
    }

    /// Before the end of a call nothing starts, and behind it the work is stopped.
    @Test(arguments: Wire.all) func aResetAtAnyByteLeavesNothing(over wire: Wire) async throws {
        try await wire.serve { server, methods in
            var (count, isWhole) = (0, false)
            while !isWhole {
                let peer = try await WirePeer.connect(wire, to: server)
                let bytes = try peer.encode(.hold).bytes
                isWhole = count == bytes.readableBytes
                if let part = bytes.getSlice(at: bytes.readerIndex, length: count) { try await peer.socket.send(part) }
                if isWhole { await methods.hasWaiting.wait() }
                try await peer.socket.reset()
                count += 1
            }
            await methods.hasCancelled.wait()
            try await eventually { server.connectionCount == 0 }
            #expect(methods.cancelledCount == 1)
        }
    }

    // MARK: The server stops

    @Test(arguments: Wire.all) func aServerThatStopsFinishesItsCalls(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            let number = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            server.stop()
            methods.holdsMayEnd()
            #expect(try await peer.answer(to: number).isMessage("late"))
            try await peer.untilClosed()
            #expect(peer.goAways.last == wire.drainReason)
            await server.run()
        }
    }

    /// By HTTP/2 a call on its way is still answered.
    @Test(arguments: [Wire.ttrpc, .framed]) func aServerThatStopsRefusesNewCalls(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            let number = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            server.stop()
            // The connection learns of it on its own event loop: calls that come before that are still answered.
            var answer = Answer()
            repeat { answer = try await peer.call(Call("Echo")) } while answer.isEnded && answer.error == nil
            #expect((answer.error?.code, answer.error?.reason) == (.unavailable, .draining))
            #expect(try await peer.call(Call("Echo")).error?.reason == .draining)
            methods.holdsMayEnd()
            #expect(try await peer.answer(to: number).isMessage("late"))
            try await peer.untilClosed()
            await server.run()
        }
    }

    @Test(arguments: Wire.calls, [Call.hold, Call("Stubborn"), .count(3, method: "HoldThenCount")])
    func aCallThatOutlivesTheDrainGetsAStatus(over wire: Wire, _ call: Call) async throws {
        try await wire.run({ $0.drainTimeout = .milliseconds(50) }) { server, _, peer in
            let number = try await peer.send(call)
            try await eventually { server.runningTaskCount == 1 }
            server.stop()
            let error = try await peer.answer(to: number).error
            #expect((error?.code, error?.reason) == (.unavailable, .draining))
            try await peer.untilClosed()
            await server.run()
        }
    }

    /// Its work may still use what the server closes at last.
    @Test func aServerThatStopsWaitsForTheWorkOfACancelledCall() async throws {
        try await Wire.framed.run({ $0.drainTimeout = .seconds(600) }) { server, methods, peer in
            try await peer.cancel(try await peer.send(Call("Stubborn")))
            #expect(try await peer.call(Call("Echo")).error == nil)
            server.stop()
            try await peer.untilGoAway()
            #expect(try await peer.call(Call("Echo")).error?.reason == .draining)
            methods.stubbornMayEnd()
            try await peer.untilClosed()
        }
    }

    @Test(arguments: Wire.endingWithoutRoom)
    func aStreamThatWaitsForItsReaderEndsWithItsPlaceWhenTheServerStops(over wire: Wire) async throws {
        // Longer than the test: the end of the drain would end it too.
        try await wire.run(credit: 1, { $0.drainTimeout = .seconds(600) }) { server, _, peer in
            let number = try await peer.send(.count(3))
            #expect(try await peer.message(of: number) != nil)
            // Answered behind the message, so the stream waits by now.
            #expect(try await peer.call(Call("Echo")).error == nil)
            server.stop()
            let error = try await peer.answer(to: number).error
            #expect((error?.code, error?.reason) == (.unavailable, .draining))
            #expect(error?.info?.metadata["number"] == "1")
            try await peer.untilClosed()
        }
    }

    @Test(arguments: Wire.endingWithoutRoom)
    func aStreamThatBeginsWhileTheServerStopsEndsWithItsPlace(over wire: Wire) async throws {
        try await wire.run(credit: 1) { server, methods, peer in
            let number = try await peer.send(.count(3, method: "HoldThenCount"))
            await methods.hasWaiting.wait()
            server.stop()
            methods.holdsMayEnd()
            let answer = try await peer.answer(to: number)
            #expect((answer.messages.count, answer.error?.reason) == (1, .draining))
            #expect(answer.error?.info?.metadata["number"] == "1")
            try await peer.untilClosed()
        }
    }

    @Test(arguments: Wire.all, [true, false])
    func aConnectionWithoutACallIsClosedWhenTheServerStops(over wire: Wire, _ hasCalled: Bool) async throws {
        try await wire.run { server, _, peer in
            if hasCalled { #expect(try await peer.call(Call("Echo")).error == nil) }
            try await eventually { server.connectionCount == 1 }
            server.stop()
            try await peer.untilClosed()
            await server.run()
            #expect(server.count(of: .frameTimeout) == 0)
        }
    }

    /// Its client cannot know that the server stops.
    @Test(arguments: Wire.all)
    func theFirstCallOfAConnectionIsAnsweredOrRefusedWhileTheServerStops(over wire: Wire) async throws {
        try await wire.run({ $0.drainQuietTime = .seconds(30) }) { server, _, peer in
            try await eventually { server.connectionCount == 1 }
            server.stop()
            let answer = try await peer.call(Call("Echo"))
            #expect(answer.isEnded || peer.goAways == ["DRAINING"])
            #expect(answer.error == nil || answer.error?.reason == .draining)
            try? await peer.socket.close()
        }
    }

    /// Whoever closes while the peer still sends answers with a reset, which can overtake the last answer.
    @Test(arguments: Wire.all) func theLastAnswerIsNotOvertakenByAReset(over wire: Wire) async throws {
        try await wire.run(closesWithServer: false, { $0.lingerTimeout = .seconds(60) }) { server, methods, peer in
            let number = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            server.stop()
            methods.holdsMayEnd()
            for _ in 0..<20 { try await peer.send(Call("Echo")) }
            #expect(try await peer.answer(to: number).isMessage("late"))
            for _ in 0..<20 { try await peer.send(Call("Echo")) }
            try await peer.untilClosed()
        }
    }

    /// It is closed after a time, or when it has sent too much.
    @Test(arguments: Wire.all, [0, 2_000_000])
    func aClientThatDoesNotCloseItsSideIsClosed(over wire: Wire, sending byteCount: Int) async throws {
        let linger: Duration = byteCount > 0 ? .seconds(600) : .milliseconds(50)
        try await wire.run(closesWithServer: false, { $0.lingerTimeout = linger }) { server, _, peer in
            #expect(try await peer.call(Call("Echo")).error == nil)
            server.stop()
            try await peer.untilClosed()
            peer.socket.post(ByteBuffer(repeating: 0, count: byteCount))
            await server.run()
        }
    }

    // MARK: Idleness and age

    @Test(arguments: Wire.all) func anIdleConnectionIsClosed(over wire: Wire) async throws {
        try await wire.run({ $0.idleTimeout = .milliseconds(50) }) { server, _, peer in
            // On a busy machine it may be closed before the call is on its way.
            _ = try? await peer.call(Call("Echo"))
            try await peer.untilClosed()
            #expect((server.count(of: .idleTimeout), server.count(of: .writeTimeout)) == (1, 0))
        }
    }

    @Test(arguments: Wire.calls) func aConnectionWithACallIsNotIdle(over wire: Wire) async throws {
        try await wire.serve({ $0.idleTimeout = .milliseconds(20) }) { server, methods in
            var answer = Answer()
            while !answer.isEnded {
                let peer = try await WirePeer.connect(wire, to: server)
                guard let number = try? await peer.send(Call("Hold", timeout: .milliseconds(200))) else { continue }
                answer = try await peer.answer(to: number)
                try await peer.untilClosed()
            }
            #expect(answer.error?.code == .deadlineExceeded)
        }
    }

    @Test(arguments: [Wire.connectHTTP1, .gRPC, .connectHTTP2])
    func anOldConnectionFinishesItsCallsAndCloses(over wire: Wire) async throws {
        try await wire.run({ $0.maximumConnectionAge = .milliseconds(100) }) { server, _, peer in
            let answer = try await peer.call(Call("Hold", timeout: .milliseconds(300)))
            #expect(answer.error?.code == .deadlineExceeded)
            try await peer.untilClosed()
            #expect(peer.goAways.last == (wire == .connectHTTP1 ? "close" : "max_age"))
        }
    }

    /// A client that may open the socket is trusted to be silent.
    @Test(arguments: Wire.calls) func aClientOfAUnixSocketMayBeIdleAndSilent(over wire: Wire) async throws {
        try await wire.run(over: .unix) {
            ($0.idleTimeout, $0.frameTimeout) = (.milliseconds(50), .milliseconds(50))
        } _: { server, _, peer in
            for text in ["silent", "idle"] {
                // Longer than either limit by a call that takes as long.
                let other = try await WirePeer.connect(wire, to: server)
                #expect(try await other.call(Call("Hold", timeout: .milliseconds(200))).error != nil)
                try await other.socket.close()
                #expect(try await peer.call(Call("Echo", ByteBuffer(string: text))).isMessage(text))
            }
        }
    }

    // MARK: Slow writers

    enum Beginning: CaseIterable {
        case nothing, firstByte, half, allButTheLast
    }

    @Test(arguments: Wire.all, Beginning.allCases)
    func aRequestThatDoesNotEndInTimeEndsItsConnection(over wire: Wire, _ beginning: Beginning) async throws {
        try await wire.run({ $0.frameTimeout = .milliseconds(100) }) { server, _, peer in
            var bytes = try peer.encode(Call("Echo", ByteBuffer(string: "abc"))).bytes
            let whole = bytes.readableBytes
            let counts: [Beginning: Int] = [.firstByte: 1, .half: whole / 2, .allButTheLast: whole - 1]
            // On a busy machine the time may be up before the bytes are on their way.
            if let count = counts[beginning], let part = bytes.readSlice(length: count) {
                try? await peer.socket.send(part)
            }
            try await peer.untilClosed()
            // A request whose headers have arrived may be answered.
            if beginning != .allButTheLast || wire == .pages { #expect(try await peer.answer(to: 0) == Answer()) }
            // The request in a frame that is not complete may be counted as well.
            #expect((1...2).contains(server.count(of: .frameTimeout)))
            // Others are served; on a busy machine, their time may be up too.
            while (try? await wire.isServed(by: server)) != true {}
        }
    }

    /// None is ever silent: what counts is when the request began.
    @Test(arguments: Wire.drivers) func manyPeersThatSendByteByByteAreClosedAndNobodyElse(over wire: Wire) async throws
    {
        // A connection has two ends here.
        let count = min(500, DescriptorLimit.raise() / 3)
        try await wire.serve({ $0.frameTimeout = .seconds(1) }) { server, _ in
            let good = try await WirePeer.connect(wire, to: server)
            #expect(try await good.call(Call("Echo")).error == nil)
            var slow: [RawSocket] = []
            for _ in 0..<count {
                let peer = try await WirePeer.connect(wire, to: server)
                var bytes = try peer.encode(Call("Echo")).bytes
                let second = try peer.encode(Call("Large", ByteBuffer(repeating: 1, count: 60_000))).bytes
                bytes.writeBytes(second.readableBytesView.prefix(1_000))
                // On a busy machine the time may be up before the bytes are on their way.
                try? await peer.socket.send(bytes)
                slow.append(peer.socket)
            }
            while server.count(of: .frameTimeout) < count {
                for socket in slow { socket.post(ByteBuffer(integer: UInt8(1))) }
                #expect(try await good.call(Call("Echo", ByteBuffer(string: "x"))).isMessage("x"))
            }
            for socket in slow { while await socket.next() != nil {} }
            #expect(server.count(of: .connectionAccepted) == count + 1, "the good one has kept its own")
            try await good.socket.close()
        }
    }

    // MARK: Slow readers

    /// The kernel has taken all of it, and nothing else is to be sent.
    @Test(arguments: Wire.all) func aPeerThatDoesNotReadItsAnswerIsClosed(over wire: Wire) async throws {
        try await wire.run(readingOnly: 4_096, { $0.writeTimeout = .milliseconds(300) }) { server, _, peer in
            try await peer.send(.sized(60_000))
            try await eventually { server.count(of: .writeTimeout) == 1 }
            try await eventually { server.connectionCount == 0 }
        }
    }

    /// Neither the kernel's own limit ends such a connection, nor the check whether the peer is alive.
    @Test(arguments: Wire.drivers, Wire.Socket.allCases)
    func aSlowReaderIsLeftAloneUntilItStops(over wire: Wire, _ socket: Wire.Socket) async throws {
        try await wire.run(over: socket, readingOnly: 4_096) {
            // Longer than a busy machine keeps the reader waiting.
            ($0.writeTimeout, $0.keepaliveTimeout) = (.milliseconds(1_500), .milliseconds(200))
        } _: { server, _, peer in
            try await peer.send(.endless)
            // Some 800 KB/s, for twice the time in which a peer that reads nothing is closed.
            let client = peer.socket
            let reading = client.channel.eventLoop.scheduleRepeatedTask(
                initialDelay: .zero,
                delay: .milliseconds(5)
            ) { _ in client.read() }
            try await Task.sleep(for: .seconds(3))
            #expect((server.count(of: .writeTimeout), server.connectionCount) == (0, 1))
            reading.cancel()
            try await eventually { server.connectionCount == 0 }
            #expect(server.count(of: .writeTimeout) == 1)
        }
    }

    /// The kernel has then taken a whole number of messages, or a piece of one.
    @Test(arguments: Wire.drivers) func aReaderMayStopAnywhere(over wire: Wire) async throws {
        try await wire.serve(over: .unix, { $0.writeTimeout = .milliseconds(500) }) { server, _ in
            var peers: [WirePeer] = []
            for count in 1...40 {
                let peer = try await WirePeer.connect(wire, to: server, readingOnly: 997 * count % 4_096 + 1)
                peers.append(peer)
                try await peer.send(.endless)
                for _ in 0..<count { peer.socket.read() }
            }
            try await eventually { server.count(of: .writeTimeout) == 40 }
            try await eventually { server.connectionCount == 0 }
            for peer in peers { try? await peer.socket.close() }
        }
    }

    /// TCP_USER_TIMEOUT would end it: the window of the socket is closed all the time.
    @Test(arguments: Wire.drivers) func aPauseOfAReaderIsNotAnEnd(over wire: Wire) async throws {
        try await wire.run(readingOnly: 4_096, { $0.keepaliveTimeout = .milliseconds(100) }) { server, _, peer in
            try await peer.send(.endless)
            try await eventually { server.unsentByteCount > 0 }
            // The kernel probes twice in this time.
            try await Task.sleep(for: .milliseconds(900))
            #expect(server.connectionCount == 1)
            try await peer.socket.reset()
        }
    }

    /// Its calls are held, or it would be sent more and more.
    @Test(arguments: Wire.drivers, Wire.Socket.allCases)
    func aPeerThatSendsAndDoesNotReadIsClosed(over wire: Wire, _ socket: Wire.Socket) async throws {
        try await wire.run(over: socket, readingOnly: 4_096) {
            $0.writeTimeout = .milliseconds(200)
        } _: { server, _, peer in
            try await peer.send(.endless)
            while server.count(of: .writeTimeout) == 0 {
                // Each is a call, which is not answered before the stream.
                if let bytes = try? peer.encode(Call("Echo")).bytes { peer.socket.post(bytes) }
                try await Task.sleep(for: .milliseconds(5))
            }
            try await eventually { server.connectionCount == 0 }
        }
    }

    /// Requests are held once nothing more can be sent. The Cancel comes behind them.
    @Test func aPeerThatDoesNotReadIsStillObeyed() async throws {
        try await Wire.framed.run(readingOnly: 4_096) { server, methods, peer in
            let waiting = try await peer.send(.hold)
            await methods.hasWaiting.wait()
            // 20 MB, more than the buffers of two sockets.
            try await peer.send(.count(400, size: 50_000))
            while server.count(of: .frameHeld) == 0 {
                try await peer.send(Call("Echo"))
                try await Task.sleep(for: .milliseconds(1))
            }
            try await peer.cancel(waiting)
            await methods.hasCancelled.wait()
            try await peer.socket.reset()
        }
    }

    /// Two sides that both write and do not read come free again as soon as one of them reads. By HTTP/2 the client waits for
    /// the server's windows first.
    @Test(arguments: [Wire.framed, .connectHTTP1]) func bothSidesMayWriteAtOnce(over wire: Wire) async throws {
        try await wire.run(readingOnly: 4_096) { server, _, peer in
            let request = ByteBuffer(repeating: 1, count: 60_000)
            for _ in 0..<100 { peer.socket.post(try peer.encode(Call("Echo", request)).bytes) }
            try await eventually { server.unsentByteCount > 0 }
            try await peer.socket.startReading()
            for number in 0..<100 { #expect(try await peer.answer(to: number) == Answer([request])) }
        }
    }

    /// The limit of unsent bytes is for each connection, not for each stream.
    @Test(arguments: Wire.drivers, [1_000, 65_536])
    func unreadStreamsAreBoundedAndClosed(over wire: Wire, sending byteCount: Int) async throws {
        let connections = 4
        try await wire.serve({ $0.writeTimeout = .milliseconds(500) }) { server, _ in
            var peers: [WirePeer] = []
            for _ in 0..<connections {
                let peer = try await WirePeer.connect(wire, to: server, readingOnly: 4_096)
                for _ in 0..<125 { peer.socket.post(try peer.encode(.count(0xFFFF, size: byteCount)).bytes) }
                peers.append(peer)
            }
            var highest = 0
            try await eventually {
                highest = max(highest, server.unsentByteCount)
                return server.count(of: .writeTimeout) == connections
            }
            // The bytes that may wait here and in the kernel, and in each a write that was made while there was room.
            #expect(highest <= connections * 5 * PeerLimits().maximumUnsentBytes, "\(highest)")
            #expect(server.count(of: .streamLimit) == 0)
            try await eventually { server.connectionCount == 0 }
            #expect(try await wire.isServed(by: server))
        }
    }

    // MARK: Credit

    @Test(arguments: Wire.controlled) func aStreamSendsWhatItsReaderHasRoomFor(over wire: Wire) async throws {
        try await wire.run(credit: 1) { _, _, peer in
            let number = try await peer.send(.count(0xFFFF))
            #expect(try await peer.message(of: number) != nil)
            try await peer.grant(2, to: number)
            for _ in 0..<2 { #expect(try await peer.message(of: number) != nil) }
            // Whatever else the stream had sent would be here before this answer.
            #expect(try await peer.call(Call("Echo")).error == nil, "other calls continue")
            try await peer.cancel(number)
            #expect(try await peer.call(Call("Echo")).error == nil)
            #expect(peer.receivedCount(of: number) == 3)
        }
    }

    /// The end says from where to continue.
    @Test(arguments: Wire.endingWithoutRoom)
    func streamsWhoseReaderHasNoRoomForTooLongEndWithTheirPlaces(over wire: Wire) async throws {
        try await wire.run(credit: 1, { $0.creditTimeout = .milliseconds(100) }) { server, _, peer in
            var numbers: [Int] = []
            for _ in 0..<20 { numbers.append(try await peer.send(.count(3))) }
            for number in numbers {
                let answer = try await peer.answer(to: number)
                #expect((answer.byteCounts, answer.error?.code) == ([1_000], .resourceExhausted))
                #expect(answer.error?.reason == .creditTimeout)
                #expect(answer.error?.info?.metadata["number"] == "1")
            }
            #expect(server.count(of: .creditTimeout) == 20)
            try await eventually { server.unsentByteCount == 0 }
        }
    }

    // MARK: Memory

    @Test(arguments: Wire.all) func unsentBytesAreCountedUntilTheirConnectionEnds(over wire: Wire) async throws {
        try await wire.run(readingOnly: 4_096) { server, _, peer in
            try await peer.send(.sized(3_000_000))
            try await eventually { server.unsentByteCount > 2_000_000 }
            try await peer.socket.reset()
            try await eventually { server.unsentByteCount == 0 }
        }
    }

    /// The modest caller has one connection, for which more waits than for any of the greedy one (W27 of the faults that are
    /// provided for).
    @Test(arguments: Wire.drivers) func theCallerWithTheMostUnsentBytesLosesAConnectionFirst(
        over wire: Wire
    ) async throws {
        // The modest one, the good one, and then the greedy one.
        let left = Mutex<Range<UInt32>>(1..<3)
        let callers = Callers { _ in .address(.ipv4(left.withLock { $0.popFirst() } ?? 3)) }
        let methods = TestMethods()
        let configuration = ServerConfiguration.with {
            $0.quotas.anonymous = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        }
        try await TestServer.run(methods, configuration, wires: [wire.serverWire(methods)], callers: callers) {
            server in
            func hoarder(_ byteCount: Int) async throws -> WirePeer {
                let (peer, before) = (
                    try await WirePeer.connect(wire, to: server, readingOnly: 4_096), server.unsentByteCount
                )
                try await peer.send(.sized(byteCount))
                try await eventually { server.unsentByteCount > before + byteCount - 100_000 }
                return peer
            }
            let modest = try await hoarder(3_000_000)
            let good = try await WirePeer.connect(wire, to: server)
            #expect(try await good.call(Call("Echo")).error == nil)
            var greedy: [WirePeer] = []
            for _ in 0..<4 { greedy.append(try await hoarder(1_500_000)) }

            var configuration = server.configuration
            configuration.maximumTotalUnsentBytes = server.unsentByteCount + 500_000
            server.apply(configuration)
            let last = try await WirePeer.connect(wire, to: server, readingOnly: 4_096)
            try await last.send(.sized(1_500_000))
            try await eventually { server.count(of: .memoryLimit) > 0 }

            #expect(try await good.call(Call("Echo")).error == nil)
            try await modest.socket.startReading()
            #expect(try await modest.answer(to: 0).byteCounts == [3_000_000])
            for peer in greedy + [last] { try? await peer.socket.reset() }
            for peer in [modest, good] { try await peer.socket.close() }
        }
    }

    @Test(arguments: Wire.calls) func anUnfinishedRequestIsCountedUntilItsConnectionEnds(over wire: Wire) async throws {
        try await wire.run { server, _, peer in
            _ = try await peer.begin(Call("Large", ByteBuffer(repeating: 1, count: 60_000)))
            try await eventually { server.inboundByteCount >= 59_000 }
            #expect(server.inboundByteCount <= 2 * 65_536)
            try await peer.socket.close()
            try await eventually { server.inboundByteCount == 0 }
        }
    }

    @Test func aRequestIsCountedUntilItsWorkEnds() async throws {
        try await Wire.framed.run { server, methods, peer in
            let number = try await peer.send(Call("Hold", ByteBuffer(repeating: 1, count: 60_000)))
            await methods.hasWaiting.wait()
            #expect(server.inboundByteCount >= 60_000)
            methods.holdsMayEnd()
            #expect(try await peer.answer(to: number).byteCounts == [60_000])
            try await eventually { server.inboundByteCount == 0 }
        }
    }

    /// The storage counts. That of the first request, and of its last frame over HTTP/2, is 64 to 80 KiB; the second
    /// has 32 to 48 KiB.
    @Test(arguments: Wire.calls)
    func theConnectionWithTheMostUnfinishedRequestsIsClosedFirst(over wire: Wire) async throws {
        try await wire.run({ $0.maximumTotalInboundBytes = 90_000 }) { server, _, modest in
            let greedy = try await WirePeer.connect(wire, to: server)
            _ = try await greedy.begin(Call("Large", ByteBuffer(repeating: 1, count: 60_000)))
            try await eventually { server.inboundByteCount >= 59_000 }
            let (number, rest) = try await modest.begin(Call("Large", ByteBuffer(repeating: 1, count: 30_000)))
            try await greedy.untilClosed()
            #expect(server.count(of: .memoryLimit) == 1)
            try await modest.complete(rest)
            #expect(try await modest.answer(to: number).byteCounts == [4])
        }
    }

    // MARK: Limits

    @Test(arguments: Wire.multiplexed)
    func theCallAboveTheLimitIsRefusedAndTheOthersContinue(over wire: Wire) async throws {
        try await wire.run { server, methods, peer in
            for _ in 0..<PeerLimits().maximumStreams { try await peer.send(.hold) }
            let error = try #require(try await peer.call(Call("Echo")).error)
            // By HTTP/2 the stream is refused before it is a call.
            if error.code == .resourceExhausted { #expect(error.reason == .streamLimit && error.retryDelay != nil) }
            #expect(server.count(of: .streamLimit) == 1)
            methods.holdsMayEnd()
            for number in 0..<PeerLimits().maximumStreams {
                #expect(try await peer.answer(to: number).isMessage("late"))
            }
            while try await peer.call(Call("Echo")).error != nil {}
        }
    }

    @Test(arguments: Wire.calls, [(64, 1, true), (65, 1, false), (1, 8_188, true), (1, 8_189, false)])
    func metadataHasALimit(over wire: Wire, _ size: (pairs: Int, bytes: Int, isAccepted: Bool)) async throws {
        try await wire.run { server, _, peer in
            let metadata = (0..<size.pairs).map { ("x-\(10 + $0)", String(repeating: "v", count: size.bytes)) }
            let error = try await peer.call(Call("Echo", ByteBuffer(bytes: [1]), metadata)).error
            #expect(server.count(of: .malformedRequest) == (size.isAccepted ? 0 : 1))
            #expect(try await peer.call(Call("Echo")).error == nil, "the connection continues")
            guard !size.isAccepted else { return #expect(error == nil) }
            #expect((error?.code, error?.reason) == (.resourceExhausted, .metadataTooLarge))
            let text = "metadata has \(size.pairs) pairs and \(size.pairs * (4 + size.bytes)) bytes"
            #expect(error?.message == "\(text), maximum is 64 pairs and 8192 bytes")
            #expect(error?.info?.metadata["pairs"] == "\(size.pairs)")
        }
    }

    @Test(arguments: Wire.calls) func aConnectionOnWhichAllCallsAreRefusedIsEnded(over wire: Wire) async throws {
        try await wire.run { server, _, peer in
            var count = 0
            while count < 1_000, let number = try? await peer.send(Call("Nothing")) {
                let answer = try await peer.answer(to: number)
                guard answer.isEnded else { break }
                #expect(answer.error?.code == .unimplemented)
                count += 1
            }
            #expect(count == CallerLimits.rejections.count + 1)
            try await peer.untilClosed()
            #expect(server.count(of: .tooManyRejections) == 1)
            if Wire.controlled.contains(wire) { #expect(peer.goAways.last == "TOO_MANY_REJECTIONS") }
        }
    }

    // MARK: Anything else

    /// At once, or when the time of a request is up.
    @Test(arguments: [Wire.framed, .gRPC, .pages]) func randomBytesLeaveNothing(over wire: Wire) async throws {
        try await wire.serve {
            ($0.frameTimeout, $0.idleTimeout) = (.milliseconds(50), .milliseconds(50))
        } _: { server, _ in
            var random = SystemRandomNumberGenerator()
            var peers: [RawSocket] = []
            for number in 0..<100 {
                var bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255) }
                // Every other one gets past the first look.
                if number.isMultiple(of: 2) { bytes[0] = wire == .framed ? 0 : 0x50 }
                let socket = try await RawSocket.connect(to: server.addresses[0])
                try? await socket.send(ByteBuffer(bytes: bytes))
                peers.append(socket)
            }
            for peer in peers { while await peer.next() != nil {} }
            try await eventually { server.connectionCount == 0 }
        }
    }
}
