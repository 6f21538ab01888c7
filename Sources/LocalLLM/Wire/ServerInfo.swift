/// The host's introduction: the first message on every accepted connection, sent again when a field changes.
public struct ServerInfo: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        case ready
        /// An answer is being generated, for this client or another one.
        case busy
    }

    public var hostName: String
    /// The model that answers unless a request names another one. Empty while the host knows none.
    public var model: String
    public var status: Status
    public var features: [Feature]
    /// The models to choose from, with ``Feature/models``.
    public var models: [String]

    /// The keys of new phones that wait for an approval, in hexadecimal. Sent to phones that may decide about them.
    public var waiting: [String]

    public init(
        hostName: String, model: String, status: Status, features: [Feature] = [], models: [String] = [], waiting: [String] = []
    ) {
        (self.hostName, self.model, self.status) = (hostName, model, status)
        (self.features, self.models, self.waiting) = (features, models, waiting)
    }
}

/// A decision of a known phone about a new one.
public struct ApprovalDecision: Hashable, Sendable {
    /// An element of ``ServerInfo/waiting``.
    public var phone: String
    public var isApproved: Bool

    public init(phone: String, isApproved: Bool) { (self.phone, self.isApproved) = (phone, isApproved) }
}
