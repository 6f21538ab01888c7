import Pager2077Wire

/// Unsent text by chat, in the form in which it is saved. Bounded: the draft that was changed longest ago is dropped first.
struct Drafts: Codable, Hashable, Sendable {
    static let maximumCount = 64
    /// Maximum length of all drafts together, in UTF-8 bytes.
    static let maximumLength = 24_576
    /// Maximum length of one draft, in UTF-8 bytes: more than any message that can be sent.
    static let maximumDraftLength = 4000

    private struct Draft: Codable, Hashable, Sendable {
        var friend: User.ID
        var text: String
    }
    /// The drafts, the latest last.
    private var drafts: [Draft] = []

    subscript(friend: User.ID) -> String {
        get { drafts.first { $0.friend == friend }?.text ?? "" }
        set {
            drafts.removeAll { $0.friend == friend }
            guard !newValue.isEmpty, newValue.utf8.count <= Self.maximumDraftLength else { return }
            drafts.append(Draft(friend: friend, text: newValue))
            while drafts.count > Self.maximumCount || length > Self.maximumLength { drafts.removeFirst() }
        }
    }

    private var length: Int { drafts.reduce(0) { $0 + $1.text.utf8.count } }
}
