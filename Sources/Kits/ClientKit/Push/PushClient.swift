package import WireKit

/// The system-specific part of a push registration: the user's choice, and the calls to the service.
@MainActor
package protocol PushClient: AnyObject, Sendable {
    associatedtype Content: Codable & Hashable & Sendable
    associatedtype Problem: PushProblem

    /// Maximum content that notifications may show; nil if the user wants no notifications.
    var wantedPush: Content? { get }
    /// The language of the words in notifications, as in RFC 5646.
    var pushLanguage: String { get }

    func pushOffer() async throws -> PushOffer
    /// Stores the settings of this phone at the service.
    func registerPush(_ settings: PushSettings<Content>) async throws
    /// Removes this phone's settings from the service, if it has any.
    func removePush() async throws
    /// Called after the service has stored settings.
    func didRegisterPush()
}

extension PushClient {
    package func didRegisterPush() {}
}

/// A failure of the calls that a push registration makes.
package protocol PushProblem: ClientProblem {
    static var notConnected: Self { get }
    /// True if the service does not know the path of a call.
    var isUnknownPath: Bool { get }
}
