package import Foundation
import WireKit

extension Phone {
    /// Returns the phone for a demonstration of the app: nothing is stored, and nothing leaves the phone. It has no notifications,
    /// camera or microphone, and no network other than the script of the demonstration.
    package func demonstration() -> Phone {
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
package final class MemoryKeychain: Keychain {
    private let values: Locked<[String: Data]>

    package init(_ values: [String: Data] = [:]) { self.values = Locked(values) }

    package func data(for key: String) async throws -> Data? { values.withLock { $0[key] } }
    package func set(_ data: Data?, for key: String) async throws { values.withLock { $0[key] = data } }
}

@MainActor
private final class MemoryPreferences: Preferences {
    private var values: [String: any Codable & Sendable] = [:]

    nonisolated init() {}

    func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? { values[key] as? Value }
    func set<Value: Codable & Sendable>(_ value: Value?, for key: String) { values[key] = value }
    func flush() async {}
}

/// The network path to a scripted service, which is always reachable.
private struct ScriptedPath: NetworkPath {
    func links() -> AsyncStream<NetworkLink> {
        AsyncStream { continuation in
            continuation.yield(.local)
            continuation.finish()
        }
    }
}
