import Crypto
import Foundation
import Logging
import ServerKit
import WireKit

/// The browsers that are phones of this box. The name of a phone's folder is a hash of its secret, so that folder names give no access.
@MainActor
final class Phones {
    /// The retention of a phone's folder after its last use, in seconds.
    private static let expiry: TimeInterval = 90 * 24 * 3600
    let files: PhoneFiles
    private let limit: Int
    private let logger: Logger
    private let addresses = ClientAddresses()
    private var phones: [String: BrowserPhone] = [:]
    private var forgotten: ForgottenPhones

    /// - Parameters:
    ///   - key: The key that seals the secrets of the phones.
    ///   - limit: Maximum folders, and maximum forgotten phones that are remembered.
    nonisolated init(folder: URL, key: PhoneKey, limit: Int, logger: Logger) {
        files = PhoneFiles(folder, key: key, logger: logger)
        self.limit = limit
        forgotten = ForgottenPhones(limit: limit)
        self.logger = logger
    }

    nonisolated static func identity(of secret: String) -> String {
        SHA256.hash(data: Data(secret.utf8)).prefix(16).hexadecimal
    }

    /// True if `name` has the form of an identity that ``identity(of:)`` returns.
    nonisolated static func isIdentity(_ name: String) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    func phone(_ secret: String, forget: @escaping @MainActor (BrowserPhone) -> Void) -> BrowserPhone {
        let identity = Self.identity(of: secret)
        if let phone = phones[identity] { return phone }
        let phone = BrowserPhone(identity: identity, folder: files.folder(of: identity), files: files, logger: logger)
        phone.clientAddress = { [addresses] in addresses.address(of: identity) }
        phone.onForget = { [weak phone] in if let phone { forget(phone) } }
        phones[identity] = phone
        return phone
    }

    func isAdmitted(_ secret: String) -> Bool { files.isAdmitted(Self.identity(of: secret)) }

    /// - Throws: An error if the phone's folder cannot be made.
    func admit(_ secret: String) async throws { try await files.admit(Self.identity(of: secret)) }

    /// Records that the phone is used now.
    ///
    /// - Parameter network: The client address of its page.
    func use(_ phone: BrowserPhone, from network: String) {
        addresses.note(phone.identity, in: network)
        files.touch(phone.identity)
    }

    func isForgotten(_ secret: String) -> Bool { forgotten.contains(Self.identity(of: secret)) }

    func forget(_ phone: BrowserPhone) {
        phones[phone.identity] = nil
        addresses.forget(phone.identity)
        forgotten.add(phone.identity)
        phone.removeEverything()
    }

    /// Closes phones without sessions. Removes the folders of phones unused beyond the retention, and the oldest beyond the limit.
    func closeUnused() {
        for (identity, phone) in phones where phone.sessions.isEmpty {
            phone.close()
            phones[identity] = nil
            addresses.forget(identity)
        }
        files.removeUnused(except: Set(phones.keys), expiry: Self.expiry, limit: limit)
    }
}

/// The identities of the most recently forgotten phones, whose pages get a new secret.
///
/// A restart removes all identities. A page whose phone was forgotten earlier creates a new phone with its old secret, without any
/// data of the forgotten phone.
struct ForgottenPhones {
    private let limit: Int
    private var identities: Set<String> = []
    /// The identities, oldest first.
    private var order: [String] = []

    /// - Parameter limit: Maximum identities; the oldest one is removed first.
    init(limit: Int) { self.limit = limit }

    mutating func add(_ identity: String) {
        guard identities.insert(identity).inserted else { return }
        order.append(identity)
        if order.count > limit { identities.remove(order.removeFirst()) }
    }

    func contains(_ identity: String) -> Bool { identities.contains(identity) }
}
