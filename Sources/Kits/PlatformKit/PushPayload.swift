/// A push of Apple's push service as the system hands it to the app.
package struct PushPayload: Hashable, Sendable {
    /// The text fields other than `aps`.
    package let fields: [String: String]
    /// True if the push has no alert, so that the system shows nothing.
    package let isSilent: Bool

    package init(_ members: [AnyHashable: Any]) {
        isSilent = (members["aps"] as? [AnyHashable: Any]).map { $0["alert"] == nil } ?? false
        fields = members.reduce(into: [:]) { fields, member in
            if let key = member.key as? String, let value = member.value as? String { fields[key] = value }
        }
    }
}
