#if os(iOS)
    import Foundation
    import PlatformKit

    extension Phone {
        /// Returns the iPhone that runs the app, with the capabilities that every app has. Called once per process.
        ///
        /// Other capabilities are in modules of their own, because App Review requires a reason in the app's `Info.plist` for each
        /// protected interface that a program contains, whether it is called or not: see ``DeviceDelegate/addCapabilities(to:)``.
        ///
        /// - Parameter access: The lock states in which the app's secrets can be read.
        @MainActor
        static func device(access: KeychainAccess) -> Phone {
            Phone(
                keychain: DeviceKeychain(service: DeviceKeychain.appService, access: access), preferences: DevicePreferences(),
                clipboard: DeviceClipboard(), sounds: DeviceSounds(), networkPath: DeviceNetworkPath(),
                keyboard: DeviceKeyboard.followed(), folder: { try DeviceFolder.prepared() }, instances: AppInstances())
        }
    }

    /// The folder of the app's files.
    enum DeviceFolder {
        /// - Returns: The folder, created if needed. Its files can be read after the first unlock since the phone started, because
        ///   a push also wakes the app of a locked phone.
        static func prepared() throws -> URL {
            let folder = try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
            ).appending(path: "Phone")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
            return folder
        }
    }
#endif
