public import Foundation
public import Pager2077Wire
import QRCode
public import WireKit

// How things of the service are shown: a name where there is one, else the code.

extension Friend {
    public var shownName: String { displayName ?? hexCode.rawValue }
}

extension PendingFriendRequest {
    public var shownName: String { fromUserDisplayName ?? fromUserHexCode.rawValue }
}

extension Conversation {
    public var shownName: String { friendDisplayName ?? friendHexCode.rawValue }
}

extension Message {
    /// When the service accepted it.
    public var sentAt: Date { timestamp.date }
}

extension HexCode {
    /// The link that opens ADD FRIEND with this code; the code alone where the app has no address.
    public func link(to app: URL?) -> String { app.map { "\($0.absoluteString)#\(Self.linkKey)=\(rawValue)" } ?? rawValue }

    /// The code of a link that ``link(to:)`` made.
    public init?(link: URL) {
        let parts = (link.fragment ?? "").split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.linkKey else { return nil }
        self.init(rawValue: String(parts[1]))
    }

    private static let linkKey = "add"

    /// Text as a QR symbol: rows of modules, true where dark. Empty where the text is too long.
    public static func qrModules(of text: String) -> [[Bool]] {
        guard let symbol = try? QRSymbol(text) else { return [] }
        return (0..<symbol.size).map { row in (0..<symbol.size).map { symbol[row, $0] } }
    }
}

extension Identifier {
    /// An identifier from text that the App has kept. The App does not know WireKit.
    public init(kept text: String) { self.init(text) }
}
