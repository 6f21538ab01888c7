import Foundation

/// The voices of the last answers.
@MainActor
struct RecentAudio {
    static let maximumCount = 8
    /// Maximum size of all voices together, in bytes. The newest voice is kept at any size.
    static let maximumSize = 8 * 1_048_576

    private var entries: [(message: ChatMessage.ID, audio: AnswerAudio)] = []

    nonisolated init() {}

    subscript(message: ChatMessage.ID) -> AnswerAudio? { entries.last { $0.message == message }?.audio }

    mutating func add(_ audio: AnswerAudio, of message: ChatMessage.ID) {
        entries.removeAll { $0.message == message }
        entries.append((message, audio))
        trim()
    }

    mutating func remove(_ message: ChatMessage.ID) { entries.removeAll { $0.message == message } }

    /// Removes the oldest voices over the limits.
    mutating func trim() {
        var size = 0
        let kept = entries.reversed().prefix(Self.maximumCount).prefix { entry in
            defer { size += entry.audio.samples.count }
            return size == 0 || size + entry.audio.samples.count <= Self.maximumSize
        }
        entries = kept.reversed()
    }
}
