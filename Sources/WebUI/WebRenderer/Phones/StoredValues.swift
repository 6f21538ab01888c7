import Foundation
import Logging
import PlatformKit
import Synchronization

/// A small file of named values, mode 0600, written as a whole.
struct StoredValues: Sendable {
    /// The size of the file of one app on one phone, in bytes.
    static let limit = 262_144
    /// Room beyond the limit that only small values may use, in bytes.
    static let reserve = 65_536
    /// The size up to which a value is small, in bytes.
    static let smallValueLimit = 64
    let file: URL
    let life: PhoneLife
    let logger: Logger

    /// What is kept. A file that cannot be read is put aside: it is not written over.
    ///
    /// - Throws: ``PhoneError`` when the file is there and cannot be read now.
    func read() throws -> [String: Data] {
        do {
            return try JSONDecoder().decode([String: Data].self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch let error where !(error is DecodingError) {
            // Not the file's fault, perhaps: it stays, and counts as empty for now.
            logger.error("A phone's file could not be read", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("what is kept could not be read")
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
    func write(_ values: [String: Data], limit: Int = Self.limit) throws {
        do {
            let data = try JSONEncoder().encode(values)
            guard data.count <= limit else { throw PhoneError.full }
            guard !life.isOver else { throw PhoneError.absent }
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

/// Whether a phone still is one.
final class PhoneLife: Sendable {
    private let over = Mutex(false)
    var isOver: Bool { over.withLock { $0 } }
    func end() { over.withLock { $0 = true } }
}

/// Secrets, each written before the call returns. As private as the folder: the box's operator can read them.
actor StoredKeychain: Keychain {
    private let file: StoredValues
    private var known: [String: Data]?

    init(file: StoredValues) { self.file = file }

    private func values() throws -> [String: Data] {
        if let known { return known }
        let values = try file.read()
        known = values
        return values
    }

    func data(for key: String) throws -> Data? { try values()[key] }

    func set(_ data: Data?, for key: String) throws {
        var new = try values()
        new[key] = data
        try file.write(new)
        known = new
    }
}

@MainActor
final class StoredPreferences: Preferences {
    private let file: StoredValues
    // Settings that cannot be read are as if there were none.
    private lazy var values = (try? file.read()) ?? [:]

    init(file: StoredValues) { self.file = file }

    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? {
        values[key].flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }

    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) throws {
        var new = values
        // An array, because a bare value is not JSON for every decoder.
        let data = try value.map { try JSONEncoder().encode([$0]) }
        new[key] = data
        let isSmall = (data?.count ?? 0) <= StoredValues.smallValueLimit
        do {
            try file.write(new, limit: StoredValues.limit + (isSmall ? StoredValues.reserve : 0))
        } catch PhoneError.full {
            throw PhoneError.full
        } catch {
            // Holds until the process ends.
            values = new
            throw error
        }
        values = new
    }
}
