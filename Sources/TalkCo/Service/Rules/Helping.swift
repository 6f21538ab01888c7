import Logging
import NetworkingKit
import TalkCoWire

/// The calls for the meanings of words, and for translations.
struct Helping: Sendable {
    /// Timeout of an answer.
    static let timeout = Duration.seconds(60)

    let help: (any LanguageHelp)?
    /// The capacity for questions that are answered at once.
    let judging: Shares
    let clock: any Clock<Duration>
    let logger: Logger

    /// - Throws: ``TalkError``, also when there is no help, and for an unknown word.
    func meaning(_ request: MeaningRequest, for network: CallerNetwork) async throws -> Meaning {
        guard let help, help.explains else { throw TalkError(.notImplemented, "This service knows no meanings of words") }
        let meaning = try await answer(for: network) { try await help.meaning(of: request.word, in: request.sentence) }
        guard let meaning else { throw TalkError(.notFound, "No meaning was found") }
        return Meaning(word: request.word, meaning: meaning)
    }

    /// - Throws: ``TalkError``, also when there are no translations.
    func translation(of text: String, for network: CallerNetwork) async throws -> Translation {
        guard let help, help.translates else { throw TalkError(.notImplemented, "This service does not translate") }
        guard let translation = try await answer(for: network, { try await help.translation(of: text) }) else {
            throw TalkError(.badGateway, "The model left out the translation.")
        }
        return Translation(translation: translation)
    }

    private func answer(
        for network: CallerNetwork, _ body: @escaping @Sendable () async throws -> String?
    ) async throws -> String? {
        do {
            let text = try await judging.taking(for: network) {
                try await withTimeout(
                    Self.timeout, clock: clock, orThrow: EngineError(.timedOut, "The model did not answer in time."), body)
            }
            return text.map { $0.trimmed(4_000) }.flatMap { $0.isEmpty ? nil : $0 }
        } catch let error as EngineError {
            logger.warning("A word or a text could not be translated", metadata: ["error": "\(error.logText)"])
            throw TalkError(error)
        }
    }
}
