import HyperswarmTestKit
import NIOCore
import Testing

@testable import UDX

/// The exchanges of `udx.json`, recorded from the reference implementation: its datagrams in, ours compared with its.
@Suite struct ScriptedExchangeTests {
    static let localID: UInt32 = 0x0a0b_0c0d
    static let remoteID: UInt32 = 0x0102_0304

    /// A stream in the place of the recorded one.
    struct Replay {
        var state = StreamState()
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var sent: [String] = []
        var delivered: [String] = []
        var messages: [String] = []
        var ended = false

        init() { state.connect(remoteID: ScriptedExchangeTests.remoteID, at: now) }

        /// Reads as the recorded application did: packet by packet, at once.
        mutating func turn() {
            let bytes = state.read()
            if bytes.readableBytes > 0 { delivered.append(Hex.text(bytes.readableBytesView)) }
            while let message = state.readMessage() { messages.append(Hex.text(message.readableBytesView)) }
            if state.isReceiveComplete { ended = true }
            sent += state.datagrams(at: now).map { Hex.text($0) }
        }

        mutating func receive(_ hex: String) {
            state.receive(Hex.bytes(hex), at: now)
            turn()
        }

        /// Lets time pass, handling each deadline.
        mutating func pass(_ time: TimeAmount) {
            let end = now + time
            while let deadline = state.deadline, deadline <= end, state.closure == nil {
                now = max(now, deadline)
                state.handleTimer(at: now)
                turn()
            }
            now = end
        }
    }

    static func scenario(_ name: String) throws -> ScriptedExchanges.Scenario {
        let file = try Vectors.load("udx", as: ScriptedExchanges.self)
        return try #require(file.scenarios.first { $0.name == name })
    }

    static func datagrams(_ scenario: ScriptedExchanges.Scenario, _ direction: String) -> [String] {
        scenario.log.filter { $0.dir == direction }.compactMap(\.hex)
    }

    static func events(_ scenario: ScriptedExchanges.Scenario, _ event: String) -> [String] {
        scenario.log.filter { $0.ev == event }.map { $0.hex ?? "" }
    }

    /// Scenarios in which the stream only answers, and is destroyed by its application in the end.
    @Test(arguments: [
        "in-order data is acked immediately, one ack per packet", "gaps produce SACK ranges [start,end)",
        "duplicate data is acked again and not redelivered", "heartbeat is answered with a plain ack",
        "data offset skips padding", "peer END first", "DATA and END combined in one packet", "local destroy",
    ])
    func answersAsTheReferenceDoes(_ name: String) throws {
        let scenario = try Self.scenario(name)
        var replay = Replay()
        for datagram in Self.datagrams(scenario, "peer->udx") { replay.receive(datagram) }
        replay.state.destroy(at: replay.now)
        replay.turn()
        #expect(replay.sent == Self.datagrams(scenario, "udx->peer"))
        #expect(replay.delivered.joined() == Self.events(scenario, "stream data").joined())
        #expect(replay.ended == !Self.events(scenario, "stream end").isEmpty)
        #expect(replay.state.closure == .destroyed)
    }

    @Test func unorderedMessagesTravelBothWays() throws {
        let scenario = try Self.scenario("unordered message")
        var replay = Replay()
        for datagram in Self.datagrams(scenario, "peer->udx") { replay.receive(datagram) }
        let isSent = replay.state.sendMessage(ByteBuffer(string: "out"))
        #expect(isSent)
        replay.turn()
        replay.state.destroy(at: replay.now)
        replay.turn()
        #expect(replay.messages == Self.events(scenario, "stream message"))
        #expect(replay.sent == Self.datagrams(scenario, "udx->peer"))
    }

    @Test func writesAreSentAndAcknowledged() throws {
        let scenario = try Self.scenario("write, peer acks")
        let acknowledgements = Self.datagrams(scenario, "peer->udx")
        var replay = Replay()
        for (index, text) in ["hello", "world"].enumerated() {
            replay.state.write(ByteBuffer(string: text))
            replay.turn()
            replay.receive(acknowledgements[index])
            #expect(replay.state.bytesInFlight == 0)
        }
        replay.state.destroy(at: replay.now)
        replay.turn()
        #expect(replay.sent == Self.datagrams(scenario, "udx->peer"))
    }

    @Test func unacknowledgedPacketIsRepeatedUnchanged() throws {
        let scenario = try Self.scenario("no ack: tail-loss probe / RTO retransmission timing")
        var replay = Replay()
        replay.state.write(ByteBuffer(string: "lost"))
        replay.turn()
        replay.pass(.seconds(4))
        replay.state.destroy(at: replay.now)
        replay.turn()
        #expect(replay.sent == Self.datagrams(scenario, "udx->peer"))
    }

    /// The schedule measured at the reference implementation: sent at 0, 1, 3, 5, 7, 9 and 11 s, given up at 13 s.
    @Test func retransmissionScheduleIsThatOfTheReference() {
        var state = StreamState()
        let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
        state.connect(remoteID: 1, at: start)
        state.write(ByteBuffer(string: "x"))
        var times: [Int64] = state.datagrams(at: start).map { _ in 0 }
        while let deadline = state.deadline {
            state.handleTimer(at: deadline)
            if state.closure != nil {
                #expect(deadline - start == .seconds(13))
                break
            }
            times += state.datagrams(at: deadline).map { _ in (deadline - start).nanoseconds / 1_000_000 }
        }
        #expect(times == [0, 1000, 3000, 5000, 7000, 9000, 11000])
        #expect(state.closure == .timedOut)
    }

    /// The recording has one acknowledgement more, of its state before the peer's END arrived.
    @Test func cleanEndOfBothSidesFinishesAndLingers() throws {
        let scenario = try Self.scenario("clean end both sides")
        var replay = Replay()
        replay.state.write(ByteBuffer(string: "bye"))
        replay.state.finish()
        replay.turn()
        let answers = Self.datagrams(scenario, "peer->udx")
        for datagram in answers { replay.receive(datagram) }
        let expected = Self.datagrams(scenario, "udx->peer")
        #expect(replay.sent == [expected[0], expected[2]])
        #expect(replay.ended)
        #expect(replay.state.closure == .finished)

        // The peer did not get the last acknowledgement and repeats its END.
        replay.receive(answers[1])
        #expect(replay.sent == [expected[0], expected[2], expected[2]])
        #expect(!replay.state.isGone(at: replay.now))
        #expect(replay.state.isGone(at: replay.now + .seconds(5)))

        // Its owner destroys what is over, and the peer repeats its END again.
        replay.state.destroy(at: replay.now)
        replay.receive(answers[1])
        #expect(replay.sent.count == 4)
        #expect(!replay.state.isGone(at: replay.now))
        // The node ends: nobody will answer any more.
        replay.state.leave(at: replay.now)
        replay.turn()
        #expect(replay.sent == [expected[0]] + Array(repeating: expected[2], count: 6))
        #expect(replay.state.isGone(at: replay.now))
    }

    @Test func destroyedStreamTellsAPeerThatGoesOn() throws {
        let data = try #require(Self.datagrams(Self.scenario("zero receive window"), "peer->udx").first)
        var replay = Replay()
        replay.state.destroy(at: replay.now)
        replay.turn()
        let destruction = try #require(replay.sent.first)
        #expect(Hex.bytes(destruction)[2] == PacketType.destroy.rawValue)
        // The peer missed it.
        replay.receive(data)
        replay.receive(data)
        #expect(replay.sent == Array(repeating: destruction, count: 3))
        // Two streams that were destroyed do not talk to each other for ever.
        var echo = Hex.bytes(data)
        echo[2] = PacketType.destroy.rawValue
        replay.receive(Hex.text(echo))
        #expect(replay.sent.count == 3)
        #expect(replay.state.isGone(at: replay.now + .seconds(5)))
    }

    @Test func destroyByThePeerIsAReset() throws {
        let scenario = try Self.scenario("remote destroy")
        var replay = Replay()
        for datagram in Self.datagrams(scenario, "peer->udx") { replay.receive(datagram) }
        #expect(replay.state.closure == .reset)
        #expect(replay.sent.isEmpty)
    }

    @Test func closedWindowIsProbed() throws {
        let scenario = try Self.scenario("zero receive window")
        let incoming = Self.datagrams(scenario, "peer->udx")
        var replay = Replay()
        replay.receive(incoming[0])
        replay.state.write(ByteBuffer(string: "waiting"))
        replay.turn()
        #expect(replay.sent.isEmpty)
        replay.pass(.milliseconds(1100))
        replay.receive(incoming[1])
        replay.state.destroy(at: replay.now)
        replay.turn()
        #expect(replay.sent == Self.datagrams(scenario, "udx->peer"))
    }

    /// The recording's first packet was cut before its remote was known, at 1132 bytes; ours has the usual 1152.
    @Test func bulkDataFillsPacketsOfTheBaseSize() throws {
        let scenario = try Self.scenario("mtu probes (padding signalled with data offset) during bulk send")
        let summary = try #require(scenario.summary)
        let total = summary.datagramSizesInOrder.dropLast().reduce(0) { $0 + $1 - PacketHeader.size }
        var replay = Replay()
        replay.state.write(ByteBuffer(repeating: 1, count: total))
        replay.turn()
        while replay.state.unsentBytes > 0 || replay.state.bytesInFlight > 0 {
            replay.pass(.milliseconds(1))
            var buffer = ByteBuffer()
            PacketHeader(
                type: [], streamID: Self.localID, window: 4_194_304, sequence: 0, acknowledged: UInt32(replay.sent.count)
            ).encode(into: &buffer)
            replay.receive(Hex.text(buffer.readableBytesView))
        }
        let sizes = replay.sent.map { $0.utf8.count / 2 }
        let padding = replay.sent.map { Int(Hex.bytes($0)[3]) }
        #expect(zip(sizes, padding).reduce(0) { $0 + $1.0 - $1.1 - PacketHeader.size } == total)
        #expect(sizes.prefix(10).allSatisfy { $0 == 1172 })
        #expect(sizes.allSatisfy { $0 <= 1472 })
    }
}
