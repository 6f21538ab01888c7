#if os(iOS)
    package import Foundation
    import PlatformKit
    import Security
    import UIKit

    /// The system's keychain. Its secrets never leave the phone, and survive the removal of the app.
    package struct DeviceKeychain: Keychain {
        /// The name under which the app's secrets are stored.
        package static let appService = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

        let service: String
        /// The lock states in which the secrets can be read.
        let access: KeychainAccess

        @concurrent package func data(for key: String) async throws -> Data? {
            var search = item(key)
            search[kSecReturnData] = true
            var found: CFTypeRef?
            switch SecItemCopyMatching(search as CFDictionary, &found) {
            case errSecSuccess: return found as? Data
            case errSecItemNotFound: return nil
            case let status: throw PhoneError(keychainStatus: status)
            }
        }

        @concurrent package func set(_ data: Data?, for key: String) async throws {
            guard let data else {
                let status = SecItemDelete(item(key) as CFDictionary)
                guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw PhoneError(keychainStatus: status) }
                return
            }
            // The update also changes the access of a secret that an earlier version of the app stored.
            let changes: [CFString: Any] = [kSecValueData: data, kSecAttrAccessible: accessible]
            var status = SecItemUpdate(item(key) as CFDictionary, changes as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(item(key).merging(changes) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw PhoneError(keychainStatus: status) }
        }

        @MainActor package func unlocks() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let observer = MainObserver(UIApplication.protectedDataDidBecomeAvailableNotification) { _ in continuation.yield() }
            continuation.onTermination = { _ in withExtendedLifetime(observer) {} }
            return stream
        }

        private var accessible: CFString {
            switch access {
            case .whileUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            }
        }

        private func item(_ key: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
        }
    }
#endif
