import LocalLLMWire
import WireKit

/// The answer that is being generated, or just was. Used by the host's actor only.
final class LiveAnswer {
    let key: AnswerKey
    let start: ChatStart
    /// True if the phone accepts ``Feature/resume``: the pieces are stored before they are sent, and the generation survives the connection.
    let isStored: Bool
    /// The answer in the store, once it is there.
    var storeID: Int64?
    /// The pieces that phones may be sent. The piece with the number n is at n - 1.
    private(set) var pieces: [Piece] = []
    /// Text of the engine that is not in ``pieces`` yet.
    private(set) var unstored = ""
    /// The size of all text in bytes.
    private(set) var size = 0
    private(set) var progress: ChatProgress?
    /// The number of times that the progress has to be sent.
    private(set) var progressCount = 0
    /// The number of earlier turns that the model was not given.
    var omitted = 0
    /// The end, once everything before it is in ``pieces``.
    var ending: Ending?
    /// The engine has said everything.
    var isSaid = false
    /// The ending of a generation that was stopped. From then on no further piece is sent.
    var stopped: Ending?

    /// Wakes the task that stores text.
    let textBell = Bell()
    /// Wakes the engine, which waits while too much text is not stored.
    let roomBell = Bell()
    /// Ends the generation.
    let stopBell = Bell()

    /// The size of ``unstored`` above which the engine waits, in bytes.
    static let maximumUnstored = 65_536

    init(_ key: AnswerKey, _ start: ChatStart) {
        (self.key, self.start) = (key, start)
        isStored = start.accept.contains(.resume)
    }

    var hasText: Bool { size > 0 }
    var isStoredCompletely: Bool { isSaid && unstored.isEmpty }
    var isFull: Bool { unstored.utf8.count > Self.maximumUnstored }

    /// Takes text of the engine.
    ///
    /// - Returns: False when the answer has reached ``Limits/answerSize``. The text is cut there.
    func receive(_ text: String) -> Bool {
        let kept = text.prefix(utf8: Limits.answerSize - size)
        unstored += kept
        size += kept.utf8.count
        return kept.utf8.count == text.utf8.count
    }

    /// Removes the text that is not stored yet, as pieces.
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

    /// The text after a piece, as much as fits into one chunk. Nil when there is none.
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
