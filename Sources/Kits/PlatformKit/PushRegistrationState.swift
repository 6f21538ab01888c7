/// The state of the registration of a phone for notifications of a push service.
package enum PushRegistrationState<Problem: Hashable & Sendable>: Hashable, Sendable {
    case off
    /// The service or the push service has not answered yet.
    case connecting
    case on
    /// The phone does not allow notifications.
    case blocked
    /// The app is on a page that is not secure: the browser gives it no notifications (``Phone/isSecure``).
    case insecure
    /// This phone has no push service that the service can use. The app shows notifications only while it runs.
    case noService
    /// The service does not offer notifications.
    case notOffered
    /// A temporary failure is retried.
    case failed(Problem)
}
