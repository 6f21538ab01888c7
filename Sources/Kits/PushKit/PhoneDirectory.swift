import Foundation
import ServerKit
package import StorageKit
package import WireKit

/// A service's table of the phones that want notifications, each with one address.
///
/// The columns are the phone, those of ``PushRecord`` (`address`, `content`, `language`, `environment`, `set_at`), `address_key`, which is
/// unique, and others of the service. An address belongs to the last phone that names it: storing it removes the row of an earlier one.
package protocol PhoneTable: Sendable {
    associatedtype Phone: SQLValue & Sendable
    associatedtype Content: SQLValue & Codable & Hashable & Sendable

    static var name: String { get }
    /// The column with the phone.
    static var key: String { get }

    static func phone(of entry: PushEntry) -> Phone?
    /// Returns the notification as the phone shows it; nil if it is no longer for this phone.
    static func alert(for entry: PushEntry, to record: PushRecord<Self>, in transaction: ReadTransaction) throws -> PushAlert?
}

extension PhoneTable {
    package static func record(of phone: Phone, in transaction: ReadTransaction) throws -> PushRecord<Self>? {
        try transaction.first("SELECT * FROM \(name) WHERE \(key) = ?", phone)
    }

    package static func remove(_ phone: Phone, in transaction: WriteTransaction) throws {
        try transaction.execute("DELETE FROM \(name) WHERE \(key) = ?", phone)
    }
}

/// The push settings of a phone as stored.
package struct PushRecord<Table: PhoneTable>: RowDecodable, Sendable {
    package var phone: Table.Phone
    package var settings: PushSettings<Table.Content>
    /// The environment of an APNs token, confirmed by the push service or else named by the app; nil if none is known.
    package var environment: APNSEnvironment?
    package var setAt: Timestamp

    package init(row: Row) throws {
        phone = try row.get(Table.key)
        settings = PushSettings(
            address: try row.get("address"), content: try row.get("content"), language: try row.get("language"))
        (environment, setAt) = (try row.get("environment"), try row.get("set_at"))
    }
}

/// The directory of a table of phones. Routes are looked up just before sending, because a phone may turn notifications off.
package struct PhoneDirectory<Table: PhoneTable>: PushDirectory {
    let services: PushServices

    package init(services: PushServices) { self.services = services }

    private func record(for entry: PushEntry, in transaction: ReadTransaction) throws -> PushRecord<Table>? {
        try Table.phone(of: entry).flatMap { try Table.record(of: $0, in: transaction) }
    }

    package func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget] {
        guard let record = try record(for: entry, in: transaction),
            let alert = try Table.alert(for: entry, to: record, in: transaction)
        else { return [] }
        let route = try alert.route(to: record.settings.address, environment: record.environment, by: services)
        return [PushTarget(id: "phone", routes: route.map { [$0] } ?? [])]
    }

    package func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) throws {
        guard let record = try record(for: entry, in: transaction), record.settings.address.isReached(by: route),
            // The app may have stored the address again since.
            since.map({ record.setAt <= $0 }) ?? true
        else { return }
        try Table.remove(record.phone, in: transaction)
    }

    package func entryDidEnd(
        _ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction
    ) throws {
        guard let receipt, let environment = receipt.environment, let record = try record(for: entry, in: transaction),
            record.settings.address.isReached(by: receipt.route)
        else { return }
        try transaction.execute("UPDATE \(Table.name) SET environment = ? WHERE \(Table.key) = ?", environment, record.phone)
    }
}

/// An address is stored as JSON.
extension PushAddress: SQLValue {
    package var columnValue: ColumnValue {
        // Texts can always be encoded.
        (try? WireJSON.encode(self)).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
    }

    package init?(_ columnValue: ColumnValue) {
        // An address that cannot be decoded is not one.
        guard case .text(let text) = columnValue, let address = try? WireJSON.decode(PushAddress.self, from: Data(text.utf8))
        else { return nil }
        self = address
    }
}
