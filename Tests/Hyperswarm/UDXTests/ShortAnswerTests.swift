import NIOCore
import NIOPosix
import Testing

@testable import UDX

/// Small messages and their answers: few datagrams, few changes of thread.
@Suite(.timeLimit(.minutes(1))) struct ShortAnswerTests {
    private let now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func packet(_ number: UInt32, _ text: String) -> [UInt8] {
        var bytes = ByteBuffer()
        PacketHeader(type: .data, streamID: 1, window: 1_000_000, sequence: number, acknowledged: 0).encode(into: &bytes)
        bytes.writeString(text)
        return Array(bytes.readableBytesView)
    }

    private func makeState() -> StreamState {
        var state = StreamState()
        state.connect(remoteID: 2, at: now)
        return state
    }

    private func header(_ datagram: [UInt8]) throws -> PacketHeader {
        try #require(datagram.withUnsafeBytes { PacketHeader($0) })
    }

    @Test func answerCarriesTheAcknowledgement() throws {
        var state = makeState()
        state.receive(packet(0, "ping"), at: now)
        state.write(ByteBuffer(string: "pong"))
        let datagrams = state.datagrams(at: now)
        #expect(datagrams.count == 1)
        let answer = try header(try #require(datagrams.first))
        #expect(answer.type == .data)
        #expect(answer.acknowledged == 1)
    }

    @Test func packetAboveAGapIsAcknowledgedByItself() throws {
        var state = makeState()
        state.receive(packet(1, "second"), at: now)
        state.write(ByteBuffer(string: "answer"))
        let datagrams = state.datagrams(at: now)
        #expect(datagrams.count == 2)
        #expect(try header(try #require(datagrams.first)).type == .selectiveAcknowledgement)
    }

    @Test func acknowledgementDoesNotWaitForAClosedWindow() throws {
        var state = makeState()
        var closed = ByteBuffer()
        PacketHeader(type: .data, streamID: 1, window: 0, sequence: 0, acknowledged: 0).encode(into: &closed)
        closed.writeString("x")
        state.receive(Array(closed.readableBytesView), at: now)
        state.write(ByteBuffer(string: "answer"))
        let datagrams = state.datagrams(at: now)
        #expect(datagrams.count == 1)
        #expect(try header(try #require(datagrams.first)).type == [])
    }

    @Test func tasksOnTheEventLoopReadAndWriteThere() async throws {
        guard #available(macOS 15, iOS 18, *) else { return }
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        let echo = Task(executorPreference: EventLoopTaskExecutor(second.eventLoop)) {
            while let bytes = try await second.read() {
                second.eventLoop.preconditionInEventLoop()
                try await second.write(bytes)
                second.eventLoop.preconditionInEventLoop()
            }
            await second.finish()
        }
        for _ in 0..<100 {
            try await first.write(ByteBuffer(string: "ping"))
            #expect(try await first.read() == ByteBuffer(string: "ping"))
        }
        await first.finish()
        #expect(try await first.read() == nil)
        try await echo.value
        await network.close()
    }

    @Test func secondReaderIsRefusedAndCancellationMakesRoom() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        let waiting = Task { try await second.read() }
        func isRead() async throws -> Bool {
            try await second.eventLoop.submit {
                second.onEventLoop { stream in
                    guard stream.startRead({ _ in }) else { return true }
                    stream.cancelRead()
                    return false
                }
            }.get()
        }
        while try await !isRead() { await Task.yield() }
        await #expect { try await second.read() } throws: { ($0 as? UDXError)?.code == .alreadyReading }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await first.write(ByteBuffer(string: "late"))
        #expect(try await second.read() == ByteBuffer(string: "late"))
        await network.close()
    }

    @Test func taskThatIsCancelledAlreadyStillTakesWhatIsThere() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        try await first.write(ByteBuffer(string: "x"))
        while await second.readableByteCount == 0 { await Task.yield() }
        let (starts, continuation) = AsyncStream<Void>.makeStream()
        let reading = Task {
            for await _ in starts { break }
            return try await second.read()
        }
        reading.cancel()
        continuation.finish()
        #expect(try await reading.value == ByteBuffer(string: "x"))
        let waiting = Task { try await second.read() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await network.close()
    }
}
