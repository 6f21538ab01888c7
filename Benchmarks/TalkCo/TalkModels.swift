public import Foundation
import TalkCoStandIns

/// The servers of models, in this process.
public enum TalkModels {
    /// A way in which the Realtime model answers.
    public enum Manner: Sendable {
        /// An answer at once, with two seconds of audio in ten pieces, the first of which contains its time.
        case stamped
        /// An answer with ten seconds of audio, as fast as they are read.
        case firehose
    }

    static let sampleRate = 24_000
    private static let piece = Data(repeating: 1, count: 9_600)
    private static let pieceCount = 10

    /// Returns a recording that is not silent.
    public static func recording(seconds: Int) -> Data {
        let cycle = Data([0, 0, 0, 0x20, 0, 0, 0, 0xe0])
        return Data((0..<seconds * sampleRate / 4).map { _ in cycle }.joined())
    }

    /// Runs `body` with the servers.
    ///
    /// - Parameter body: Receives the address of OpenAI's interface.
    public static func run<Value: Sendable>(
        _ manner: Manner, _ body: @escaping @Sendable (URL) async throws -> Value
    ) async throws -> Value {
        let script: RealtimeStandIn.Script =
            switch manner {
            case .stamped: stamped
            case .firehose: RealtimeScripts.firehose
            }
        let servers = ModelServers(realtime: RealtimeStandIn(script: script))
        return try await servers.run { try await body($0) }
    }

    private static let stamped: RealtimeStandIn.Script = { exchange in
        try await exchange.created()
        try await exchange.text("What did you do then?")
        try await exchange.audio(AudioStamp.now.bytes + piece)
        if case .audio = exchange.input { try await exchange.transcript(StandInTutor.transcripts[0]) }
        for _ in 1..<pieceCount { try await exchange.audio(piece) }
        try await exchange.done()
    }
}

/// A time of this process, as the first samples of an answer.
struct AudioStamp {
    private static let start = ContinuousClock.now

    /// The time since ``start``.
    private let nanoseconds: UInt64

    static var now: AudioStamp {
        // `start` first, since it is initialized on first use.
        let start = start
        return AudioStamp(nanoseconds: UInt64(max(0, (.now - start) / .nanoseconds(1))))
    }

    private init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// - Parameter samples: Samples that begin with ``bytes``.
    init(in samples: Data) { nanoseconds = samples.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    var bytes: Data { Data((0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> (8 * $0)) }) }

    func age(at time: ContinuousClock.Instant) -> Duration { time - Self.start - .nanoseconds(Int64(clamping: nanoseconds)) }
}
