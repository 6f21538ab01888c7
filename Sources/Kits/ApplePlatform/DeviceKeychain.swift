#if os(iOS)
    package import Foundation
    package import PlatformKit
    package import Security

    /// The keychain: secrets that can be read while the phone is unlocked, and never leave it. They outlive the app's removal.
    package struct DeviceKeychain: Keychain {
        /// The name under which the app's secrets are stored.
        package static let appService = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

        let service: String

        @concurrent package func data(for key: String) async throws -> Data? {
            var search = item(key)
            search[kSecReturnData] = true
            var found: CFTypeRef?
            switch SecItemCopyMatching(search as CFDictionary, &found) {
            case errSecSuccess: return found as? Data
            case errSecItemNotFound: return nil
            case let status: throw PhoneError(keychain: status)
            }
        }

        @concurrent package func set(_ data: Data?, for key: String) async throws {
            guard let data else {
                let status = SecItemDelete(item(key) as CFDictionary)
                guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw PhoneError(keychain: status) }
                return
            }
            var status = SecItemUpdate(item(key) as CFDictionary, [kSecValueData: data] as CFDictionary)
            if status == errSecItemNotFound {
                var new = item(key)
                new[kSecValueData] = data
                new[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                status = SecItemAdd(new as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw PhoneError(keychain: status) }
        }

        private func item(_ key: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
        }
    }

    extension PhoneError {
        /// - Parameter status: The reply of the keychain, other than success.
        package init(keychain status: OSStatus) {
            self =
                switch status {
                // The phone is locked, or the user has not confirmed.
                case errSecInteractionNotAllowed, errSecUserCanceled, errSecAuthFailed: .denied
                case errSecDiskFull: .full
                default: .failed("the keychain answers \(status)")
                }
        }
    }
#endif
