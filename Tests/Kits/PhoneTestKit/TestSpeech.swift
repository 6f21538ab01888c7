package import Foundation
import PlatformKit

/// The microphone, the loudspeaker and the recognition of a ``TestPhone``.
@MainActor
package final class TestSpeech: Sendable {
    /// The samples that the next recordings return, one after the other; the last one again and again. Empty: no microphone.
    package var recordings: [Data] = []
    /// The levels that a recording reports at its start.
    package var levels: [Double] = [0.1, 0.5, 0.2]
    /// True if the user allows the microphone.
    package var allowsMicrophone = true
    /// True if the system does not let anything be played.
    package var isMuted = false
    /// The text that the phone recognizes in every recording; nil without recognition.
    package var recognized: String?
    /// The recordings under way.
    package private(set) var openRecordings = 0
    /// The number of recordings that were begun.
    package private(set) var recordingCount = 0
    /// The samples of each playback, in order.
    package private(set) var playbacks: [Data] = []
    /// The playbacks that were stopped before their end, by index.
    package private(set) var stopped: Set<Int> = []
    private var current: [Int: AsyncStream<Double>.Continuation] = [:]
    /// The playbacks that have played to their end, by index.
    package private(set) var finished: Set<Int> = []

    package nonisolated init() {}

    /// Takes the microphone and the loudspeaker away, as a call does.
    package func interrupt() {
        for continuation in current.values { continuation.finish() }
        stopPlayback(playbacks.count - 1)
    }

    fileprivate func beginRecording(_ continuation: AsyncStream<Double>.Continuation) throws -> (id: Int, samples: Data) {
        guard !recordings.isEmpty else { throw PhoneError.unsupported }
        guard allowsMicrophone else { throw PhoneError.denied }
        recordingCount += 1
        openRecordings += 1
        current[recordingCount] = continuation
        for level in levels { continuation.yield(level) }
        return (recordingCount, recordings.count > 1 ? recordings.removeFirst() : recordings[0])
    }

    fileprivate func endRecording(_ id: Int) {
        guard let continuation = current.removeValue(forKey: id) else { return }
        continuation.finish()
        openRecordings -= 1
    }

    fileprivate func beginPlayback() throws -> Int {
        if isMuted { throw PhoneError.failed("muted") }
        stopPlayback(playbacks.count - 1)
        playbacks.append(Data())
        return playbacks.count - 1
    }

    fileprivate func append(_ samples: Data, to index: Int) throws {
        if stopped.contains(index) { throw PhoneError.absent }
        playbacks[index] += samples
    }

    fileprivate func finishPlayback(_ index: Int) throws {
        if stopped.contains(index) { throw PhoneError.absent }
        finished.insert(index)
    }

    fileprivate func stopPlayback(_ index: Int) {
        if index >= 0, !finished.contains(index) { stopped.insert(index) }
    }
}

struct TestMicrophone: Microphone {
    let speech: TestSpeech
    func isAvailable() async -> Bool { await !speech.recordings.isEmpty }
    func record() async throws -> any Recording {
        let (levels, continuation) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(16))
        let (id, samples) = try await speech.beginRecording(continuation)
        return TestRecording(speech: speech, id: id, samples: samples, levels: levels)
    }
}

private final class TestRecording: Recording {
    let speech: TestSpeech
    let id: Int
    let samples: Data
    let levels: AsyncStream<Double>

    init(speech: TestSpeech, id: Int, samples: Data, levels: AsyncStream<Double>) {
        (self.speech, self.id, self.samples, self.levels) = (speech, id, samples, levels)
    }

    deinit { cancel() }

    func beginning() async -> Data { samples }

    func finish() async throws -> Data {
        await speech.endRecording(id)
        return samples
    }

    func cancel() { Task { [speech, id] in await speech.endRecording(id) } }
}

struct TestSpeaker: Speaker {
    let speech: TestSpeech
    func play() async throws -> any Playback { TestPlayback(speech: speech, index: try await speech.beginPlayback()) }
}

private final class TestPlayback: Playback {
    let speech: TestSpeech
    let index: Int

    init(speech: TestSpeech, index: Int) { (self.speech, self.index) = (speech, index) }

    deinit { stop() }

    func append(_ samples: Data) async throws { try await speech.append(samples, to: index) }
    func finish() async throws { try await speech.finishPlayback(index) }
    func stop() { Task { [speech, index] in await speech.stopPlayback(index) } }
}

struct TestRecognition: SpeechRecognition {
    let speech: TestSpeech
    func isAvailable(language: String) async -> Bool { await speech.recognized != nil }
    func text(of samples: Data, language: String) async throws -> String {
        guard let text = await speech.recognized else { throw PhoneError.unsupported }
        return text
    }
}
