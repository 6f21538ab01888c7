import AudioKit
import ClientKit
import Foundation
import Observation
import PlatformKit
import TalkCoWire

/// The player of voices, one at a time. A newer voice stops the older one.
@MainActor
@Observable
final class AnswerPlayer {
    /// The voice that is played.
    enum Subject: Hashable, Sendable {
        case message(ChatMessage.ID)
        case sentence(String)
        /// The learner's recording of a segment.
        case recording(Segment.ID)
    }

    private(set) var subject: Subject?
    @ObservationIgnored private let tasks: TaskOwner
    @ObservationIgnored private var playback: (any Playback)?
    /// Count of plays and stops; tells an outdated task from the current one.
    @ObservationIgnored private var turn = 0

    init(tasks: TaskOwner) { self.tasks = tasks }

    /// Plays a voice from its beginning, while it arrives.
    ///
    /// - Parameters:
    ///   - stretch: The duration as a multiple of the normal one, in `TimeStretch.factors`.
    ///   - onFailure: Called if the system refuses to play the voice.
    func play(
        _ audio: AnswerAudio, of subject: Subject, on speaker: any Speaker, stretchedBy stretch: Double = 1,
        onFailure: @escaping @MainActor () -> Void
    ) {
        stop()
        let own = turn
        self.subject = subject
        tasks.start { [weak self] in
            do {
                try await self?.play(audio, on: speaker, stretchedBy: stretch, as: own)
            } catch is CannotPlay {
                if own == self?.turn { onFailure() }
            } catch {
                // A phone call or another screen has stopped the playback.
            }
            self?.end(own)
        }
    }

    private func play(
        _ audio: AnswerAudio, on speaker: any Speaker, stretchedBy factor: Double, as own: Int
    ) async throws {
        // For an answer without a voice, the loudspeaker is not opened.
        guard await audio.chunk(from: 0) != nil, own == turn else { return }
        var replacementCount = audio.replacementCount
        var playback = try await begin(on: speaker)
        guard own == turn else { return playback.stop() }
        self.playback = playback
        var (offset, stretch) = (0, Self.stretch(factor))
        while let chunk = await audio.chunk(from: offset), own == turn {
            if replacementCount != audio.replacementCount {
                // The samples were replaced: play the new ones from their beginning.
                (replacementCount, offset, stretch) = (audio.replacementCount, 0, Self.stretch(factor))
                playback = try await begin(on: speaker)
                guard own == turn else { return playback.stop() }
                self.playback = playback
                continue
            }
            if factor == 1 {
                try await playback.append(chunk)
            } else {
                let samples: Data
                (stretch, samples) = await Self.stretched(chunk, by: stretch)
                guard own == turn else { return }
                try await playback.append(samples)
            }
            offset += chunk.count
        }
        guard own == turn else { return }
        if factor != 1 { try await playback.append(stretch.finish()) }
        try await playback.finish()
    }

    private static func stretch(_ factor: Double) -> TimeStretch { TimeStretch(by: factor, sampleRate: SpeechFormat.sampleRate) }

    /// Stretches samples outside the main actor.
    @concurrent private static func stretched(_ samples: Data, by stretch: TimeStretch) async -> (TimeStretch, Data) {
        var stretch = stretch
        let output = stretch.process(samples)
        return (stretch, output)
    }

    /// The system refuses to play sound.
    private struct CannotPlay: Error {}

    private func begin(on speaker: any Speaker) async throws -> any Playback {
        do { return try await speaker.play() } catch is PhoneError { throw CannotPlay() }
    }

    private func end(_ own: Int) {
        guard own == turn else { return }
        playback = nil
        subject = nil
    }

    /// Stops the playback at once.
    func stop() {
        turn += 1
        playback?.stop()
        playback = nil
        if subject != nil { subject = nil }
    }
}
