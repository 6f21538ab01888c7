import Logging
import Pager2077Wire
import StorageKit
import WireKit

/// Reports of users and messages to the operator of the service. The reported user learns nothing.
struct Reports: Sendable {
    let store: Database
    let pushes: PagerPushes
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Stores a report, and blocks the reported user if the report says so. A repeated report replaces the earlier one.
    func report(_ creation: ReportCreation, by id: User.ID) async throws {
        try await store.write { [now, pushes, logger] transaction in
            let caller = try transaction.caller(id)
            guard let reported = try transaction.user(creation.userId) else { throw PagerError.userNotFound() }
            if reported.id == id { throw PagerError.invalidInput("Cannot report yourself") }
            var message: (text: String, at: Timestamp)?
            if let messageID = creation.messageId {
                message = try transaction.message(messageID, from: reported.id, to: id)
                if message == nil { throw PagerError(.notFound, "Message not found") }
            }
            let time = now()
            try transaction.store(creation, by: id, of: reported, message, at: time)
            if creation.blocks { try transaction.block(reported.id, by: caller, at: time, pushes) }
            // A log entry for the operator, without names.
            transaction.onCommit {
                logger.notice("A user was reported", metadata: ["pager.report.reason": "\(creation.reason.rawValue)"])
            }
        }
    }
}
