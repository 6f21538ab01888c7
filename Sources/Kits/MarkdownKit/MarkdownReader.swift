/// A text in Markdown that arrives in pieces, and its document. Short pieces are parsed at once, long ones off the main actor.
@MainActor
package final class MarkdownReader {
    /// The blocks of the text that is parsed so far.
    package private(set) var document = MarkdownDocument()
    /// Called when ``document`` has changed by a long piece.
    package var didParse: @MainActor () -> Void = {}

    /// Maximum length of text that is parsed at once, in UTF-8 bytes.
    package nonisolated static let immediateLength = 4096

    /// The text that is not parsed yet.
    private var waiting = ""
    private var isEnded = false
    private var parsing: Task<Void, Never>?

    package nonisolated init() {}

    deinit { parsing?.cancel() }

    /// Adds text at the end. Ignored after ``finish()``.
    package func append(_ text: String) {
        guard !isEnded else { return }
        waiting += text
        parse()
    }

    /// Ends the text: ``MarkdownDocument/finish()``.
    package func finish() {
        guard !isEnded else { return }
        isEnded = true
        parse()
    }

    /// Begins another text.
    package func restart() {
        parsing?.cancel()
        (parsing, waiting, isEnded, document) = (nil, "", false, MarkdownDocument())
    }

    /// True if ``document`` has the whole text.
    var isIdle: Bool { parsing == nil }

    private func parse() {
        guard parsing == nil else { return }
        let (text, ends) = (waiting, isEnded)
        waiting = ""
        guard text.utf8.count > Self.immediateLength else {
            document.append(text)
            if ends { document.finish() }
            return
        }
        parsing = Task { [weak self, document] in
            let longer = await Self.document(document, with: text, ends: ends)
            guard let self, !Task.isCancelled else { return }
            (self.document, parsing) = (longer, nil)
            if !waiting.isEmpty || isEnded != ends { parse() }
            didParse()
        }
    }

    @concurrent private nonisolated static func document(
        _ document: MarkdownDocument, with text: String, ends: Bool
    ) async -> MarkdownDocument {
        var document = document
        document.append(text)
        if ends { document.finish() }
        return document
    }
}
