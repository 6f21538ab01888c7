public import Foundation
public import Pager2077Wire
import QRCode
import WireKit

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
    /// The code as a QR symbol: rows of modules, true where dark.
    public var qrModules: [[Bool]] {
        // Eight letters always fit.
        guard let symbol = try? QRSymbol(rawValue) else { return [] }
        return (0..<symbol.size).map { row in (0..<symbol.size).map { symbol[row, $0] } }
    }
}
