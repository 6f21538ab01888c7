import TalkCoClient
import TalkCoWire

/// A conversation that the learner chooses.
enum ConversationStart: Hashable {
    case topic(Topic)
    /// Practice of weak points.
    case practice

    /// Returns true if this choice continues the open session.
    func continues(_ open: OpenSession) -> Bool {
        guard open.phase == .conversation else { return false }
        switch self {
        case .topic(let topic): return open.mode == .conversation && open.topic?.id == topic.id
        case .practice: return open.mode == .review
        }
    }
}
