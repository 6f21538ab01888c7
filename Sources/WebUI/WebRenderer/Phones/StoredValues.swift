import Foundation
import Logging
import PlatformKit

/// A small file of named values, mode 0600, written as a whole.
struct StoredValues: Sendable {
    /// Of one app on one phone. Bytes.
    static let limit = 262_144
    let file: URL
    let logger: Logger

    /// What is kept. A file that cannot be read is put aside: it is not written over.
    func read() -> [String: Data] {
        do {
            return try JSONDecoder().decode([String: Data].self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch {
            let aside = file.appendingPathExtension("unreadable")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: file, to: aside)
            logger.error(
                "A phone's file could not be read, and was put aside", metadata: ["file": "\(aside.path)", "error": "\(error)"])
            return [:]
        }
    }

    /// - Throws: ``PhoneError``; the file is as it was then.
    func write(_ values: [String: Data]) throws {
        do {
            let data = try JSONEncoder().encode(values)
            guard data.count <= Self.limit else { throw PhoneError.full }
            let files = FileManager.default
            try files.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try data.write(to: file, options: .atomic)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch let error as PhoneError {
            throw error
        } catch {
            logger.error("A phone's file could not be written", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("it could not be written")
        }
    }
}

/// Secrets, each written before the call returns. As private as the folder: the box's operator can read them.
actor StoredKeychain: Keychain {
    private let file: StoredValues
    private lazy var values = file.read()

    init(file: StoredValues) { self.file = file }

    func data(for key: String) -> Data? { values[key] }

    func set(_ data: Data?, for key: String) throws {
        var new = values
        new[key] = data
        try file.write(new)
        values = new
    }
}

@MainActor
final class StoredPreferences: Preferences {
    private let file: StoredValues
    private lazy var values = file.read()

    init(file: StoredValues) { self.file = file }

    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? {
        values[key].flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }

    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) {
        var new = values
        // An array, because a bare value is not JSON for every decoder.
        new[key] = value.flatMap { try? JSONEncoder().encode([$0]) }
        // What could not be written was logged; it holds until the process ends.
        try? file.write(new)
        values = new
    }
}
