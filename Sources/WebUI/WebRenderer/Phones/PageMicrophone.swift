import Foundation
import PlatformKit
import WireKit

/// The microphone of a browser.
///
/// ```
///  box                                         page
///   | -- stream.open "microphone" {samples} ---> |  asks for the microphone
///   | <-- true --------------------------------- |  it is on
///   | <-- samples, samples, samples… ----------- |
///   | -- end (finish) or cancel ---------------> |  it is off
///   | <-- samples, end ------------------------- |  the rest
/// ```
struct PageMicrophone: Microphone {
    weak let phone: BrowserPhone?
    let app: String
    /// Maximum length of a recording, in samples: five minutes, 14.4 MB. The page ends a longer recording by itself.
    var maximumSampleCount = 300 * SpeechFormat.sampleRate

    func isAvailable() async -> Bool {
        (try? await phone?.request("microphone.available", in: app, timeout: .seconds(10))) == .bool(true)
    }

    @MainActor func record() async throws -> any Recording {
        guard let phone, let session = phone.session(of: app) else { throw PhoneError.absent }
        // Another page of the phone may play. The page that records stops its own playback.
        phone.speech.stopPlayback()
        do {
            // Reliable: samples from while the connection was lost belong to the recording.
            let stream = try await session.openStream("microphone", .reliable, window: 131_072) { json in
                json.object { json in
                    json.key("samples")
                    json.integer(maximumSampleCount)
                }
            }.stream
            let recording = PageRecording(stream, maximumLength: maximumSampleCount * SpeechFormat.sampleSize)
            phone.speech.begin(recording)
            return recording
        } catch PageError.gesture {
            throw PhoneError.failed("the browser records only after a tap on the page")
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }
}

/// A recording in a browser. A task collects the samples off the main actor.
final class PageRecording: Recording {
    let levels: AsyncStream<Double>
    private let stream: PageStream
    private let samples: Task<Data, any Error>
    private let isFinished = Locked(false)
    private let heard: Heard

    /// - Parameter maximumLength: Maximum length of the samples, in bytes.
    init(_ stream: PageStream, maximumLength: Int) {
        let (levels, continuation) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        self.levels = levels
        self.stream = stream
        let heard = Heard()
        self.heard = heard
        samples = Task { try await Self.samples(from: stream, maximumLength, into: heard, levels: continuation) }
    }

    deinit { discard() }

    /// The samples that have arrived.
    private final class Heard: Sendable { let samples = Locked(Data()) }

    func beginning() async -> Data { heard.samples.withLock { $0 } }

    func finish() async throws -> Data {
        isFinished.withLock { $0 = true }
        let end = Task { await endMicrophone() }
        defer { end.cancel() }
        return try await withTaskCancellationHandler {
            try await samples.value
        } onCancel: {
            discard()
        }
    }

    func cancel() {
        if !isFinished.withLock({ $0 }) { discard() }
    }

    /// Asks the page to end the recording. ``finish()`` still returns the samples.
    func endMicrophone() async { try? await stream.finish() }

    private func discard() {
        samples.cancel()
        stream.cancel()
    }

    /// Collects the samples until the page ends its direction, or its session ends.
    ///
    /// - Throws: ``PhoneError``; `CancellationError`.
    @concurrent
    private static func samples(
        from stream: PageStream, _ maximumLength: Int, into heard: Heard, levels: AsyncStream<Double>.Continuation
    ) async throws -> Data {
        defer { levels.finish() }
        var meter = LevelMeter()
        do {
            while let chunk = try await stream.next() {
                let isWhole = chunk.bytes.count.isMultiple(of: SpeechFormat.sampleSize)
                let isShort = heard.samples.withLock { $0.count + chunk.bytes.count <= maximumLength }
                guard isWhole, isShort else {
                    stream.cancel()
                    throw PhoneError.failed("the browser's samples cannot be read")
                }
                heard.samples.withLock { $0 += chunk.bytes }
                if let level = meter.append(chunk.bytes) { levels.yield(level) }
            }
        } catch PageError.absent where heard.samples.withLock({ !$0.isEmpty }) {
            return heard.samples.withLock { $0 }
        } catch let error as PageError {
            throw PhoneError(error)
        }
        return heard.samples.withLock { $0 }
    }
}
