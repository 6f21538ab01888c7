#if os(iOS)
    public import Foundation
    public import PlatformKit

    /// The base class of all app delegates: the phone, the server, and the time in the background.
    ///
    /// An app's delegate inherits from it, conforms to `UIApplicationDelegate`, and overrides ``addCapabilities(to:)``. The delegate of an app that
    /// receives pushes inherits from `PushDelegate`.
    @MainActor
    open class DeviceDelegate: NSObject {
        /// The phone that runs the app.
        public private(set) lazy var phone: Phone = {
            var phone = Phone.device(access: Self.keychainAccess)
            phone.privacyPolicy = Self.privacyPolicy
            addCapabilities(to: &phone)
            return phone
        }()
        /// The choice of server, in an app whose user chooses the server.
        public private(set) lazy var server = ServerChoice(phone: phone, preset: Self.presetServer)
        private let backgroundTime = BackgroundTime()

        /// Called when the app's time in the background is over, before the system suspends it.
        public var willSuspend: (@MainActor @Sendable () async -> Void)? {
            get { backgroundTime.willEnd }
            set { backgroundTime.willEnd = newValue }
        }

        public override init() { super.init() }

        /// The preset server address: the app's path on the server that `Apple/Config/Team.xcconfig` names; empty if it names none,
        /// in which case the user enters an address.
        public static var presetServer: String {
            let address = Bundle.main.object(forInfoDictionaryKey: "ServerAddress") as? String ?? ""
            return address.hasPrefix("/") ? "" : address
        }

        /// The app's privacy policy in `Apple/Config/Team.xcconfig`; nil for none. A server that the user chooses has its own.
        private static var privacyPolicy: URL? {
            (Bundle.main.object(forInfoDictionaryKey: "PrivacyPolicy") as? String).flatMap { $0.isEmpty ? nil : URL(string: $0) }
        }

        /// The lock states in which the app's secrets can be read. An app that the system wakes in the background overrides them.
        open class var keychainAccess: KeychainAccess { .whileUnlocked }

        /// Adds the capabilities that this app uses, from the modules that it links.
        ///
        /// - Parameter phone: The phone before anything reads it.
        open func addCapabilities(to phone: inout Phone) {}
    }
#endif
