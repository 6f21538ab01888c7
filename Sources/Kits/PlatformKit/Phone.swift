package import Foundation

/// The capabilities of the phone that an app runs on, behind small protocols.
///
/// On an iPhone there is one phone, the device. On a box each browser is a phone, with a cookie, and a folder that expires.
/// Tests use ``TestPhone``. A further protocol is added with the first app that needs it.
public struct Phone: Sendable {
    package var keychain: any Keychain
    package var preferences: any Preferences
    public var notifications: any Notifications
    public var activities: any LiveActivities
    package var clipboard: any Clipboard
    package var sounds: any Sounds
    package var networkPath: any NetworkPath
    public var biometrics: any Biometrics
    public var scanner: any Scanner
    public var discovery: any ServerDiscovery
    public var microphone: any Microphone
    public var speaker: any Speaker
    public var recognition: any SpeechRecognition
    /// The keyboard of the page or window whose root view received this value.
    package var keyboard: OnScreenKeyboard
    /// The address that opens this app on another phone, in a browser the address of its page; nil if unknown.
    package var appLink: URL?
    /// The privacy policy of the server that the app uses, or else of the app, as set when it was built; nil if there is none.
    package var privacyPolicy: URL?
    /// False if a browser shows the app on a page that is not secure: it came over plain HTTP from another machine. Such a page has
    /// no notifications, camera, microphone or passkeys, and cannot read the clipboard. An app that needs one tells the user.
    package var isSecure: Bool
    /// True for the phone of a demonstration: see ``demonstration()``.
    package internal(set) var isDemonstration = false
    /// Lets the user choose another server; nil if the app has no choice, or its own screen for it.
    package var changeServer: (@MainActor @Sendable () -> Void)?
    package var clock: any Clock<Duration>
    private let readInputTime: @MainActor @Sendable () -> ContinuousClock.Instant
    /// The time of the user's input that is being handled, without its transport delay; otherwise now.
    ///
    /// Read it in the handler itself, before the first `await`. The time between two inputs is measured by the phone's own clock,
    /// so that a slow connection changes neither multi-tap nor the deadline of a call.
    @MainActor package var inputTime: ContinuousClock.Instant { readInputTime() }
    /// Asks the screens of the app that are in front, one after the other, until one answers. Does nothing on an iPhone.
    ///
    /// The connection of a page in a browser may be dead before the box notices. A page that does not answer leaves the foreground,
    /// which its app sees by `scenePhase`, until the page sends again. Returns at once in a task that is cancelled.
    package let askScreen: @MainActor @Sendable () async -> Void
    /// The app's own folder on this phone. Private, removed with the app, created by the first call.
    package var folder: @Sendable () throws -> URL
    /// The folder if an earlier call of ``folder`` has created it; nil while the app has stored nothing, so that an unused phone
    /// leaves no folder behind.
    package var storedFolder: @Sendable () -> URL?
    /// The objects that exist once per phone and app, shared by all screens.
    package internal(set) var instances: AppInstances

    package init(
        keychain: any Keychain, preferences: any Preferences, notifications: any Notifications = NoNotifications(),
        clipboard: any Clipboard, sounds: any Sounds, networkPath: any NetworkPath, biometrics: any Biometrics = NoBiometrics(),
        scanner: any Scanner = NoScanner(),
        discovery: any ServerDiscovery = NoServerDiscovery(), activities: any LiveActivities = NoLiveActivities(),
        microphone: any Microphone = NoMicrophone(), speaker: any Speaker = NoSpeaker(),
        recognition: any SpeechRecognition = NoSpeechRecognition(), keyboard: OnScreenKeyboard = OnScreenKeyboard(),
        appLink: URL? = nil, isSecure: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        folder: @escaping @Sendable () throws -> URL, storedFolder: (@Sendable () -> URL?)? = nil,
        inputTime: @escaping @MainActor @Sendable () -> ContinuousClock.Instant = { .now },
        askScreen: @escaping @MainActor @Sendable () async -> Void = {}, instances: AppInstances
    ) {
        self.keychain = keychain
        self.preferences = preferences
        self.notifications = notifications
        self.clipboard = clipboard
        self.sounds = sounds
        self.networkPath = networkPath
        self.biometrics = biometrics
        self.scanner = scanner
        self.discovery = discovery
        self.activities = activities
        self.microphone = microphone
        self.speaker = speaker
        self.recognition = recognition
        self.keyboard = keyboard
        self.appLink = appLink
        self.isSecure = isSecure
        self.clock = clock
        self.folder = folder
        self.storedFolder = storedFolder ?? { try? folder() }
        readInputTime = inputTime
        self.askScreen = askScreen
        self.instances = instances
    }
}

/// The failure of a request to the phone.
package enum PhoneError: Error, Hashable, Sendable {
    /// The user refused.
    case denied
    /// The phone lacks the capability.
    case unsupported
    /// No screen of the phone is open to fulfil the request.
    case absent
    /// There is no room left to store the value.
    case full
    /// The phone is locked. Stored values exist, and can be read once the user has unlocked the phone.
    case locked
    case failed(String)
}
