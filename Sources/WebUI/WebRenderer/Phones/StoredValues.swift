import Foundation
import Logging
import PlatformKit
import Synchronization

/// A small file of named values, mode 0600, written as a whole and never on the main actor.
struct StoredValues: Sendable {
    /// The maximum size of the file of one app on one phone, in bytes.
    static let limit = 262_144
    let file: URL
    let life: PhoneLife
    let logger: Logger

    /// Reads the file. One that cannot be decoded is moved aside, so that it is not written over.
    ///
    /// - Throws: ``PhoneError`` when the file exists and cannot be read now.
    func read() throws -> [String: Data] {
        do {
            return try JSONDecoder().decode([String: Data].self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch let error where !(error is DecodingError) {
            // The fault may be temporary: the file stays, and counts as empty for now.
            logger.error("A phone's file could not be read", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("the stored values could not be read")
        } catch {
            let aside = file.appendingPathExtension("unreadable")
            try? FileManager.default.removeItem(at: aside)
            try? FileManager.default.moveItem(at: file, to: aside)
            logger.error(
                "A phone's file could not be decoded, and was moved aside",
                metadata: ["file": "\(aside.path)", "error": "\(error)"])
            return [:]
        }
    }

    /// Must not be called on the main actor.
    ///
    /// - Throws: ``PhoneError``; the file has not changed then.
    func write(_ values: [String: Data]) throws {
        do {
            let data = try JSONEncoder().encode(values)
            guard data.count <= Self.limit else { throw PhoneError.full }
            try life.perform {
                let files = FileManager.default
                try files.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try data.write(to: file, options: .atomic)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            }
        } catch let error as PhoneError {
            throw error
        } catch {
            logger.error("A phone's file could not be written", metadata: ["file": "\(file.path)", "error": "\(error)"])
            throw PhoneError.failed("the values could not be written")
        }
    }
}

/// The time until a phone is forgotten. A change of its folder is complete before the end, or does not happen.
final class PhoneLife: Sendable {
    private let isOver = Mutex(false)

    /// Changes the folder.
    ///
    /// - Throws: ``PhoneError/absent`` after ``end()``, and what `change` throws.
    func perform(_ change: () throws -> Void) throws {
        try isOver.withLock { isOver in
            if isOver { throw PhoneError.absent }
            try change()
        }
    }

    /// Must not be called on the main actor: it waits for the change under way.
    func end() { isOver.withLock { $0 = true } }
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

    /// Writes until nothing has changed meanwhile: many changes in a row take two writes.
    private func write() async {
        while isDirty {
            isDirty = false
            // A failure is in the log. The values last until the box is restarted.
            try? await Self.write(values, to: file)
        }
        writing = nil
    }

    @concurrent private static func write(_ values: [String: Data], to file: StoredValues) async throws {
        try file.write(values)
    }

    func flush() async { await writing?.value }
}
