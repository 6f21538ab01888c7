public import Foundation

/// Secrets of an app: credentials, keys. Kept encrypted by the device where it can.
public protocol Keychain: Sendable {
    /// - Throws: ``PhoneError``.
    func data(for key: String) async throws -> Data?
    /// Keeps `data` under `key` before it returns; nil removes what is there.
    ///
    /// - Throws: ``PhoneError``; nothing has changed then.
    func set(_ data: Data?, for key: String) async throws
}

/// Small settings of an app. Nothing secret.
@MainActor
public protocol Preferences: AnyObject, Sendable {
    /// nil when nothing is kept under `key`, or something of another type.
    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value?
    /// Keeps `value` under `key`; nil removes what is there. A small value, such as a cursor or a switch, always has room.
    ///
    /// - Throws: ``PhoneError``. `full`: a large value does not fit, and the old one stays. Otherwise the value could not be
    ///   written, and may be gone when the app starts again.
    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) throws
}
