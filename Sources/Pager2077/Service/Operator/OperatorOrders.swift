import Foundation
import Logging
import Pager2077Wire
import ServerKit
import StorageKit
import WireKit

/// The orders that wait for a running service: files in a folder beside its database, which belongs to the service alone.
///
/// ```
///   switchboard pager2077 delete BF010BA2 ─▶ pager.db.orders/<uuid>.json ─▶ the service, within seconds ─▶ carried out, file removed
/// ```
struct OperatorOrders: Sendable {
    /// Nil where the operator's command writes into the database itself.
    private let folder: URL?
    private let store: Database
    private let now: @Sendable () -> Timestamp
    private let logger: Logger

    init(database: DatabaseLocation, store: Database, now: @escaping @Sendable () -> Timestamp, logger: Logger) {
        switch database {
        case .file(let file): folder = Self.folder(of: file)
        case .postgreSQL: folder = nil
        }
        self.store = store
        self.now = now
        self.logger = logger
    }

    private static func folder(of database: URL) -> URL {
        database.deletingLastPathComponent().appending(path: database.lastPathComponent + ".orders")
    }

    /// Leaves an order for the service that has the database open.
    ///
    /// - Throws: `StartupError`.
    static func leave(_ order: OperatorOrder, for database: URL) throws {
        let folder = folder(of: database)
        try PrivateFiles.ensureFolder(folder)
        let name = UUID().uuidString
        // The file is complete before the service can see it.
        let draft = folder.appending(path: name + ".draft")
        try PrivateFiles.create(draft, text: String(decoding: WireJSON.encode(order), as: UTF8.self))
        try FileManager.default.moveItem(at: draft, to: folder.appending(path: name + ".json"))
    }

    /// Carries out the waiting orders. An order that cannot be read is logged and removed.
    ///
    /// - Parameter onDeletion: Called with each account that was deleted.
    func carryOut(onDeletion: (User.ID) -> Void) async throws {
        guard let folder else { return }
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for file in files where file.pathExtension == "json" {
            do {
                let order: OperatorOrder = try WireJSON.decode(from: Data(PrivateFiles.secret(in: file).utf8))
                let done = try await store.write { [now] in try $0.carryOut(order, at: now()) }
                if let id = done.deleted { onDeletion(id) }
                logger.notice(
                    "Carried out an order of the operator", metadata: ["pager.order.found": "\(done.isFound)"])
            } catch let error as StorageError {
                // The next turn tries again.
                throw error
            } catch {
                logger.error("Cannot read an order of the operator", metadata: ["error": "\(error)"])
            }
            try FileManager.default.removeItem(at: file)
        }
    }
}
