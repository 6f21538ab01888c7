import Crypto
import Foundation
import Logging
import ServerKit
import WireKit

/// The key of a box that seals the secrets of its browser phones (AES-GCM), so that a copy of their folders without the key reveals none.
struct PhoneKey: Sendable {
    private static let length = 32
    /// The name of the file with the id of the key, beside the folders of the phones.
    private static let idFileName = "key-id"
    /// The kinds of ``StoredValues`` that are secret.
    static let kinds = ["keychain", "biometrics"]

    private let key: SymmetricKey
    /// The id of the key, which does not reveal the key.
    private let id: String

    /// - Parameter bytes: 32 random bytes.
    init(_ bytes: Data) {
        let material = SymmetricKey(data: bytes)
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, info: Data("switchboard phones, \(purpose)".utf8), outputByteCount: count)
        }
        key = derive("secrets", 32)
        id = derive("id", 16).withUnsafeBytes { Data($0) }.hexadecimal
    }

    /// Returns a new key, for phones that end with the process.
    static func random() -> PhoneKey { PhoneKey(randomBytes()) }

    private static func randomBytes() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    // MARK: Sealing

    /// - Parameter name: The phone and the kind of the values. Values sealed for one name cannot be opened for another.
    /// - Throws: An error of Crypto.
    func seal(_ values: Data, for name: String) throws -> Data {
        let box = try AES.GCM.seal(values, using: key, authenticating: Data(name.utf8))
        // `combined` exists for a nonce of the default length.
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }

    /// - Throws: An error of Crypto if this key has not sealed `sealed` for `name`, or the bytes were changed since.
    func open(_ sealed: Data, for name: String) throws -> Data {
        try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: Data(name.utf8))
    }

    // MARK: Key file

    /// Returns the key of the phones in `folder`. Seals the secrets that earlier versions stored unsealed.
    ///
    /// - Parameter file: The file of the key, which must exist; nil for a file beside `folder`, generated if missing.
    /// - Throws: `StartupError`, also if another key has sealed the secrets in `folder`.
    static func stored(in file: URL?, for folder: URL, logger: Logger) throws(StartupError) -> PhoneKey {
        try PrivateFiles.ensureFolder(folder)
        let idFile = folder.appending(path: idFileName)
        let keyFile = file ?? folder.appendingPathExtension("secret")
        let known = FileManager.default.fileExists(atPath: idFile.path) ? try PrivateFiles.secret(in: idFile) : nil
        let way = "Put the key back, or remove \(idFile.path): the phones then lose their credentials."
        if file == nil, known != nil, !FileManager.default.fileExists(atPath: keyFile.path) {
            throw StartupError("\(keyFile.path) is missing, which opens the credentials of the phones. \(way)")
        }
        let text =
            file == nil
            ? try PrivateFiles.secret(in: keyFile) { randomBytes().base64EncodedString() } : try PrivateFiles.secret(in: keyFile)
        guard let bytes = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)), bytes.count == length else {
            throw StartupError("\(keyFile.path) holds no key: \(length) random bytes in base64")
        }
        let key = PhoneKey(bytes)
        if let known {
            guard known == key.id else {
                throw StartupError("The credentials of the phones are sealed with another key than \(keyFile.path). \(way)")
            }
        } else {
            try PrivateFiles.create(idFile, text: key.id)
        }
        key.sealEarlierSecrets(in: folder, logger)
        return key
    }

    private func sealEarlierSecrets(in folder: URL, _ logger: Logger) {
        let files = FileManager.default
        for phone in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] where Phones.isIdentity(phone) {
            let own = folder.appending(path: phone)
            for name in (try? files.contentsOfDirectory(atPath: own.path)) ?? [] {
                guard let kind = Self.kinds.first(where: { name.hasSuffix(".\($0).json") }) else { continue }
                let app = String(name.dropLast(kind.count + 6))
                StoredValues(app, kind, of: phone, in: own, key: self, life: PhoneLife(), logger: logger).sealEarlier()
            }
        }
    }
}
