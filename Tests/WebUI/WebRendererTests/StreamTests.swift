import Foundation
import TestKit
import Testing

@testable import WebRenderer

/// The frames and rules of binary streams, without a socket.
@Suite(.seeded) struct StreamTests {
    // MARK: Frames

    @Test(arguments: StreamFrame.Kind.allCases)
    func framesAreReadAsWritten(_ kind: StreamFrame.Kind) {
        let frame = StreamFrame(
            kind, stream: 0x0102_0304, sequence: .max, payload: kind == .data ? Data([1, 2, 3]) : Data())
        #expect(StreamFrame(frame.bytes) == frame)
        #expect(Array(frame.bytes.prefix(12)) == [kind.rawValue, 0, 0, 0, 1, 2, 3, 4, 255, 255, 255, 255])
    }

    @Test(
        arguments: [
            [], [1], [UInt8](repeating: 0, count: 11),
            // No kind, an unknown one, a reserved byte, stream 0, no payload, a payload where none belongs.
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], [6, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            [1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 32_769),
        ] as [[UInt8]])
    func invalidFramesAreRefused(_ bytes: [UInt8]) { #expect(StreamFrame(Data(bytes)) == nil) }

    @Test func anyBytesAreReadOrRefused() async throws {
        let corpus = StreamFrame.Kind.allCases.map {
            StreamFrame($0, stream: 1, sequence: 2, payload: $0 == .data ? Data("samples".utf8) : Data()).bytes
        }
        try await fuzz(corpus, count: Effort.count(20_000, soak: 200_000)) { input in
            // A slice, whose indices do not begin at 0, reads the same.
            let slice = (Data([9]) + input).dropFirst()
            try #require(StreamFrame(slice) == StreamFrame(input))
            if let frame = StreamFrame(input) { try #require(frame.bytes == input) }
        }
    }

    // MARK: One direction

    /// One direction of a stream between two ends, and a connection that can be cut.
    private struct Direction {
        var sender: StreamSender
        var receiver: StreamReceiver
        /// Frames on their way.
        var down: [StreamFrame] = []
        var up: [StreamFrame] = []
        var writtenCount = 0
        var taken: [Data] = []
        var missingCount = 0
        var hasEnded = false

        init(_ delivery: StreamDelivery, window: Int = 65_536) {
            sender = StreamSender(delivery: delivery, window: window)
            receiver = StreamReceiver(delivery: delivery, window: window)
        }

        static func chunk(_ number: Int) -> Data {
            Data("\(number) ".utf8) + Data(repeating: UInt8(number & 255), count: number % 700)
        }

        mutating func write() -> Bool {
            guard sender.append(Self.chunk(writtenCount)) else { return false }
            writtenCount += 1
            return true
        }

        /// Puts everything that is due on its way.
        mutating func transmit() {
            while let frame = sender.nextFrame(of: 1) { down.append(frame) }
            if let sequence = receiver.acknowledgement() { up.append(StreamFrame(.acknowledge, stream: 1, sequence: sequence)) }
        }

        /// Delivers the oldest frame of each way.
        ///
        /// - Returns: True if there was one.
        mutating func deliver() throws -> Bool {
            guard !down.isEmpty || !up.isEmpty else { return false }
            if !down.isEmpty {
                let frame = down.removeFirst()
                let isValid = receiver.receive(frame.kind == .data ? frame.payload : nil, sequence: frame.sequence)
                try #require(isValid)
            }
            if !up.isEmpty {
                let frame = up.removeFirst()
                let isValid =
                    frame.kind == .resume ? sender.resume(from: frame.sequence) : sender.acknowledge(below: frame.sequence)
                try #require(isValid)
            }
            return true
        }

        mutating func take() {
            switch receiver.take() {
            case .chunk(let chunk):
                missingCount += chunk.missingCount
                taken.append(chunk.bytes)
            case .end: hasEnded = true
            case nil: break
            }
        }

        mutating func cut() {
            (down, up) = ([], [])
            sender.disconnect()
        }

        mutating func reconnect() {
            up.append(StreamFrame(.resume, stream: 1, sequence: receiver.arrivedSequence))
            receiver.reconnect()
        }

        /// Lets everything arrive and be read.
        mutating func drain() throws {
            repeat {
                let state = (taken.count, hasEnded)
                take()
                transmit()
                let isNews = try deliver()
                if !isNews, state == (taken.count, hasEnded) { return }
            } while true
        }
    }

    /// Writes, deliveries, reads and cuts in a random order.
    private func shake(_ direction: inout Direction, steps: Int, _ generator: inout SeededGenerator) throws {
        for _ in 0..<steps {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                direction.cut()
                // A live stream accepts items that will never be delivered.
                for _ in 0..<Int.random(in: 0..<3, using: &generator) { _ = direction.write() }
                direction.reconnect()
            case 1...8: _ = direction.write()
            case 9...13: direction.take()
            default:
                direction.transmit()
                _ = try direction.deliver()
            }
        }
    }

    @Test(arguments: 0..<50)
    func reliableStreamsSurviveCuts(_ number: Int) throws {
        var generator = SeededGenerator(seed: Seed.current, number: number)
        var direction = Direction(.reliable)
        try shake(&direction, steps: 1_000, &generator)
        direction.sender.end()
        try direction.drain()
        #expect(direction.taken == (0..<direction.writtenCount).map(Direction.chunk))
        #expect(direction.hasEnded && direction.missingCount == 0)
        try direction.drain()
        #expect(direction.sender.isComplete && direction.receiver.isComplete)
    }

    @Test(arguments: 0..<50)
    func liveStreamsCountLostItems(_ number: Int) throws {
        var generator = SeededGenerator(seed: Seed.current, number: 1_000 + number)
        var direction = Direction(.live)
        try shake(&direction, steps: 1_000, &generator)
        // A lost last item is noticed with the next chunk.
        try direction.drain()
        let isWritten = direction.write()
        #expect(isWritten)
        try direction.drain()
        direction.sender.end()
        direction.cut()
        direction.reconnect()
        try direction.drain()
        #expect(direction.taken.count + direction.missingCount == direction.writtenCount)
        // In order, and none twice.
        let numbers = direction.taken.map { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) ?? -1 }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(direction.hasEnded)
    }

    @Test func writesWaitForTheReader() throws {
        var direction = Direction(.reliable)
        while direction.write() {}
        let count = direction.writtenCount
        direction.transmit()
        while try direction.deliver() {}
        let isWritten = direction.write()
        #expect(!isWritten)
        // A quarter of the window makes an acknowledgement.
        for _ in 0..<count / 2 { direction.take() }
        direction.transmit()
        _ = try direction.deliver()
        let isWrittenAfterwards = direction.write()
        #expect(isWrittenAfterwards)
    }

    @Test func oneByteChunksAreBoundedInNumber() {
        var receiver = StreamReceiver(delivery: .live, window: 65_536)
        let count = (0..<1_000).prefix { receiver.receive(Data([0]), sequence: UInt32($0)) }.count
        #expect(count == 65_536 / 257)
    }

    @Test func readersRefuseInvalidFrames() {
        var receiver = StreamReceiver(delivery: .reliable, window: 65_536)
        let answers = [
            // A gap, the first chunk, the same again, the end, a chunk after the end.
            receiver.receive(Data([1]), sequence: 1), receiver.receive(Data([1]), sequence: 0),
            receiver.receive(Data([1]), sequence: 0), receiver.receive(nil, sequence: 1), receiver.receive(Data([1]), sequence: 2),
        ]
        #expect(answers == [false, true, true, true, false])
        var live = StreamReceiver(delivery: .live, window: 65_536)
        let liveAnswers = [
            // The last number, the one before it, an earlier one.
            live.receive(Data([1]), sequence: .max), live.receive(Data([1]), sequence: .max - 1),
            live.receive(Data([1]), sequence: 5),
        ]
        #expect(liveAnswers == [false, true, false])
    }

    @Test func writersRefuseUnsentSequenceNumbers() {
        var sender = StreamSender(delivery: .reliable, window: 65_536)
        let isTaken = sender.append(Data([1]))
        let early = sender.acknowledge(below: 1)
        let frame = sender.nextFrame(of: 7)
        #expect(isTaken && !early && frame == StreamFrame(.data, stream: 7, sequence: 0, payload: Data([1])))
        let answers = [
            sender.acknowledge(below: 2), sender.resume(from: 2), sender.acknowledge(below: 1), sender.acknowledge(below: 0),
        ]
        #expect(answers == [false, false, true, true])
    }

    // MARK: A session's streams

    @Test func streamsAreBoundedInNumberAndInSize() throws {
        let streams = PageStreams()
        _ = streams.connect(isSamePage: false)
        #expect(throws: PageError.failed) { try streams.open(.live, window: 65_535) }
        #expect(throws: PageError.failed) { try streams.open(.live, window: 262_145) }
        let large = try (0..<4).map { _ in try streams.open(.reliable, window: 262_144) }
        #expect(throws: PageError.failed) { try streams.open(.live, window: 65_536) }
        #expect(large.count == 4)
        large.forEach { $0.cancel() }
        let small = try (0..<8).map { _ in try streams.open(.live, window: 65_536) }
        #expect(throws: PageError.failed) { try streams.open(.live, window: 65_536) }
        #expect(streams.count == small.count)
    }

    @Test func releasedStreamsAreCancelledOnThePage() throws {
        let streams = PageStreams()
        let connection = streams.connect(isSamePage: false)
        _ = try streams.open(.live, window: 65_536)
        #expect(streams.count == 0)
        #expect(streams.nextFrame(of: connection) == StreamFrame(.cancel, stream: 1))
    }

    @Test func exceedingTheWindowEndsTheStream() async throws {
        let streams = PageStreams()
        let connection = streams.connect(isSamePage: false)
        let stream = try streams.open(.live, window: 65_536)
        for number in 0..<3 {
            streams.receive(
                StreamFrame(.data, stream: 1, sequence: UInt32(number), payload: Data(count: 32_768)), of: connection)
        }
        await #expect(throws: PageError.failed) { try await stream.next() }
        await #expect(throws: PageError.failed) { try await stream.write(Data([1])) }
        #expect(streams.nextFrame(of: connection) == StreamFrame(.cancel, stream: 1))
    }

    @Test func aCancelledTaskStopsWaiting() async throws {
        let streams = PageStreams()
        _ = streams.connect(isSamePage: false)
        let stream = try streams.open(.reliable, window: 65_536)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await stream.next() }
            group.addTask { try await stream.write(Data(count: 1_000_000)) }
            group.cancelAll()
            while let result = await group.nextResult() { #expect(throws: CancellationError.self) { try result.get() } }
        }
    }

    @Test func anotherPageEndsTheStreams() async throws {
        let streams = PageStreams()
        _ = streams.connect(isSamePage: false)
        let stream = try streams.open(.reliable, window: 65_536)
        let next = Task { try await stream.next() }
        _ = streams.connect(isSamePage: false)
        await #expect(throws: PageError.absent) { try await next.value }
    }

    @Test func pagesAreNotifiedOfEndedStreams() throws {
        let streams = PageStreams()
        let connection = streams.connect(isSamePage: false)
        streams.receive(StreamFrame(.resume, stream: 7), of: connection)
        streams.receive(StreamFrame(.data, stream: 8, payload: Data([1])), of: connection)
        #expect(streams.nextFrame(of: connection) == StreamFrame(.cancel, stream: 7))
        #expect(streams.nextFrame(of: connection) == nil)
    }

    @Test func streamsAreServedInTurn() async throws {
        let streams = PageStreams()
        let connection = streams.connect(isSamePage: false)
        let (file, sound) = (try streams.open(.reliable, window: 65_536), try streams.open(.live, window: 65_536))
        for _ in 0..<4 {
            try await file.write(Data(count: 10_000))
            try await sound.write(Data(count: 960))
        }
        let order = (0..<8).compactMap { _ in streams.nextFrame(of: connection)?.stream }
        #expect(order == [1, 2, 1, 2, 1, 2, 1, 2])
    }

    /// Invented frames: memory stays within the windows, and the next stream works.
    @Test func forgedFramesAreHarmless() async throws {
        let corpus = StreamFrame.Kind.allCases.flatMap { kind in
            [0, 1, 2].map { StreamFrame(kind, stream: 1, sequence: $0, payload: kind == .data ? Data(count: 9) : Data()).bytes }
        }
        let streams = PageStreams()
        var connection = streams.connect(isSamePage: false)
        var held = [try streams.open(.live, window: 65_536), try streams.open(.reliable, window: 65_536)]
        var count = 0
        try await fuzz(corpus, count: Effort.count(20_000, soak: 200_000)) { input in
            if let frame = StreamFrame(input) {
                let last = held.map(\.id)
                streams.receive(
                    StreamFrame(frame.kind, stream: last[count % 2], sequence: frame.sequence, payload: frame.payload),
                    of: connection)
            }
            while let frame = streams.nextFrame(of: connection) { try #require(StreamFrame(frame.bytes) == frame) }
            count += 1
            if count % 500 == 0 {
                held = []
                if count % 1_000 == 0 { connection = streams.connect(isSamePage: true) }
                held = [try streams.open(.live, window: 65_536), try streams.open(.reliable, window: 65_536)]
            }
            try #require(streams.count == 2)
        }
    }
}
