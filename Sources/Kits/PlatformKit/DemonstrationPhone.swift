public import Foundation
import WireKit

extension Phone {
    /// The phone for a demonstration of the app, which ends with the value: nothing is stored, and nothing leaves the phone. It has no
    /// notifications, camera, microphone or other network than the script of the demonstration.
    public func demonstration() -> Phone {
        var phone = self
        phone.isDemonstration = true
        phone.keychain = MemoryKeychain()
        phone.preferences = MemoryPreferences()
        phone.notifications = NoNotifications()
        phone.activities = NoLiveActivities()
        phone.networkPath = ScriptedPath()
        phone.biometrics = NoBiometrics()
        phone.scanner = NoScanner()
        phone.discovery = NoServerDiscovery()
        phone.microphone = NoMicrophone()
        phone.recognition = NoSpeechRecognition()
        (phone.appLink, phone.changeServer) = (nil, nil)
        (phone.folder, phone.storedFolder) = ({ throw PhoneError.unsupported }, { nil })
        phone.instances = AppInstances()
        return phone
    }
}

/// Secrets in memory, for a demonstration.
public final class MemoryKeychain: Keychain {
    private let values: Locked<[String: Data]>

    public init(_ values: [String: Data] = [:]) { self.values = Locked(values) }

    public func data(for key: String) async throws -> Data? { values.withLock { $0[key] } }
    public func set(_ data: Data?, for key: String) async throws { values.withLock { $0[key] = data } }
}

@MainActor
private final class MemoryPreferences: Preferences {
    private var values: [String: any Codable & Sendable] = [:]

    nonisolated init() {}

    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? { values[key] as? Value }
    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) { values[key] = value }
    func flush() async {}
}

private struct NoNotifications: Notifications {
    func permission() async -> NotificationPermission { .denied }
    func requestPermission() async -> NotificationPermission { .denied }
    func pushAddress(key: String?) async -> PushAddress? { nil }
    func addressChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func silentPushes() -> AsyncStream<[String: String]> { AsyncStream { $0.finish() } }
    func setBadge(_ count: Int) async {}
    func show(_ notification: LocalNotification) async throws { throw PhoneError.denied }
    func remove(id: String) async {}
    func taps() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}

private struct NoBiometrics: Biometrics {
    func isAvailable() async -> Bool { false }
    func protect(_ secret: Data, for key: String, account: String, reason: String) async throws { throw PhoneError.unsupported }
    func secret(for key: String, reason: String) async throws -> Data? { nil }
    func hasSecret(for key: String) async -> Bool { false }
    func removeSecret(for key: String) async throws {}
}

/// The way to a scripted service, which is always there.
private struct ScriptedPath: NetworkPath {
    func links() -> AsyncStream<NetworkLink> {
        AsyncStream { continuation in
            continuation.yield(.local)
            continuation.finish()
        }
    }
}
