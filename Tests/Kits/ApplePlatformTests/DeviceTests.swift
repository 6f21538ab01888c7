#if os(iOS)
    import PhoneTestKit
    import PlatformKit
    import Testing

    @testable import ApplePlatform

    /// The parts of an iPhone that need neither a user nor a screen. For a simulator or a phone, with an app as the host: without one the
    /// keychain refuses every call.
    @Suite(.serialized) struct DeviceTests {
        @Test func keychainMeetsItsRequirements() async throws {
            try await PhoneRequirements.keychainKeepsSecrets(DeviceKeychain(service: "DeviceTests", access: .whileUnlocked))
        }

        @Test @MainActor func preferencesMeetTheirRequirements() async {
            await PhoneRequirements.preferencesKeepValuesOfTheirType(DevicePreferences())
        }

        @Test func folderMeetsItsRequirements() throws {
            try PhoneRequirements.folderIsOneAndKeepsFiles(DeviceFolder.prepared)
        }

        @Test func clipboardMeetsItsRequirements() async throws {
            try await PhoneRequirements.clipboardReturnsTheLastCopy(DeviceClipboard())
        }

        @Test @MainActor func networkPathMeetsItsRequirements() async {
            await PhoneRequirements.everyReaderGetsThePresentLink(DeviceNetworkPath())
        }
    }
#endif
