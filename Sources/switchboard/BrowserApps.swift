import Foundation
import Logging
import ServerKit

#if os(Linux)
    import Home
    import SwiftUI
    import WebRenderer

    /// The apps that a box offers to browsers. On other systems there are none: Apple's SwiftUI draws on its own screen only.
    enum BrowserApps {
        static func build(dataFolder: URL, logger: Logger) throws(StartupError) -> ServiceParts? {
            try WebSite.build(apps: [home], folder: dataFolder.appending(path: "phones"), logger: logger)
        }

        private static let icons: [HomeApp] = []

        private static let home = WebApp.home(title: "Switchboard") { HomeScreen(apps: icons, settings: Settings(phone: $0)) }

        /// The home screen knows nothing of who serves it.
        private struct Settings: HomeSettings {
            let phone: PhoneSettings
            var language: String? {
                get { phone.language }
                nonmutating set { phone.language = newValue }
            }
            func forget() { phone.forget() }
        }
    }
#else
    enum BrowserApps {
        static func build(dataFolder: URL, logger: Logger) throws(StartupError) -> ServiceParts? { nil }
    }
#endif
