import LocalLLMWire
import StorageKit
import TalkCoWire
import WireKit

extension ReadTransaction {
    /// Returns the host that a learner has chosen as the tutor's model; nil for none.
    func modelChoice(of user: Learner.ID, from network: CallerNetwork) throws -> ModelChoice? {
        let text = try first(
            "SELECT model_host FROM profiles WHERE user_id = ? AND model_host IS NOT NULL", user, as: String.self)
        return text.flatMap { ServerID(text: $0) }.map { ModelChoice(learner: user, host: $0, network: network) }
    }
}

extension WriteTransaction {
    /// - Parameter host: The chosen host; nil to remove the choice.
    func setModelHost(_ host: ServerID?, of user: Learner.ID, at time: Timestamp) throws {
        _ = try ensureProfile(of: user, at: time)
        try execute("UPDATE profiles SET model_host = ?2, updated_at = ?3 WHERE user_id = ?1", user, host?.text, time)
    }
}
