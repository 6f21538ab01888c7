import Foundation
import PlatformKit
import ServerKit
import WireKit

/// The computer as the phone of a client that runs in a terminal: a folder, and a key in it. The other capabilities are missing.
enum TerminalPhone {
    /// - Parameter folder: An existing folder, readable by its owner only.
    static func phone(in folder: URL) -> Phone {
        Phone(
            keychain: FileKeychain(folder: folder), preferences: NoPreferences(), notifications: NoDevices(),
            clipboard: NoDevices(),
            sounds: NoDevices(), networkPath: NoDevices(), biometrics: NoDevices(), folder: { folder }, instances: AppInstances())
    }

    /// A keychain with one file per secret. A file is private from its creation on, since the program's umask closes it to others.
    private actor FileKeychain: Keychain {
        private let folder: URL
        init(folder: URL) { self.folder = folder }

        private func file(_ key: String) -> URL { folder.appending(path: "\(key).key") }

        func data(for key: String) throws -> Data? {
            do {
                return try OwnFile.contents(of: file(key).path, limit: 1_048_576)
            } catch  where error.isAbsence {
                return nil
            } catch {
                throw PhoneError.failed("\(file(key).path) can’t be read: \(error)")
            }
        }

        func set(_ data: Data?, for key: String) throws {
            do {
                guard let data else { return try FileManager.default.removeItem(at: file(key)) }
                try OwnFile.replace(file(key).path, with: data)
            } catch {
                throw PhoneError.failed("\(file(key).path) can’t be written")
            }
        }
    }

    @MainActor
    private final class NoPreferences: Preferences {
        nonisolated init() {}
        func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? { nil }
        func set<Value: Codable & Sendable>(_ value: Value?, for key: String) {}
        func flush() async {}
    }

    private struct NoDevices: Notifications, Clipboard, Sounds, NetworkPath, Biometrics {
        func permission() async -> NotificationPermission { .denied }
        func requestPermission() async -> NotificationPermission { .denied }
        func pushAddress(key: String?) async -> PushAddress? { nil }
        func addressChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
        func setBadge(_ count: Int) async {}
        func show(_ notification: LocalNotification) async throws { throw PhoneError.unsupported }
        func remove(id: String) async {}
        func taps() -> AsyncStream<String> { AsyncStream { $0.finish() } }
        func copy(_ text: String) async throws { throw PhoneError.unsupported }
        func paste() async throws -> String { throw PhoneError.unsupported }
        func play(_ sound: Sound) async {}
        func vibrate(_ pattern: [Duration]) async {}
        func links() -> AsyncStream<NetworkLink> { AsyncStream { $0.finish() } }
        func isAvailable() async -> Bool { false }
        func protect(_ secret: Data, for key: String, account: String, reason: String) async throws { throw PhoneError.unsupported }
        func secret(for key: String, reason: String) async throws -> Data? { nil }
        func hasSecret(for key: String) async -> Bool { false }
        func removeSecret(for key: String) async throws {}
    }
}
