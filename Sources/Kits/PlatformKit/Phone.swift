public import Foundation

/// What an app can use of the phone it runs on, behind small protocols.
///
/// On an iPhone there is one phone, the device. On a box each browser that opens the address is one: a cookie, and a folder of
/// its own that expires. Tests have theirs. What a protocol here is not there for yet comes with the first app that needs it.
public struct Phone: Sendable {
    public var keychain: any Keychain
    public var preferences: any Preferences
    public var notifications: any Notifications
    public var clipboard: any Clipboard
    public var sounds: any Sounds
    public var networkPath: any NetworkPath
    public var biometrics: any Biometrics
    /// Of the page or window whose root view this value was given to.
    public var keyboard: OnScreenKeyboard
    /// The address that opens this app on another phone: in a browser that of its page. nil where it is unknown.
    public var appLink: URL?
    public var clock: any Clock<Duration>
    private let readInputTime: @MainActor @Sendable () -> ContinuousClock.Instant
    /// The moment of the user's input that is being handled, without the time that it took to get here; otherwise now.
    ///
    /// To be read in the handler itself, before anything is awaited. The differences between inputs are those of the phone's own clock, so that
    /// a slow connection changes neither multi-tap nor the deadline of a call.
    @MainActor public var inputTime: ContinuousClock.Instant { readInputTime() }
    /// Of the app's own on this phone. Private, and gone with the app. Made when it is first asked for.
    public var folder: @Sendable () throws -> URL
    /// What exists once per phone and app, however many screens show it.
    public let instances: AppInstances

    public init(
        keychain: any Keychain, preferences: any Preferences, notifications: any Notifications, clipboard: any Clipboard,
        sounds: any Sounds, networkPath: any NetworkPath, biometrics: any Biometrics,
        keyboard: OnScreenKeyboard = OnScreenKeyboard(), appLink: URL? = nil, clock: any Clock<Duration> = ContinuousClock(),
        folder: @escaping @Sendable () throws -> URL,
        inputTime: @escaping @MainActor @Sendable () -> ContinuousClock.Instant = { .now },
        instances: AppInstances
    ) {
        self.keychain = keychain
        self.preferences = preferences
        self.notifications = notifications
        self.clipboard = clipboard
        self.sounds = sounds
        self.networkPath = networkPath
        self.biometrics = biometrics
        self.keyboard = keyboard
        self.appLink = appLink
        self.clock = clock
        self.folder = folder
        readInputTime = inputTime
        self.instances = instances
    }
}

/// Why the phone did not do what an app asked of it.
public enum PhoneError: Error, Hashable, Sendable {
    /// The person said no.
    case denied
    /// This phone cannot do that.
    case unsupported
    /// No screen of the phone is there to do it.
    case absent
    /// There is no room left for what was to be kept.
    case full
    case failed(String)
}
