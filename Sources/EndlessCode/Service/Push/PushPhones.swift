package import EndlessCodeWire
import PushKit
import StorageKit
import WireKit

extension PushContent: SQLValue {}

/// The phones that want notifications.
enum PushPhones: PhoneTable {
    typealias Content = PushContent

    static let (name, key) = ("push_phones", "phone")
    /// The number of phones with notifications. A further one replaces the one whose settings are the oldest.
    static let maximumCount = 20

    static func phone(of entry: PushEntry) -> PushPhone.ID? { PushPhone.ID(entry.recipient) }

    static func alert(
        for entry: PushEntry, to record: PushRecord<PushPhones>, in transaction: ReadTransaction
    ) throws -> PushAlert? {
        PushAlert(
            try WireJSON.decode(from: entry.content), showing: record.settings.content, in: record.settings.language)
    }
}

extension ReadTransaction {
    /// The phones with notifications.
    func pushPhones() throws -> [PushPhone.ID] { try all("SELECT phone FROM push_phones ORDER BY phone") }
}

extension WriteTransaction {
    /// - Parameter token: The hash of the token that the phone has.
    func store(_ settings: PushSettings<PushContent>, of phone: PushPhone.ID, at time: Timestamp, token: String) throws {
        let address = settings.address
        try execute(
            """
            REPLACE INTO push_phones (phone, address, address_key, content, language, environment, set_at, token)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, phone, address, address.key, settings.content, settings.language, address.environment, time, token)
        try execute(
            "DELETE FROM push_phones WHERE phone NOT IN (SELECT phone FROM push_phones ORDER BY set_at DESC, phone LIMIT ?)",
            PushPhones.maximumCount)
    }

    /// Removes the settings of phones that came with another token.
    func removePush(exceptWith token: String) throws { try execute("DELETE FROM push_phones WHERE token <> ?", token) }
}
