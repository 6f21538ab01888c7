public import Foundation

/// The secrets of an app, such as credentials and keys, encrypted by the device if it can.
public protocol Keychain: Sendable {
    /// - Throws: ``PhoneError``; `locked` while the phone is locked.
    func data(for key: String) async throws -> Data?
    /// Stores `data` under `key` before it returns; nil removes the stored data.
    ///
    /// - Throws: ``PhoneError``; nothing has changed then.
    func set(_ data: Data?, for key: String) async throws
    /// Yields whenever secrets that were ``PhoneError/locked`` may be readable now.
    @MainActor func unlocks() -> AsyncStream<Void>
}

extension Keychain {
    /// Yields nothing: the secrets are never locked.
    public func unlocks() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// Small settings of an app whose loss does no harm. Values that are secret or must survive belong in the keychain or the app's
/// database.
@MainActor
public protocol Preferences: AnyObject, Sendable {
    /// Returns nil when nothing is stored under `key`, or a value of another type.
    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value?
    /// Changes the value at once, and writes it soon, off the main actor and together with later changes; nil removes it.
    ///
    /// A value that cannot be written lasts until the app ends.
    func set<Value: Codable & Sendable>(_ value: Value?, for key: String)
    /// Returns once every earlier change is written.
    func flush() async
}
