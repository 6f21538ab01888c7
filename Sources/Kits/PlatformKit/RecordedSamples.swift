import AudioKit
package import Foundation
import WireKit

/// The samples of one recording, as a microphone delivers them, converted to ``SpeechFormat``.
///
/// The microphone's thread appends; another task takes the result. The sample rate may change under way, when the user plugs in another
/// microphone.
package final class RecordedSamples: Sendable {
    private struct State {
        var resampler: Resampler?
        var samples = Data()
        var meter = LevelMeter()
        var hasEnded = false
    }

    /// The loudness: see ``Recording/levels``.
    package let levels: AsyncStream<Double>
    private let continuation: AsyncStream<Double>.Continuation
    private let maximumLength: Int
    private let state = Locked(State())

    /// - Parameter maximumLength: Maximum length of the recording, in bytes of ``SpeechFormat``. Later samples are dropped.
    package init(maximumLength: Int = 300 * SpeechFormat.sampleRate * SpeechFormat.sampleSize) {
        (levels, continuation) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        self.maximumLength = maximumLength
    }

    deinit { continuation.finish() }

    /// Sets the sample rate of the following samples, in hertz.
    package func begin(sampleRate: Int) {
        state.withLock { state in
            append(state.resampler?.finish() ?? Data(), to: &state)
            state.resampler = Resampler(from: sampleRate, to: SpeechFormat.sampleRate)
        }
    }

    /// - Parameter samples: Mono samples from -1 to 1.
    package func append(_ samples: some Sequence<Float>) {
        let samples = PCM16.data(fromFloats: samples)
        state.withLock { state in append(state.resampler?.process(samples) ?? Data(), to: &state) }
    }

    /// The samples recorded so far.
    package var beginning: Data { state.withLock { $0.samples } }

    /// Ends the recording, even if the microphone continues, and returns the samples recorded until the first end.
    @discardableResult
    package func end() -> Data {
        defer { continuation.finish() }
        return state.withLock { state in
            append(state.resampler?.finish() ?? Data(), to: &state)
            state.hasEnded = true
            return state.samples
        }
    }

    private func append(_ samples: Data, to state: inout State) {
        guard !state.hasEnded else { return }
        let samples = samples.prefix(maximumLength - state.samples.count)
        state.samples += samples
        if let level = state.meter.append(samples) { continuation.yield(level) }
    }
}
