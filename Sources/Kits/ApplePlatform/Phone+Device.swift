#if os(iOS)
    import DiscoveryKit
    import Foundation
    public import PlatformKit

    extension Phone {
        /// The iPhone that runs the app. Made once per process.
        ///
        /// - Parameter notifications: Those of the app's ``DeviceDelegate``.
        @MainActor
        public static func device(
            notifications: DeviceNotifications, activities: any LiveActivities = NoLiveActivities()
        ) -> Phone {
            let service = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            let audio = DeviceAudio()
            return Phone(
                keychain: DeviceKeychain(service: service), preferences: DevicePreferences(), notifications: notifications,
                clipboard: DeviceClipboard(), sounds: DeviceSounds(audio: audio), networkPath: DeviceNetworkPath(),
                biometrics: DeviceBiometrics(service: service + ".owner"), scanner: DeviceScanner(), discovery: LocalDiscovery(),
                activities: activities, microphone: DeviceMicrophone(audio: audio), speaker: DeviceSpeaker(audio: audio),
                recognition: DeviceRecognition(), keyboard: DeviceKeyboard.followed(),
                folder: { try DeviceFolder.prepared() }, instances: AppInstances())
        }
    }

    /// The folder of the app's files.
    enum DeviceFolder {
        /// - Returns: The folder, which exists. Its files can be read from the first time on that the phone is unlocked after a start: a push
        ///   also wakes the app of a locked phone.
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
