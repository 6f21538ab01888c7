/// The texts that an agent, or a sub-agent, is writing, until their final form arrives.
struct StreamedTexts: Sendable {
    private struct Block: Sendable {
        let id: String
        var text = ""
        var length = 0
        /// True if the request for the message has failed since the last piece.
        var isDoubtful = false
    }

    /// Maximum length of a text that is kept in case its final form never arrives, in bytes.
    private static let maximumKeptLength = 1_048_576
    /// Maximum texts that are written at once, and maximum ``spare`` ids. Further texts are shown only when complete.
    private static let maximumCount = 100

    private var message: String?
    /// The open texts by their index in the message.
    private var blocks: [Int: Block] = [:]
    /// Ids of texts that the agent gave up. New texts reuse them, so that no reader keeps an unfinished text.
    private var spare: [String] = []

    /// Starts another message.
    mutating func begin(_ message: String?) {
        spare = (spare + blocks.sorted { $0.key < $1.key }.map(\.value.id)).suffix(Self.maximumCount)
        (self.message, blocks) = (message, [:])
    }

    /// Gives up the texts of the current message from an index on.
    ///
    /// - Returns: The ids of the given-up texts that have pieces.
    mutating func abandon(_ message: String?, from index: Int) -> [String] {
        guard message == nil || message == self.message else { return [] }
        let given = blocks.filter { $0.key >= index }.sorted { $0.key < $1.key }.map(\.value)
        blocks = blocks.filter { $0.key < index }
        spare = (spare + given.map(\.id)).suffix(Self.maximumCount)
        return given.filter { $0.length > 0 }.map(\.id)
    }

    /// Records that a request has failed: texts that are neither continued nor completed afterwards are not kept.
    mutating func doubt() { for index in blocks.keys { blocks[index]?.isDoubtful = true } }

    /// True if no text is being written.
    var isIdle: Bool { blocks.isEmpty && spare.isEmpty }

    mutating func open(_ index: Int, id: @autoclosure () -> String) {
        guard blocks[index] == nil, blocks.count < Self.maximumCount else { return }
        blocks[index] = Block(id: spare.isEmpty ? id() : spare.removeFirst())
    }

    /// - Returns: Nil for a text beyond the limit.
    mutating func append(_ piece: String, to index: Int, id: @autoclosure () -> String) -> AgentPartialText? {
        open(index, id: id())
        // Removed during the change, so that appending does not copy the text.
        guard var block = blocks.removeValue(forKey: index) else { return nil }
        let partial = AgentPartialText(id: block.id, offset: block.length, piece: piece)
        block.length += piece.utf8.count
        block.isDoubtful = false
        if block.length <= Self.maximumKeptLength { block.text += piece }
        blocks[index] = block
        return partial
    }

    /// Closes the first open text of a message and returns its id; nil if none of the texts was streamed.
    mutating func close(of message: String?) -> String? {
        guard message == self.message, let first = blocks.min(by: { $0.key < $1.key }) else { return nil }
        blocks[first.key] = nil
        return first.value.id
    }

    /// Ends all texts. Returns those without a final form, as far as they were streamed.
    mutating func finish() -> [AgentText] {
        defer { (message, blocks, spare) = (nil, [:], []) }
        return blocks.sorted { $0.key < $1.key }.map(\.value).filter { !$0.text.isEmpty && !$0.isDoubtful }.map {
            AgentText(id: $0.id, text: $0.text)
        }
    }
}
