import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// The Live Activity of one friend on one device: a push has started it, or is about to.
///
/// ```
///   message ─▶ no activity of its sender on the device ─▶ start ──accepted, or result unknown──▶ kept for its lifetime
///                                                           └──refused──▶ forgotten; the alert goes out in its place
///   message ─▶ activity of its sender ─▶ alert
/// ```
/// The system ends an activity after eight hours, and may show it on the lock screen for four more. The service has no update
/// tokens, so that it can neither change nor end an activity.
enum StartedActivity {
    /// Maximum time that an activity stays on a phone.
    static let lifetime: Duration = .seconds(12 * 3600)

    static let migration = Migration(
        "pager-5-activities",
        script: """
            CREATE TABLE activities (
                "user" TEXT NOT NULL,
                -- The target of the outbox: a device, or the registered phone.
                target TEXT NOT NULL,
                sender TEXT NOT NULL,
                -- The notification that starts it.
                origin INTEGER NOT NULL,
                started_at INTEGER NOT NULL,
                PRIMARY KEY ("user", target, sender)
            ) WITHOUT ROWID;
            """)
}

extension WriteTransaction {
    /// Reserves the activity of a message's sender on a device.
    ///
    /// - Returns: False if another message's activity holds the reservation.
    func reserveActivity(_ entry: PushEntry, from sender: User.ID, on target: String, at time: Timestamp) throws -> Bool {
        let origin = try first(
            #"SELECT origin FROM activities WHERE "user" = ? AND target = ? AND sender = ? AND started_at > ?"#, entry.recipient,
            target, sender, time - StartedActivity.lifetime, as: Int64.self)
        if let origin { return origin == entry.origin }
        try execute(
            """
            INSERT INTO activities ("user", target, sender, origin, started_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT ("user", target, sender) DO UPDATE SET origin = excluded.origin, started_at = excluded.started_at
            """, entry.recipient, target, sender, entry.origin, time)
        return true
    }

    /// Releases the reservation, unless the entry has started its activity or may have started it.
    func settleActivity(of entry: PushEntry, from sender: User.ID, by receipt: PushReceipt?) throws {
        guard let target = entry.target else { return }
        if case .apns(let apns)? = receipt?.route, apns.notification.kind == .liveActivity { return }
        if receipt == nil, entry.isResultUnknown { return }
        try execute(
            #"DELETE FROM activities WHERE "user" = ? AND target = ? AND sender = ? AND origin = ?"#, entry.recipient, target,
            sender, entry.origin)
    }

    /// Forgets the activities of a device on which the user has switched them off, which removes them.
    func forgetActivities(of user: User.ID, on target: String) throws {
        try execute(#"DELETE FROM activities WHERE "user" = ? AND target = ?"#, user, target)
    }

    /// Forgets the activities that are on no phone any more. Called periodically.
    func removeEndedActivities(at time: Timestamp) throws {
        try execute("DELETE FROM activities WHERE started_at <= ?", time - StartedActivity.lifetime)
    }
}
