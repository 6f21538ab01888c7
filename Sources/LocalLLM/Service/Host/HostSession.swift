import LocalLLMWire
import NetworkingKit
import WireKit

/// The host's side of the connection of one phone, with the messages to write. Used by the host's actor only.
///
/// Answers are not copied for a phone. The writer takes the next message when the stream has room for it, so a phone that does
/// not read neither delays others nor fills memory.
final class HostSession {
    /// A request whose answer is sent to this phone.
    struct Follow {
        enum Source {
            case live(LiveAnswer)
            case stored(Int64, Ending)
        }

        var request: RequestID
        var source: Source
        /// The number of the last piece that was sent.
        var cursor: Int64
        /// True if the phone accepts ``Feature/resume``.
        var isNumbered: Bool
        /// True if the phone accepts ``Feature/progress``.
        var wantsProgress: Bool
        /// The value of ``LiveAnswer/progressCount`` when progress was last sent.
        var progressCount = 0
    }

    /// The next thing to write.
    enum Next {
        case message(Message)
        /// A stored answer, whose text has to be read first.
        case stored(RequestID, Int64, Ending, after: Int64)
        case close
        case nothing
    }

    /// Maximum replies and answers that wait for a phone. Further messages of the phone are not read until there is room.
    private static let maximumReplies = 16
    private static let maximumFollows = 8

    let stream: any ByteStream
    var phone: PeerKey { stream.remoteKey }
    /// The bell that wakes the writer.
    let bell = Bell()
    /// The bell that wakes the reader, which waits while ``isFull``.
    let roomBell = Bell()

    /// True if the phone may stay, and may decide about new phones.
    let isKnown: Bool
    /// The time of the phone's last message, or of its connection, since the start of the host.
    var lastActivity: Duration

    private var sentInfo: ServerInfo?
    private var replies: [Message] = []
    private(set) var follows: [Follow] = []
    private(set) var isClosing = false
    /// True if the last call of ``next(info:)`` found nothing.
    private(set) var isIdle = false
    /// The number of the message that the stream has no room for yet; nil for none.
    private var pendingWrite: Int?
    /// The value of ``pendingWrite`` at the last check.
    private var checkedWrite: Int?
    private var writeCount = 0

    init(_ stream: any ByteStream, isKnown: Bool, now: Duration) {
        (self.stream, self.isKnown, lastActivity) = (stream, isKnown, now)
    }

    var isFull: Bool { replies.count >= Self.maximumReplies || follows.count >= Self.maximumFollows }

    func willWrite() {
        writeCount += 1
        pendingWrite = writeCount
    }

    func didWrite() { pendingWrite = nil }

    /// - Returns: True if the stream has had no room for the same message since the last call.
    func hasStalled() -> Bool {
        defer { checkedWrite = pendingWrite }
        return pendingWrite != nil && pendingWrite == checkedWrite
    }

    func wake() {
        isIdle = false
        bell.ring()
    }

    func reply(_ message: Message) {
        replies.append(message)
        wake()
    }

    /// Closes the stream after all messages are written, including the phone's answers unless they are dropped.
    func close(droppingAnswers: Bool = false) {
        isClosing = true
        if droppingAnswers { follows = [] }
        wake()
    }

    func follow(_ request: RequestID, _ source: Follow.Source, _ start: ChatStart) {
        // A repeated request continues from its own sequence number.
        follows.removeAll { $0.request == request }
        follows.append(
            Follow(
                request: request, source: source, cursor: start.after, isNumbered: start.accept.contains(.resume),
                wantsProgress: start.accept.contains(.progress)))
        wake()
    }

    func isFollowing(_ answer: LiveAnswer) -> Bool {
        follows.contains { if case .live(let own) = $0.source { own === answer } else { false } }
    }

    func isFollowing(_ request: RequestID) -> Bool { follows.contains { $0.request == request } }

    /// Switches an answer that has ended from memory to the store.
    func release(_ answer: LiveAnswer, _ id: Int64, _ ending: Ending) {
        for index in follows.indices {
            guard case .live(let own) = follows[index].source, own === answer else { continue }
            // Nothing is sent after a stop.
            if answer.stopped != nil { follows[index].cursor = .max }
            follows[index].source = .stored(id, ending)
        }
    }

    /// The finished answers that were not sent to their end.
    var unsentAnswers: [Int64] {
        follows.compactMap { if case .stored(let id, .finished(let reason, _)) = $0.source, reason != .abort { id } else { nil } }
    }

    /// Returns the next thing to write.
    func next(info: ServerInfo) -> Next {
        if sentInfo != info {
            sentInfo = info
            return .message(.serverInfo(info))
        }
        if !replies.isEmpty {
            roomBell.ring()
            return .message(replies.removeFirst())
        }
        for index in follows.indices {
            let follow = follows[index]
            switch follow.source {
            case .stored(let id, let ending): return .stored(follow.request, id, ending, after: follow.cursor)
            case .live(let answer):
                if let piece = answer.piece(after: follow.cursor) {
                    follows[index].cursor = piece.seq
                    return .message(chunk(piece, of: follow))
                }
                if let ending = answer.ending {
                    end(follow.request)
                    return .message(ending.message(follow.request))
                }
                if follow.wantsProgress, !answer.hasText, let progress = answer.progress,
                    follow.progressCount < answer.progressCount
                {
                    follows[index].progressCount = answer.progressCount
                    return .message(.chatProgress(follow.request, progress))
                }
            }
        }
        isIdle = true
        return isClosing && follows.isEmpty ? .close : .nothing
    }

    /// Returns the message for a piece of a stored answer that ``next(info:)`` asked for; nil if the request was repeated.
    ///
    /// - Parameter piece: Nil when the answer was removed meanwhile; a piece without text at its end.
    func message(_ piece: Piece?, of request: RequestID, _ ending: Ending) -> Message? {
        // The phone may have repeated its request meanwhile.
        guard let index = follows.firstIndex(where: { $0.request == request }), case .stored = follows[index].source else {
            return nil
        }
        guard let piece else {
            end(request)
            return .error(request, .notKept)
        }
        guard !piece.text.isEmpty else {
            end(request)
            return ending.message(request)
        }
        follows[index].cursor = piece.seq
        return .chatChunk(request, ChatChunk(piece.text, seq: piece.seq))
    }

    private func chunk(_ piece: Piece, of follow: Follow) -> Message {
        .chatChunk(follow.request, ChatChunk(piece.text, seq: follow.isNumbered ? piece.seq : nil))
    }

    private func end(_ request: RequestID) {
        follows.removeAll { $0.request == request }
        roomBell.ring()
    }
}

extension ErrorReport {
    static let notKept = ErrorReport(.generationFailed, "The answer is no longer kept. Send the prompt again.")
}
