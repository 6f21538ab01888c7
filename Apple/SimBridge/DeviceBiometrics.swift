import Foundation
import LocalAuthentication
import PlatformKit
import Security

/// The keychain below an access control: a secret leaves it only for the face or the fingers that were known when it was kept. Not compiled
/// yet; moves to `ApplePlatform` with the device's other parts.
struct DeviceBiometrics: Biometrics {
    let service: String

    func isAvailable() async -> Bool {
        LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    }

    func protect(_ secret: Data, for key: String, account: String) async throws {
        // Writing asks nobody: this does, as a browser would.
        let isOwner = try? await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: account)
        guard isOwner == true else { throw PhoneError.denied }
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
        else { throw PhoneError.unsupported }
        try await removeSecret(for: key)
        var item = query(key)
        item[kSecAttrAccessControl] = access
        item[kSecValueData] = secret
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw PhoneError.failed("the keychain answers \(status)") }
    }

    func secret(for key: String, reason: String) async throws -> Data? {
        let context = LAContext()
        context.localizedReason = reason
        var search = query(key)
        search[kSecReturnData] = true
        search[kSecUseAuthenticationContext] = context
        var found: CFTypeRef?
        switch SecItemCopyMatching(search as CFDictionary, &found) {
        case errSecSuccess: return found as? Data
        case errSecItemNotFound: return nil
        case errSecUserCanceled, errSecAuthFailed: throw PhoneError.denied
        case let status: throw PhoneError.failed("the keychain answers \(status)")
        }
    }

    func hasSecret(for key: String) async -> Bool {
        let context = LAContext()
        context.interactionNotAllowed = true
        var search = query(key)
        search[kSecUseAuthenticationContext] = context
        let status = SecItemCopyMatching(search as CFDictionary, nil)
        return status == errSecSuccess || status == errSecInteractionNotAllowed
    }

    func removeSecret(for key: String) async throws {
        let status = SecItemDelete(query(key) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw PhoneError.failed("the keychain answers \(status)")
        }
    }

    private func query(_ key: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
    }
}
