import Foundation
import TalkCoWire

/// The speech recognition of the scripted tutor.
protocol Ears: Sendable {
    var hearing: EngineInfo.Hearing { get }
    /// Returns the learner's words; empty for silence, for noise, and for speech that was not understood.
    ///
    /// - Parameters:
    ///   - samples: In `SpeechFormat`.
    ///   - offered: The sentences that the tutor has offered.
    /// - Throws: ``EngineError``; `CancellationError`.
    func words(in samples: Data, offered: [String], for network: CallerNetwork) async throws -> String
    /// Receives the beginning of an unfinished recording.
    func listen(_ samples: Data)
    /// Returns the ears for another conversation.
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

/// The recognition of free speech by a server. An offered sentence with the same words only determines their spelling.
struct ServerEars: Ears {
    private let server: TranscriptionServer
    private let transcription: EarlyTranscription
    private let substitute: ChoiceRecognizer?

    /// - Parameter substitute: The recognizer that takes over while the server cannot be used; nil for none.
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
