/// The texts that an agent, or a sub-agent, is writing, until their final form arrives.
struct StreamedTexts: Sendable {
    private struct Block: Sendable {
        let id: String
        var text = ""
        var length = 0
    }

    /// The maximum length of a text that is kept in case its final form never comes, in bytes.
    private static let maximumKeptLength = 1_048_576
    /// The number of texts that are written at once, and of those that were given up. Further ones are seen when they are complete.
    private static let maximumCount = 100

    private var message: String?
    /// The open texts by their index in the message.
    private var blocks: [Int: Block] = [:]
    /// Ids of texts that the agent gave up. The next text takes one, so that no reader keeps a piece without an end.
    private var spare: [String] = []

    /// Starts another message.
    mutating func begin(_ message: String?) {
        spare = (spare + blocks.sorted { $0.key < $1.key }.map(\.value.id)).suffix(Self.maximumCount)
        (self.message, blocks) = (message, [:])
    }

    /// True if no text is being written.
    var isIdle: Bool { blocks.isEmpty && spare.isEmpty }

    mutating func open(_ index: Int, id: @autoclosure () -> String) {
        guard blocks[index] == nil, blocks.count < Self.maximumCount else { return }
        blocks[index] = Block(id: spare.isEmpty ? id() : spare.removeFirst())
    }

    /// - Returns: Nil for a text beyond the limit.
    mutating func append(_ piece: String, to index: Int, id: @autoclosure () -> String) -> AgentPartialText? {
        open(index, id: id())
        // In place: a copy would copy the text.
        guard var block = blocks.removeValue(forKey: index) else { return nil }
        let partial = AgentPartialText(id: block.id, offset: block.length, piece: piece)
        block.length += piece.utf8.count
        if block.length <= Self.maximumKeptLength { block.text += piece }
        blocks[index] = block
        return partial
    }

    /// The id of the next final text of a message; nil if none of its texts was streamed.
    mutating func close(of message: String?) -> String? {
        guard message == self.message, let first = blocks.min(by: { $0.key < $1.key }) else { return nil }
        blocks[first.key] = nil
        return first.value.id
    }

    /// The texts without a final form, as far as they were streamed.
    mutating func finish() -> [AgentText] {
        defer { (message, blocks, spare) = (nil, [:], []) }
        return blocks.sorted { $0.key < $1.key }.map(\.value).filter { !$0.text.isEmpty }.map {
            AgentText(id: $0.id, text: $0.text)
        }
    }
}
