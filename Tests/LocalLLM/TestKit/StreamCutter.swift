import Foundation
import NetworkingKit
import TestKit
import WireKit

/// Cuts the streams of phones at random bytes, also in the middle of a line or of a character, as a lost network does.
///
/// A cut loses what was on its way. Bytes that were let through arrive in chunks of random sizes.
package final class StreamCutter: Sendable {
    /// Counts of events since the beginning.
    package struct Counts: Hashable, Sendable {
        package var streams = 0
        /// Cuts by a byte that the phone wrote.
        package var up = 0
        /// Cuts by a byte that the host wrote.
        package var down = 0
        /// Cuts in the middle of a line.
        package var insideLines = 0
        /// Cuts of streams over which a piece of an answer has come.
        package var insideAnswers = 0
    }

    private struct State {
        var isEnabled = true
        var counts = Counts()
    }

    private let seed: UInt64
    private let state = Locked(State())

    package init(seed: UInt64 = Seed.current) { self.seed = seed }

    package var counts: Counts { state.withLock { $0.counts } }
    /// False: streams that begin now are not cut.
    package var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { state.withLock { $0.isEnabled = newValue } }
    }

    /// A phone's stream that will be cut.
    func cutting(_ stream: any ByteStream) -> any ByteStream {
        let (number, isEnabled) = state.withLock { state in
            state.counts.streams += 1
            return (state.counts.streams, state.isEnabled)
        }
        return isEnabled ? CuttingStream(stream, SeededGenerator(seed: seed, number: number), self) : stream
    }

    fileprivate func didCut(_ count: (inout Counts) -> Void) { state.withLock { count(&$0.counts) } }
}

/// A stream that ends after a number of bytes in either direction.
private final class CuttingStream: ByteStream {
    /// One direction.
    private struct Way {
        /// The number of bytes until the cut; nil for none.
        var left: Int?
        /// Bytes have come after the last newline.
        var isInsideLine = false

        /// - Returns: The part of `bytes` that arrives.
        mutating func pass(_ bytes: Data) -> Data {
            let passed = left.map { bytes.prefix($0) } ?? bytes
            left? -= passed.count
            if let last = passed.last { isInsideLine = last != 0x0a }
            return passed
        }
    }

    private struct State {
        var up: Way
        var down: Way
        var numbers: SeededGenerator
        /// Bytes of the host that the phone has not read.
        var unread = Data()
        var hasPiece = false
        var isCut = false

        /// Takes some of the unread bytes; nil when there are none.
        mutating func takeChunk() -> Data? {
            guard !unread.isEmpty else { return nil }
            let chunk = unread.prefix(.random(in: 1...2_000, using: &numbers))
            unread = Data(unread.dropFirst(chunk.count))
            return Data(chunk)
        }
    }

    /// The beginning of a numbered piece.
    private static let piece = Data(#"{"payload":{"seq":"#.utf8)

    private let stream: any ByteStream
    private let cutter: StreamCutter
    private let state: Locked<State>

    init(_ stream: any ByteStream, _ numbers: SeededGenerator, _ cutter: StreamCutter) {
        (self.stream, self.cutter) = (stream, cutter)
        var numbers = numbers
        // Some cuts are in the introduction or in the request, most in the answer. A few let more than one whole chunk through, without
        // which a long replay would never end.
        let up = Int.random(in: 0..<4, using: &numbers) == 0 ? Int.random(in: 0...400, using: &numbers) : nil
        let down = [0...400, 16_000...60_000].randomElement(in: 8, using: &numbers) ?? 400...6_000
        state = Locked(
            State(up: Way(left: up), down: Way(left: .random(in: down, using: &numbers)), numbers: numbers))
    }

    var remoteKey: PeerKey { stream.remoteKey }

    func read() async throws -> Data? {
        while true {
            let (bytes, isCut) = state.withLock { ($0.takeChunk(), $0.isCut) }
            if let bytes { return bytes }
            guard !isCut else { throw Self.ended }
            guard let more = try await stream.read() else { return nil }
            let isEnd = state.withLock { state in
                let passed = state.down.pass(more)
                state.unread += passed
                state.hasPiece = state.hasPiece || passed.firstRange(of: Self.piece) != nil
                return state.down.left == 0
            }
            if isEnd { cut { $0.down += 1 } }
        }
    }

    func write(_ bytes: Data) async throws {
        let (passed, isEnd, isCut) = state.withLock { ($0.up.pass(bytes), $0.up.left == 0, $0.isCut) }
        guard !isCut else { throw Self.ended }
        if !passed.isEmpty { try await stream.write(passed) }
        guard isEnd else { return }
        cut { $0.up += 1 }
        throw Self.ended
    }

    func finish() { stream.finish() }
    func close() { stream.close() }

    private func cut(_ count: (inout StreamCutter.Counts) -> Void) {
        let end = state.withLock { state -> (arrives: Bool, isInsideLine: Bool, hasPiece: Bool)? in
            guard !state.isCut else { return nil }
            state.isCut = true
            return (.random(using: &state.numbers), state.up.isInsideLine || state.down.isInsideLine, state.hasPiece)
        }
        guard let end else { return }
        // The host reads what the phone wrote before the cut, or not.
        if end.arrives { stream.finish() } else { stream.close() }
        cutter.didCut { counts in
            count(&counts)
            counts.insideLines += end.isInsideLine ? 1 : 0
            counts.insideAnswers += end.hasPiece ? 1 : 0
        }
    }

    private static let ended = TransportError(.ended, "the test has cut the stream")
}

extension Array {
    /// An element, each with the same probability of 1 in `count`; nil with the remaining one.
    fileprivate func randomElement(in count: Int, using numbers: inout SeededGenerator) -> Element? {
        let index = Int.random(in: 0..<count, using: &numbers)
        return index < self.count ? self[index] : nil
    }
}
