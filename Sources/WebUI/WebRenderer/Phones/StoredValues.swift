import Foundation
import Logging
import PlatformKit
import WireKit

/// A small file of named values, mode 0600, written as a whole and off the main actor. The box's key seals secret values.
struct StoredValues: Sendable {
    /// Maximum size of the values of one app on one phone as JSON, in bytes.
    static let limit = 262_144
    /// Maximum size that sealing adds, in bytes.
    private static let sealSize = 1024
    let file: URL
    /// The key that seals the values; nil for values that are not secret.
    private let key: PhoneKey?
    private let name: String
    private let life: PhoneLife
    private let logger: Logger

    /// - Parameters:
    ///   - kind: The kind of the values, such as `preferences`; one of ``PhoneKey/kinds`` for secrets.
    ///   - phone: The identity of the phone, whose folder is `folder`.
    init(_ app: String, _ kind: String, of phone: String, in folder: URL, key: PhoneKey, life: PhoneLife, logger: Logger) {
        file = Self.file(app, kind, in: folder)
        self.key = PhoneKey.kinds.contains(kind) ? key : nil
        name = Self.name(app, kind, of: phone)
        (self.life, self.logger) = (life, logger)
    }

    static func file(_ app: String, _ kind: String, in folder: URL) -> URL {
        folder.appending(path: "\(app).\(kind).\(PhoneKey.kinds.contains(kind) ? "sealed" : "json")")
    }

    /// Returns the name for which values are sealed.
    static func name(_ app: String, _ kind: String, of phone: String) -> String { "\(phone)/\(app).\(kind)" }

    /// Reads the file. A file that cannot be opened with the key, or decoded, is moved aside, so that it is not overwritten.
    ///
    /// - Throws: ``PhoneError`` when the file exists and cannot be read now.
    func read() throws -> [String: Data] {
        if let stored = try contents(of: file) {
            return decoded(file) { try key?.open(stored, for: name) ?? stored }
        }
        return key == nil ? [:] : try takeOverEarlier()
    }

    /// - Returns: Nil if there is no file.
    private func contents(of file: URL) throws -> Data? {
        do {
            return try OwnFile.contents(of: file.path, limit: Self.limit + Self.sealSize)
        } catch  where error.isAbsence {
            return nil
        } catch {
            // The fault may be temporary: the file stays.
            logger.error("A phone's file could not be read", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("the stored values could not be read")
        }
    }

    private func decoded(_ file: URL, _ contents: () throws -> Data) -> [String: Data] {
        do {
            return try JSONDecoder().decode([String: Data].self, from: contents())
        } catch {
            let aside = file.appendingPathExtension("unreadable")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: file, to: aside)
            logger.error(
                "A phone's file could not be opened, and was moved aside",
                metadata: ["file": "\(aside.path)", "error": "\(error)"])
            return [:]
        }
    }

    // MARK: Earlier versions

    /// The file in which earlier versions stored secrets unsealed, used only while there is no sealed file.
    private var earlier: URL { file.deletingPathExtension().appendingPathExtension("json") }

    /// Seals the values of an earlier version and removes its file, also a file that was left beside the sealed one.
    func sealEarlier() {
        if FileManager.default.fileExists(atPath: file.path) {
            try? FileManager.default.removeItem(at: earlier)
        } else {
            _ = try? takeOverEarlier()
        }
    }

    /// Returns the values of an earlier version, and seals them. If sealing fails, the next call tries again.
    private func takeOverEarlier() throws -> [String: Data] {
        guard let stored = try contents(of: earlier) else { return [:] }
        let values = decoded(earlier) { stored }
        if (try? write(values)) != nil { try? FileManager.default.removeItem(at: earlier) }
        return values
    }

    /// Writes the file. Must not be called on the main actor.
    ///
    /// - Throws: ``PhoneError``; the file is then unchanged.
    func write(_ values: [String: Data]) throws {
        do {
            let data = try JSONEncoder().encode(values)
            guard data.count <= Self.limit else { throw PhoneError.full }
            let stored = try key?.seal(data, for: name) ?? data
            try life.perform {
                // A phone that stores nothing has no folder.
                if values.isEmpty, !FileManager.default.fileExists(atPath: file.path) { return }
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try OwnFile.replace(file.path, with: stored)
            }
        } catch let error as PhoneError {
            throw error
        } catch {
            logger.error("A phone's file could not be written", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("the values could not be written")
        }
    }
}

/// The lifetime of a phone, until it is forgotten. A change of its folder is complete before the end, or does not happen.
final class PhoneLife: Sendable {
    private let isOver = Locked(false)

    /// Runs a change of the folder.
    ///
    /// - Throws: ``PhoneError/absent`` after ``end()``, and what `change` throws.
    func perform(_ change: () throws -> Void) throws {
        try isOver.withLock { isOver in
            if isOver { throw PhoneError.absent }
            try change()
        }
    }

    /// Ends the lifetime. Must not be called on the main actor, since the call waits for a running change.
    func end() { isOver.withLock { $0 = true } }
}

/// A keychain that writes each secret before the call returns. The box's operator, who has the key, can read the secrets.
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

/// Preferences in memory, written to their file soon after a change.
@MainActor
final class StoredPreferences: Preferences {
    private let file: StoredValues
    // Preferences that cannot be read count as absent.
    private lazy var values = (try? file.read()) ?? [:]
    private var isDirty = false
    private var writing: Task<Void, Never>?

    init(file: StoredValues) { self.file = file }

    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? {
        values[key].flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }

    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) {
        // An array, because a bare value is not JSON for every decoder.
        let data = value.flatMap { try? JSONEncoder().encode([$0]) }
        guard (data?.count ?? 0) <= StoredValues.limit / 4 else { return }
        values[key] = data
        isDirty = true
        if writing == nil { writing = Task { await write() } }
    }

    /// Writes the values until they have not changed during a write: many changes in a row take two writes.
    private func write() async {
        while isDirty {
            isDirty = false
            // The failure is logged. The values last until the box is restarted.
            try? await Self.write(values, to: file)
        }
        writing = nil
    }

    @concurrent private static func write(_ values: [String: Data], to file: StoredValues) async throws {
        try file.write(values)
    }

    func flush() async { await writing?.value }
}
