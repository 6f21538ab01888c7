/// The languages that notifications are written in.
package enum NotificationLanguage: Hashable, Sendable {
    case english, korean

    /// - Parameter tag: A language tag of RFC 5646. Unknown languages are English.
    package init(_ tag: String) {
        let primary = tag.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        self = primary.lowercased() == "ko" ? .korean : .english
    }
}
