import AudioKit
import Foundation
import Logging
import TalkCoStandIns
import TestKit
import Testing

@testable import TalkCoService

/// The time from the end of speech to the first sound by part, with Whisper and Piper, as the table of `Docs/Hearing.md`. The chat model answers at
/// once: its time to the first sentence is added.
@Suite(
    .serialized, .enabled(if: Effort.isSoak, "runs in make soak"), .enabled(if: RealSpeech.isInstalled, "\(RealSpeech.requirement)")
)
struct TurnTimeTests {
    private static let sentences = [
        "I went to Japan.", "My sister works in a hospital.", "Yes, I like to read books in the evening.",
        "I usually take the bus because it is cheap.", "We ate noodles in a small restaurant near the station.",
    ]
    private static let answer = "That sounds nice. What did you like best about it, and would you go there again?"

    private struct Times {
        var transcript: [Duration] = []
        var sound: [Duration] = []
        var end: [Duration] = []
    }

    private static func median(_ times: [Duration]) -> String {
        "\(((times.sorted()[times.count / 2] / .milliseconds(10)).rounded() / 100)) s"
    }

    @Test func partsOfATurn() async throws {
        let servers = ModelServers()
        servers.setAnswers([Self.answer])
        try await RealSpeech.run { speech in
            try await servers.run { base in
                let clock = ContinuousClock()
                let voice = EngineFixtures.speech(speech)
                let engine = PipelineEngine(
                    transcription: TranscriptionServer(
                        server: EngineFixtures.server("The transcription server", speech, clock: clock), model: "whisper-1"),
                    chat: EngineFixtures.chat(base), speech: voice, logger: .quiet)
                var (late, early) = (Times(), Times())
                for sentence in Self.sentences {
                    var said = Data()
                    for try await chunk in voice.speech(sentence) { said += chunk }
                    for isEarly in [false, true] {
                        let conversation = try await engine.open(EngineFixtures.brief)
                        // The learner releases the button a second after the last word; the pause is noticed in its middle.
                        let whole = said + Data(count: 48_000)
                        if isEarly {
                            conversation.listen(said + Data(count: 24_000))
                            try await clock.sleep(for: .milliseconds(500))
                        }
                        let times = try await Self.times(conversation, whole)
                        func add(_ all: inout Times) {
                            all.transcript.append(times.0)
                            all.sound.append(times.1)
                            all.end.append(times.2)
                        }
                        if isEarly { add(&early) } else { add(&late) }
                        await conversation.close()
                    }
                }
                print("| | words known | first sound | last sound |\n| --- | --- | --- | --- |")
                for (name, times) in [("recognized after the release", late), ("from the pause on", early)] {
                    print(
                        "| \(name) | \(Self.median(times.transcript)) | \(Self.median(times.sound)) | \(Self.median(times.end)) |")
                }
                #expect(early.sound.count == Self.sentences.count)
            }
        }
    }

    /// Until the transcript, the first sound and the last one.
    private static func times(_ conversation: any Conversation, _ speech: Data) async throws -> (Duration, Duration, Duration) {
        let start = ContinuousClock.now
        var times: [Duration?] = [nil, nil, nil]
        for try await piece in conversation.answer(.speech(speech)) {
            switch piece {
            case .transcript: times[0] = ContinuousClock.now - start
            case .audio:
                times[1] = times[1] ?? ContinuousClock.now - start
                times[2] = ContinuousClock.now - start
            default: break
            }
        }
        return (try #require(times[0]), try #require(times[1]), try #require(times[2]))
    }
}
