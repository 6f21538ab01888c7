import Foundation
package import Pager2077Wire
import StorageKit
import WireKit

/// An action of the operator.
package enum OperatorOrder: Codable, Hashable, Sendable {
    /// Deletes an account, and closes the reports of it.
    case deleteAccount(HexCode)
    /// Closes a report by its number, with the others of the same user and message.
    case closeReport(Int64)
}

extension WriteTransaction {
    /// Carries out an order.
    ///
    /// - Returns: False if there is no such account or report; and the id of a deleted account.
    func carryOut(_ order: OperatorOrder, at time: Timestamp) throws -> (isFound: Bool, deleted: User.ID?) {
        switch order {
        case .deleteAccount(let code):
            guard let user = try user(hexCode: code) else { return (false, nil) }
            try closeReports(of: user.id)
            try delete(user, at: time)
            return (true, user.id)
        case .closeReport(let id): return (try closeReport(id), nil)
        }
    }
}
