import CompactEncoding
import HyperswarmTestKit
import NIOCore
import NIOPosix
import Testing

@testable import UDX

/// Random and mutated bytes at every decoder and at the datagram entry point.
@Suite struct FuzzTests {
    static let count = Fuzz.inputCount(30_000)

    static func packets() throws -> [[UInt8]] {
        let scripted = try Vectors.load("udx", as: ScriptedExchanges.self).scenarios.flatMap(\.log).compactMap(\.hex)
            .filter { $0.hasPrefix("ff01") && !$0.contains(".") }
        return scripted.map(Hex.bytes)
    }

    /// A mutated packet, often with another type or another sequence number.
    static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = Fuzz.input([bytes], &random)
        if bytes.count >= 20, random.isTrue(probability: 0.3) { bytes[2] = UInt8.random(in: 0...63, using: &random) }
        if bytes.count >= 20, random.isTrue(probability: 0.3) { bytes[12] = UInt8.random(in: 0...40, using: &random) }
        return bytes
    }

    @Test func headersAndRangesDecodeOrAreRefused() throws {
        var random = SplitMix64(1)
        for _ in 0..<(Self.count / 3) {
            let bytes = Fuzz.bytes(Int.random(in: 0...64, using: &random), &random)
            bytes.withUnsafeBytes { bytes in
                _ = PacketHeader(bytes)
                let first = PacketNumber.random(in: 0...1_000_000, using: &random)
                let sent = first..<(first + .random(in: 0...5000, using: &random))
                SelectiveAcknowledgement.forEachRange(in: bytes, sent: sent) { range in
                    if range.isEmpty || !sent.contains(range.lowerBound) || range.upperBound > sent.upperBound {
                        Issue.record("range outside of what was sent")
                    }
                }
            }
        }
    }

    @Test func streamSurvivesMutatedPacketsWithBoundedMemory() throws {
        let packets = try Self.packets()
        var random = SplitMix64(2)
        var state = StreamState()
        var now = NIODeadline.uptimeNanoseconds(1)
        for round in 0..<(Self.count / 3) {
            if state.closure != nil || round % 500 == 0 {
                state = StreamState()
                if random.isTrue(probability: 0.8) { state.connect(remoteID: 9, at: now) }
                state.write(ByteBuffer(repeating: 3, count: Int.random(in: 0...50_000, using: &random)))
                if random.isTrue(probability: 0.3) { state.finish() }
            }
            let packet = packets[Int.random(in: 0..<packets.count, using: &random)]
            let input = random.isTrue(probability: 0.2) ? packet : Self.mutate(packet, &random)
            _ = state.datagrams(at: now)
            state.receive(input, at: now)
            let answers = state.datagrams(at: now)
            let isMalformed = input.count < 20 || input[0] != 0xff || input[1] != 1 || Int(input[3]) > input.count - 20
            if isMalformed, !answers.isEmpty { Issue.record("answer to a malformed packet") }
            now = now + .nanoseconds(.random(in: 0...2_000_000_000, using: &random))
            if let deadline = state.deadline, deadline <= now { state.handleTimer(at: now) }
            _ = state.datagrams(at: now)
            if random.isTrue(probability: 0.1) { _ = state.read() }
            if state.retainedBytes > 6 * 1024 * 1024 { Issue.record("unbounded memory") }
        }
    }

    /// Garbage at a real socket: no answer to it, and the streams of the socket go on.
    @Test(.timeLimit(.minutes(1))) func socketNeverAnswersGarbage() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        let any = try #require(PeerAddress("127.0.0.1:0"))
        let stranger = try await DatagramSocket.bind(to: any, streams: StreamTable(eventLoop: network.tables[0].eventLoop))
        let answers = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: stranger.eventLoop)
        await stranger.setHandlers(onMessage: { _, _ in answers.value += 1 }, onProbe: { _ in answers.value += 1 })
        let packets = try Self.packets()
        let target = network.sockets[1]
        try await target.eventLoop.submit {
            var random = SplitMix64(3)
            target.onEventLoop { socket in
                for _ in 0..<(Self.count / 3) {
                    let bytes = Self.mutate(packets[Int.random(in: 0..<packets.count, using: &random)], &random)
                    let segment = random.isTrue(probability: 0.3) ? Int.random(in: 0...40, using: &random) : nil
                    socket.receive(ByteBuffer(bytes: bytes), segmentSize: segment, from: stranger.local)
                }
                socket.didReadAll()
            }
        }.get()
        try await first.write(ByteBuffer(string: "still here"))
        #expect(try await second.read() == ByteBuffer(string: "still here"))
        #expect(try await stranger.eventLoop.submit { answers.value }.get() == 0)
        #expect(await network.tables[1].count == 1)
        await stranger.close()
        await network.close()
    }
}
