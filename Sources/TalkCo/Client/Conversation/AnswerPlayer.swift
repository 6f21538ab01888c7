import ClientKit
import Foundation
import Observation
import PlatformKit
import TalkCoWire

/// Plays one voice at a time. A newer one takes the place of an older one.
@MainActor
@Observable
final class AnswerPlayer {
    /// The voice that is played.
    enum Subject: Hashable, Sendable {
        case message(ChatMessage.ID)
        case sentence(String)
        /// The learner's own.
        case recording(Segment.ID)
    }

    private(set) var subject: Subject?
    @ObservationIgnored private let tasks: TaskOwner
    @ObservationIgnored private var playback: (any Playback)?
    /// The number of calls of ``play(_:of:on:onFailure:)`` and ``stop()``.
    @ObservationIgnored private var turn = 0

    init(tasks: TaskOwner) { self.tasks = tasks }

    /// Plays a voice from its beginning, while it arrives.
    ///
    /// - Parameter onFailure: Called if the system does not let it be played.
    func play(_ audio: AnswerAudio, of subject: Subject, on speaker: any Speaker, onFailure: @escaping @MainActor () -> Void) {
        stop()
        let own = turn
        self.subject = subject
        tasks.start { [weak self] in
            do {
                try await self?.play(audio, on: speaker, as: own)
            } catch is CannotPlay {
                if own == self?.turn { onFailure() }
            } catch {
                // A call or another screen has stopped it.
            }
            self?.end(own)
        }
    }

    private func play(_ audio: AnswerAudio, on speaker: any Speaker, as own: Int) async throws {
        // An answer without a voice does not take the loudspeaker.
        guard await audio.chunk(from: 0) != nil, own == turn else { return }
        var replacementCount = audio.replacementCount
        var playback = try await begin(on: speaker)
        guard own == turn else { return playback.stop() }
        self.playback = playback
        var offset = 0
        while let chunk = await audio.chunk(from: offset), own == turn {
            if replacementCount != audio.replacementCount {
                // Another voice took its place: play that from its beginning.
                (replacementCount, offset) = (audio.replacementCount, 0)
                playback = try await begin(on: speaker)
                guard own == turn else { return playback.stop() }
                self.playback = playback
                continue
            }
            try await playback.append(chunk)
            offset += chunk.count
        }
        if own == turn { try await playback.finish() }
    }

    /// The system does not let anything be played.
    private struct CannotPlay: Error {}

    private func begin(on speaker: any Speaker) async throws -> any Playback {
        do { return try await speaker.play() } catch is PhoneError { throw CannotPlay() }
    }

    private func end(_ own: Int) {
        guard own == turn else { return }
        playback = nil
        subject = nil
    }

    /// Stops at once.
    func stop() {
        turn += 1
        playback?.stop()
        playback = nil
        if subject != nil { subject = nil }
    }
}
