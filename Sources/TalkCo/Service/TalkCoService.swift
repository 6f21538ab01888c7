/// TalkCo's backend: spoken conversations with a tutor, and their reviews.
///
/// Contract: `Docs/Protocols/TalkCo.md`.
public enum TalkCoService {
    public static let name = "talkco"
    /// The contract's port for a backend alone.
    public static let standardPort = 8000
}
