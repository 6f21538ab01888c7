import WireKit

extension PushAddress {
    /// The address in a row of the gallery.
    var text: String {
        switch self {
        case .webPush(let subscription): subscription.endpoint
        case .apns, .ntfy: "of another kind"
        }
    }
}
