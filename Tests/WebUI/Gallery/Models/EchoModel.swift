import Foundation
import SwiftUI
import WebRenderer

/// Sends chunks to the page and checks the echo.
@Observable
final class EchoModel {
    enum State: String {
        case idle, sending, complete, failed
    }

    /// Chunks of 20 ms of sound: 16 bits, 24 kHz, one channel. The chunks of a file are as large as they may be.
    private let chunkLength: Int
    private let chunkCount: Int
    private let pause: Duration
    private let delivery: StreamDelivery

    private(set) var runs = 0
    private(set) var state = State.idle
    /// Chunks that came back.
    private(set) var receivedCount = 0
    /// Chunks that were lost on the way.
    private(set) var missingCount = 0
    /// Chunks that came back with other bytes than expected.
    private(set) var changedCount = 0

    static func file() -> EchoModel { EchoModel(.reliable) }
    static func sound() -> EchoModel { EchoModel(.live) }

    private init(_ delivery: StreamDelivery) {
        self.delivery = delivery
        (chunkLength, chunkCount, pause) = delivery == .live ? (960, 200, .milliseconds(20)) : (32_768, 64, .zero)
    }

    func start() { runs += 1 }

    /// The bytes of one chunk. No two chunks are the same.
    private func chunk(_ number: Int) -> Data {
        Data((0..<chunkLength).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ number ^ ($0 >> 8 &* 7)) })
    }

    /// Sends all chunks once it was started, and compares what comes back.
    func run(over streams: PageStreamSource?) async {
        guard runs > 0 else { return }
        (state, receivedCount, missingCount, changedCount) = (.sending, 0, 0, 0)
        do {
            guard let streams else { throw EchoError.noPage }
            let stream = try await streams.open("echo", delivery)
            async let sent: Void = send(to: stream)
            try await receive(from: stream)
            try await sent
            state = .complete
        } catch is CancellationError {
            state = .idle
        } catch {
            state = .failed
        }
    }

    private func send(to stream: PageStream) async throws {
        for number in 0..<chunkCount {
            try await stream.write(chunk(number))
            if pause > .zero { try await Task.sleep(for: pause) }
        }
        try await stream.finish()
    }

    private func receive(from stream: PageStream) async throws {
        while let next = try await stream.next() {
            missingCount += next.missingCount
            // Chunks that were lost on the way to the page are missing in what it sends back, which it numbers by itself.
            if delivery == .reliable, next.bytes != chunk(receivedCount) { changedCount += 1 }
            if next.bytes.count != chunkLength { changedCount += 1 }
            receivedCount += 1
        }
    }

    private enum EchoError: Error { case noPage }
}

private nonisolated enum PageStreamsKey: EnvironmentKey {
    static var defaultValue: PageStreamSource? { nil }
}

extension EnvironmentValues {
    /// The streams of the page that shows the gallery; nil in tests without one.
    nonisolated var pageStreams: PageStreamSource? {
        get { self[PageStreamsKey.self] }
        set { self[PageStreamsKey.self] = newValue }
    }
}
