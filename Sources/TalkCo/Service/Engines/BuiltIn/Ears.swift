import Foundation
import TalkCoWire

/// Understands what a learner says to the scripted tutor.
protocol Ears: Sendable {
    var hearing: EngineInfo.Hearing { get }
    /// The learner's words; empty for silence, for noise, and for what was not understood.
    ///
    /// - Parameters:
    ///   - samples: In `SpeechFormat`.
    ///   - offered: The sentences that the tutor has offered.
    /// - Throws: ``EngineError``; `CancellationError`.
    func words(in samples: Data, offered: [String], for network: CallerNetwork) async throws -> String
    /// Hears the beginning of a recording that is still made.
    func listen(_ samples: Data)
    /// The ears of another conversation.
    func another() -> any Ears
}

extension Ears {
    func listen(_ samples: Data) {}
    func another() -> any Ears { self }
}

extension ChoiceRecognizer: Ears {
    var hearing: EngineInfo.Hearing { .choices }

    func words(in samples: Data, offered: [String], for network: CallerNetwork) async throws -> String {
        try await choice(among: offered, in: samples, for: network).map { offered[$0] } ?? ""
    }
}

/// Hears free speech with a server. What it hears is what the learner has said; an offered sentence only settles how the same words are written.
struct ServerEars: Ears {
    private let server: TranscriptionServer
    private let transcription: EarlyTranscription
    private let substitute: ChoiceRecognizer?

    /// - Parameter substitute: Takes over while the server cannot be used: nil for none.
    init(server: TranscriptionServer, substitute: ChoiceRecognizer? = nil) {
        (self.server, self.substitute) = (server, substitute)
        transcription = EarlyTranscription(server)
    }

    func listen(_ samples: Data) { transcription.listen(samples) }
    func another() -> any Ears { ServerEars(server: server, substitute: substitute) }

    var hearing: EngineInfo.Hearing { .anything }

    func words(in samples: Data, offered: [String], for network: CallerNetwork) async throws -> String {
        let heard: String
        do {
            heard = try await transcription.text(of: samples)
        } catch let error as EngineError {
            guard let substitute, !offered.isEmpty else { throw error }
            return try await substitute.words(in: samples, offered: offered, for: network)
        }
        let words = ChoiceGrammar.words(of: heard)
        return offered.first { ChoiceGrammar.words(of: $0) == words } ?? heard
    }
}
