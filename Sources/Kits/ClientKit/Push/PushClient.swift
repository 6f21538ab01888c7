package import WireKit

/// The part of a push registration that is a system's own: what its user wants, and the calls to its service.
@MainActor
package protocol PushClient: AnyObject, Sendable {
    associatedtype Content: Codable & Hashable & Sendable
    associatedtype Problem: PushProblem

    /// The most that notifications may show; nil: the user wants none.
    var wantedPush: Content? { get }
    /// The language of the words in notifications, as in RFC 5646.
    var pushLanguage: String { get }

    func pushOffer() async throws -> PushOffer
    /// Stores the settings of this phone at the service.
    func registerPush(_ settings: PushSettings<Content>) async throws
    /// Removes them, unless the service has none.
    func removePush() async throws
    /// The service has stored settings.
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
