import MarkdownKit
import SwiftUI
import ViewKit

/// A parser of a text that may grow, which parses each piece once.
@MainActor @Observable
final class GrowingMarkdown {
    /// Changes when a long piece is parsed, so that the view that shows it is evaluated again.
    private var parseCount = 0
    @ObservationIgnored private let reader = MarkdownReader()
    @ObservationIgnored private var text = ""
    @ObservationIgnored private var isWriting = true

    nonisolated init() {}
    nonisolated deinit {}

    func document(of text: String, isWriting: Bool) -> MarkdownDocument {
        _ = parseCount
        guard text != self.text || isWriting != self.isWriting else { return reader.document }
        if !self.isWriting || !text.continues(self.text) {
            reader.restart()
            self.text = ""
        }
        reader.didParse = { [weak self] in self?.parseCount += 1 }
        reader.append(String(decoding: text.utf8.dropFirst(self.text.utf8.count), as: UTF8.self))
        if !isWriting { reader.finish() }
        (self.text, self.isWriting) = (text, isWriting)
        return reader.document
    }
}
