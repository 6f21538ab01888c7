package import Pager2077Wire
import StorageKit

// Wire types that columns store by their raw values.

extension HexCode: SQLValue {}
extension User.Status: SQLValue {}
extension FriendRequest.Status: SQLValue {}
extension Game: SQLValue {}
extension MessageDelivery: SQLValue {}
extension ReportReason: SQLValue {}
