import Crypto
import Foundation
import Logging
import ServerKit

/// The browsers that are phones of this box. Each has a folder, named by a hash of its secret: reading the names of folders lets nobody in.
@MainActor
final class Phones {
    /// How long what is kept of a phone outlives its last use.
    private static let expiry: TimeInterval = 90 * 24 * 3600
    private let folder: URL
    private let limit: Int
    private let logger: Logger
    private let addresses = ClientAddresses()
    private var phones: [String: BrowserPhone] = [:]
    /// Secrets of phones that were forgotten: their pages get a new one.
    private var forgotten: Set<String> = []

    nonisolated init(folder: URL, limit: Int, logger: Logger) {
        self.folder = folder
        self.limit = limit
        self.logger = logger
    }

    nonisolated static func identity(of secret: String) -> String {
        SHA256.hash(data: Data(secret.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func phone(_ secret: String, forget: @escaping @MainActor (BrowserPhone) -> Void) -> BrowserPhone {
        let identity = Self.identity(of: secret)
        if let phone = phones[identity] { return phone }
        let phone = BrowserPhone(identity: identity, folder: folder.appending(path: identity), logger: logger)
        phone.clientAddress = { [addresses] in addresses.address(of: identity) }
        phone.onForget = { [weak phone] in if let phone { forget(phone) } }
        phones[identity] = phone
        return phone
    }

    /// A file in the folder of a phone that knew the access code. The folder alone does not say so.
    private func admission(_ secret: String) -> URL { folder.appending(path: "\(Self.identity(of: secret))/admitted") }

    func isAdmitted(_ secret: String) -> Bool { FileManager.default.fileExists(atPath: admission(secret).path) }

    func admit(_ secret: String) throws {
        let file = admission(secret)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try PrivateFiles.create(file, text: "")
    }

    /// Notes that the phone was used now.
    ///
    /// - Parameter network: The client address of its page.
    func use(_ phone: BrowserPhone, from network: String) {
        addresses.note(phone.identity, in: network)
        let folder = folder.appending(path: phone.identity)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        // At worst its folder looks older than it is.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder.path)
    }

    func isForgotten(_ secret: String) -> Bool { forgotten.contains(Self.identity(of: secret)) }

    func forget(_ phone: BrowserPhone) {
        phones[phone.identity] = nil
        addresses.forget(phone.identity)
        forgotten.insert(phone.identity)
        phone.removeEverything()
    }

    /// Lets go of phones without sessions; removes the folders of those that nobody used for long, and the oldest beyond the limit.
    func closeUnused() {
        for (identity, phone) in phones where phone.sessions.isEmpty {
            phone.close()
            phones[identity] = nil
            addresses.forget(identity)
        }
        let files = FileManager.default
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        let folders = (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))) ?? []
        let dated = folders.map { ($0, (try? $0.resourceValues(forKeys: keys).contentModificationDate) ?? .distantPast) }
        let sorted = dated.sorted { $0.1 > $1.1 }
        for (index, (folder, date)) in sorted.enumerated() where phones[folder.lastPathComponent] == nil {
            if index >= limit || date.timeIntervalSinceNow < -Self.expiry {
                // Tried again next time.
                try? files.removeItem(at: folder)
            }
        }
    }
}
