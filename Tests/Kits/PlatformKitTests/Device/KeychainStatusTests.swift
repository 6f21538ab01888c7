import Foundation
import PhoneTestKit
import Testing

@testable import PlatformKit

@Suite struct KeychainStatusTests {
    /// The numbers of `SecBase.h`.
    @Test(
        arguments: [
            (-25_308, PhoneError.locked), (-25_315, .locked), (-25_291, .locked), (-25_316, .locked), (-128, .denied),
            (-25_293, .denied),
            (-34, .full), (-34_018, .failed("the keychain answers -34018")),
        ] as [(Int32, PhoneError)])
    func statusOfALockedPhoneIsNeitherARefusalNorAFailure(_ status: Int32, _ error: PhoneError) {
        #expect(PhoneError(keychainStatus: status) == error)
    }

    @Test @MainActor func lockedPhoneKeepsItsSecretsAndReportsTheUnlock() async throws {
        let phone = TestPhone()
        let keychain = phone.phone().part(forServer: "https://box.example").keychain
        try await keychain.set(.init([1]), for: "a")
        var unlocks = keychain.unlocks().makeAsyncIterator()
        phone.isKeychainLocked = true
        await #expect(throws: PhoneError.locked) { try await keychain.data(for: "a") }
        await #expect(throws: PhoneError.locked) { try await keychain.set(nil, for: "a") }
        phone.isKeychainLocked = false
        await unlocks.next()
        #expect(try await keychain.data(for: "a") == .init([1]))
    }
}
