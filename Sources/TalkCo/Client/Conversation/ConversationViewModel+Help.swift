import ClientKit
import Foundation
import TalkCoWire
import WireKit

extension ConversationViewModel {
    /// A meaning or translation in Traditional Chinese that the learner has requested.
    package enum Help: Hashable, Sendable {
        case loading
        case text(String)
        /// The dictionary does not have the word.
        case unknown
        case failed(TalkCoProblem)
    }

    /// A word of the tutor with its meaning.
    package struct AskedWord: Hashable, Sendable {
        package let word: String
        package internal(set) var meaning = Help.loading
    }

    package func canExplain(_ message: ChatMessage) -> Bool { context.engine?.explains == true && isReadable(message) }
    package func canTranslate(_ message: ChatMessage) -> Bool { context.engine?.translates == true && isReadable(message) }

    private func isReadable(_ message: ChatMessage) -> Bool {
        message.role == .ai && message.state == .complete && !message.text.isEmpty
    }

    /// Returns the words of a text, each once.
    package static func words(of text: String) -> [String] {
        var seen: Set<String> = []
        return text.split { !($0.isLetter || $0.isNumber || "'’-".contains($0)) }.map(String.init)
            .filter { $0.contains(where: \.isLetter) && seen.insert($0.lowercased()).inserted }
    }

    /// Requests the meaning of a word; nil clears the last word.
    package func ask(_ word: String?, in message: ChatMessage) {
        guard let word else {
            asked = nil
            return
        }
        guard canExplain(message), asked?.word != word || asked?.meaning != .loading else { return }
        asked = AskedWord(word: word)
        let text = message.text.prefix(scalars: MeaningRequest.maximumSentenceLength)
        context.tasks.start {
            let help = await self.help { try await $0.meaning(of: word, in: text).meaning }
            if self.asked?.word == word { self.asked?.meaning = help }
        }
    }

    /// Shows the translation of a message, or hides it.
    package func toggleTranslation(of message: ChatMessage) {
        guard translations[message.id] == nil else {
            translations[message.id] = nil
            return
        }
        guard canTranslate(message) else { return }
        translations[message.id] = .loading
        let text = message.text.prefix(scalars: TranslationRequest.textLength.upperBound)
        context.tasks.start {
            let help = await self.help { try await $0.translation(of: text).translation }
            if self.translations[message.id] != nil { self.translations[message.id] = help }
        }
    }

    private func help(_ call: @escaping @Sendable (TalkCoAPI) async throws -> String) async -> Help {
        do {
            return .text(try await call(context.api))
        } catch TalkCoProblem.service {
            return .unknown
        } catch {
            return .failed(TalkCoProblem(error))
        }
    }
}
