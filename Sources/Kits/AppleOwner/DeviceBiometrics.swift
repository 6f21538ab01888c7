#if os(iOS)
    import ApplePlatform
    public import Foundation
    import LocalAuthentication
    public import PlatformKit
    import Security

    /// Biometrics by keychain access control: a secret can be read only with a face or finger that was enrolled when it was stored.
    public struct DeviceBiometrics: Biometrics {
        private let service = DeviceKeychain.appService + ".owner"

        public init() {}

        public func isAvailable() async -> Bool {
            LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        }

        @concurrent public func protect(_ secret: Data, for key: String, account: String, reason: String) async throws {
            // Unlike a browser, the keychain does not authenticate the owner when it stores a secret.
            let isOwner = try? await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason)
            guard isOwner == true else { throw PhoneError.denied }
            guard
                let access = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
            else { throw PhoneError.unsupported }
            try await removeSecret(for: key)
            var new = item(key)
            new[kSecAttrAccessControl] = access
            new[kSecValueData] = secret
            let status = SecItemAdd(new as CFDictionary, nil)
            guard status == errSecSuccess else { throw PhoneError(keychainStatus: status) }
        }

        /// Runs off the main actor, because the keychain blocks the thread while the system asks the user.
        @concurrent public func secret(for key: String, reason: String) async throws -> Data? {
            let context = LAContext()
            context.localizedReason = reason
            var search = item(key)
            search[kSecReturnData] = true
            search[kSecUseAuthenticationContext] = context
            var found: CFTypeRef?
            switch SecItemCopyMatching(search as CFDictionary, &found) {
            case errSecSuccess: return found as? Data
            case errSecItemNotFound: return nil
            case let status: throw PhoneError(keychainStatus: status)
            }
        }

        @concurrent public func hasSecret(for key: String) async -> Bool {
            let context = LAContext()
            context.interactionNotAllowed = true
            var search = item(key)
            search[kSecUseAuthenticationContext] = context
            return [errSecSuccess, errSecInteractionNotAllowed].contains(SecItemCopyMatching(search as CFDictionary, nil))
        }

        @concurrent public func removeSecret(for key: String) async throws {
            let status = SecItemDelete(item(key) as CFDictionary)
            guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw PhoneError(keychainStatus: status) }
        }

        private func item(_ key: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
        }
    }
#endif
