import LocalLLMWire
import WireKit

/// The answer in progress, until its end is stored. Used by the host's actor only.
final class LiveAnswer {
    let key: AnswerKey
    let start: ChatStart
    /// True if the phone accepts ``Feature/resume``: pieces are stored before they are sent, and outlive the connection.
    let isStored: Bool
    /// The id of the answer in the store; nil until it is stored.
    var storeID: Int64?
    /// The pieces that may be sent to phones. The piece with the number n is at n - 1.
    private(set) var pieces: [Piece] = []
    /// Text of the engine that is not in ``pieces`` yet.
    private(set) var unstored = ""
    /// Size of all text, in bytes.
    private(set) var size = 0
    private(set) var progress: ChatProgress?
    /// Count of the progress reports to send.
    private(set) var progressCount = 0
    /// Count of the earlier turns that the model did not get.
    var omitted = 0
    /// The end of the answer; nil until everything before it is in ``pieces``.
    var ending: Ending?
    /// True once the engine has ended.
    var isSaid = false
    /// The ending of a generation that was stopped, after which no piece is sent; nil for others.
    var stopped: Ending?

    /// The bell that wakes the task that stores text.
    let textBell = Bell()
    /// The bell that wakes the engine, which waits while too much text is not stored.
    let roomBell = Bell()
    /// The bell that ends the generation.
    let stopBell = Bell()

    /// Maximum size of ``unstored`` before the engine waits, in bytes.
    static let maximumUnstored = 65_536

    init(_ key: AnswerKey, _ start: ChatStart) {
        (self.key, self.start) = (key, start)
        isStored = start.accept.contains(.resume)
    }

    var hasText: Bool { size > 0 }
    var isStoredCompletely: Bool { isSaid && unstored.isEmpty }
    var isFull: Bool { unstored.utf8.count > Self.maximumUnstored }

    /// Appends text of the engine.
    ///
    /// - Returns: False when the answer has reached ``Limits/answerSize``. The text is cut there.
    func receive(_ text: String) -> Bool {
        let kept = text.prefix(utf8: Limits.answerSize - size)
        unstored += kept
        size += kept.utf8.count
        return kept.utf8.count == text.utf8.count
    }

    /// Removes the unstored text and returns it as pieces.
    func takeUnstored() -> [Piece] {
        let first = Int64(pieces.count) + 1
        let texts = ChunkSize.split(unstored)
        unstored = ""
        return texts.enumerated().map { Piece(seq: first + Int64($0), text: $1) }
    }

    func publish(_ new: [Piece]) { pieces += new }

    func report(_ new: ChatProgress) {
        guard new != progress else { return }
        progress = new
        progressCount += 1
    }

    func repeatProgress() { if progress != nil { progressCount += 1 } }

    /// Returns the text after a piece, as much as fits into one chunk; nil if there is none.
    func piece(after seq: Int64) -> Piece? {
        guard stopped == nil, seq >= 0, seq < pieces.count else { return nil }
        var joined = Piece(seq: seq, text: "")
        var size = ChunkSize()
        for piece in pieces[Int(seq)...] {
            guard size.add(piece.text) else { break }
            joined.text += piece.text
            joined.seq = piece.seq
        }
        return joined
    }
}
