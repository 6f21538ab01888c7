public import WireKit

/// Extension: the reply of `GET` and `POST /users/{id}/model`, the learner's own model for the tutor.
public struct TutorModel: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// The learner has chosen no model: the service's own tutor answers.
        case none
        /// The service is connecting to the host.
        case connecting
        /// The user of the host has to approve the learner: ``TutorModel/caller``.
        case approval
        /// The host has answered.
        case ready
        /// The last attempt failed: ``TutorModel/detail``.
        case failed
    }

    /// The Server ID of the host; null for none.
    @Nullable public var serverId: String?
    /// The raw value of a ``State``, or a value that this version does not know.
    public var state: String
    /// The name of the host; absent until the host has answered.
    public var hostName: String?
    /// The model that the host serves; absent until the host has answered, and if the host serves none.
    public var model: String?
    /// The first digits of the key by which the host knows the learner; absent before the first attempt.
    public var caller: String?
    /// The reason of the state in the service's words; absent for none.
    public var detail: String?
    /// The learner's engine.
    public var engine: EngineInfo

    public init(
        serverId: String?, state: State, hostName: String? = nil, model: String? = nil, caller: String? = nil,
        detail: String? = nil, engine: EngineInfo
    ) {
        _serverId = Nullable(wrappedValue: serverId)
        self.state = state.rawValue
        self.hostName = hostName
        self.model = model
        self.caller = caller
        self.detail = detail
        self.engine = engine
    }

    private enum CodingKeys: String, CodingKey {
        case state, model, caller, detail, engine
        case serverId = "server_id"
        case hostName = "host_name"
    }
}

/// The body of `POST /users/{id}/model`.
public struct TutorModelChoice: Codable, Hashable, Sendable {
    /// Maximum length of ``serverId``, in Unicode scalar values.
    public static let maximumLength = 512

    /// A Server ID or a link, which may carry an invitation; null for the service's own tutor.
    @Nullable public var serverId: String?

    public init(serverId: String?) { _serverId = Nullable(wrappedValue: serverId) }

    private enum CodingKeys: String, CodingKey { case serverId = "server_id" }
}
