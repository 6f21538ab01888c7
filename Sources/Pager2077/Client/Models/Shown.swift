package import Foundation
package import Pager2077Wire
import QRCode
package import WireKit

// Names of users: the chosen name, else the code.

extension Friend {
    package var shownName: String { displayName ?? hexCode.rawValue }
}

extension PendingFriendRequest {
    package var shownName: String { fromUserDisplayName ?? fromUserHexCode.rawValue }
}

extension BlockedUser {
    package var shownName: String { displayName ?? hexCode.rawValue }
}

extension Conversation {
    package var shownName: String { friendDisplayName ?? friendHexCode.rawValue }
}

extension Message {
    /// The time at which the service accepted the message.
    package var sentAt: Date { timestamp.date }
}

extension HexCode {
    /// Returns the link that opens ADD FRIEND with this code; the code alone if the app has no address.
    package func link(to app: URL?) -> String { app.map { "\($0.absoluteString)#\(Self.linkKey)=\(rawValue)" } ?? rawValue }

    /// Reads the code of a link that ``link(to:)`` made.
    package init?(link: URL) {
        let parts = (link.fragment ?? "").split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.linkKey else { return nil }
        self.init(rawValue: String(parts[1]))
    }

    private static let linkKey = "add"

    /// Encodes text as a QR symbol: rows of modules, true where dark. Empty if the text is too long.
    package static func qrModules(of text: String) -> [[Bool]] {
        guard let symbol = try? QRSymbol(text) else { return [] }
        return (0..<symbol.size).map { row in (0..<symbol.size).map { symbol[row, $0] } }
    }
}

extension Identifier {
    /// Makes an identifier from text that the App has stored. The App does not import WireKit.
    package init(stored text: String) { self.init(text) }
}
