import Foundation
import PlatformKit
import SwiftUI

/// Records speech, and plays it and a tone.
@Observable
final class SpeechModel {
    private(set) var recordingState = "none"
    private(set) var level = 0.0
    private(set) var facts = SpeechFacts(Data())
    private(set) var playbackState = "none"
    /// The tenths of a second that the loudspeaker has accepted.
    private(set) var appendedCount = 0
    /// The playbacks that were stopped before their end.
    private(set) var stoppedCount = 0
    private var samples = Data()
    private var recording: (any Recording)?
    private var playback: (any Playback)?
    private var recordingNumber = 0
    private var playbackNumber = 0
    private static let partLength = SpeechFormat.sampleRate / 10 * SpeechFormat.sampleSize

    var canPlay: Bool { !samples.isEmpty }

    /// Records until ``finish()``, or until the system takes the microphone.
    func record(on phone: Phone?) async {
        recordingNumber += 1
        let number = recordingNumber
        recordingState = "starting"
        do {
            let recording = try await (phone?.microphone ?? NoMicrophone()).record()
            guard number == recordingNumber, recordingState == "starting" else { return recording.cancel() }
            self.recording = recording
            recordingState = "recording"
            for await level in recording.levels { self.level = level }
            if self.recording === recording { await finish() }
        } catch {
            if number == recordingNumber { recordingState = "\(error)" }
        }
    }

    func finish() async {
        guard let recording else {
            // The user was faster than the microphone.
            if recordingState == "starting" { recordingState = "none" }
            return
        }
        self.recording = nil
        recordingState = "finishing"
        do {
            samples = try await recording.finish()
            facts = SpeechFacts(samples)
            recordingState = "recorded"
        } catch {
            recordingState = "\(error)"
        }
    }

    func discard() {
        recording?.cancel()
        recording = nil
        recordingState = "none"
    }

    func playRecording(on phone: Phone?) async { await play(samples, on: phone) }
    func playTone(on phone: Phone?) async { await play(SpeechFacts.tone(frequency: 440, seconds: 12), on: phone) }
    func stop() { playback?.stop() }

    private func play(_ samples: Data, on phone: Phone?) async {
        playbackNumber += 1
        let number = playbackNumber
        (playbackState, appendedCount) = ("playing", 0)
        do {
            let playback = try await (phone?.speaker ?? NoSpeaker()).play()
            if number == playbackNumber { self.playback = playback }
            for start in stride(from: 0, to: samples.count, by: Self.partLength) {
                try await playback.append(Data(samples[start..<min(start + Self.partLength, samples.count)]))
                if number == playbackNumber { appendedCount += 1 }
            }
            try await playback.finish()
            if number == playbackNumber { playbackState = "played" }
        } catch {
            stoppedCount += 1
            if number == playbackNumber { playbackState = "\(error)" }
        }
    }
}
