import Foundation
import Logging
import ServerKit

#if os(Linux)
    import Home
    import NIOTransport
    import NetworkingKit
    import Pager2077App
    import Pager2077Client
    import SimBridgeApp
    import SimBridgeClient
    import SwiftUI
    import WebRenderer

    /// The apps that a box offers to browsers. On other systems there are none: Apple's SwiftUI draws on its own screen only.
    enum BrowserApps {
        /// - Parameter services: What the apps reach without a network.
        @MainActor static func build(
            _ configuration: ServeConfiguration, services: [ServiceParts], logger: Logger
        ) throws(StartupError) -> ServiceParts? {
            let transport = InProcessTransport(services: services, logger: logger)
            return try WebSite.build(
                apps: [home, pager(transport), simBridge(transport, configuration.allowedServers)],
                folder: configuration.dataFolder.appending(path: "phones"),
                accessCode: accessCode(configuration), asksEverybody: isReachable(configuration), logger: logger)
        }

        private static func accessCode(_ configuration: ServeConfiguration) throws(StartupError) -> AccessCode {
            try AccessCode.kept(in: configuration.dataFolder.appending(path: "access-code.secret"))
        }

        /// Whether others than this machine's own browsers can be at the other end: over the network, or behind a proxy that has a name.
        private static func isReachable(_ configuration: ServeConfiguration) -> Bool {
            !configuration.server.isLoopback || !configuration.server.names.isEmpty
        }

        /// What a person has to know to open the apps.
        static func hint(_ configuration: ServeConfiguration) throws(StartupError) -> String? {
            isReachable(configuration) ? "Access code for browsers: \(try accessCode(configuration).shown)" : nil
        }

        @MainActor private static let icons = [
            HomeApp(
                id: "pager2077", title: "Pager2077", symbol: "antenna.radiowaves.left.and.right",
                colors: [Color(red: 0.62, green: 0.72, blue: 0.36), Color(red: 0.27, green: 0.36, blue: 0.15)]),
            HomeApp(
                id: "simbridge", title: "SimBridge", symbol: "simcard.fill",
                colors: [Color(red: 0.25, green: 0.58, blue: 0.91), Color(red: 0.06, green: 0.35, blue: 0.66)]),
        ]

        @MainActor private static func pager(_ transport: InProcessTransport) -> WebApp {
            WebApp(
                name: "pager2077", title: "Pager2077", launch: LaunchColors(light: 0x333333, dark: 0x333333),
                fonts: PagerRoot.fonts
            ) { phone, address in
                PagerRoot(.shared(on: phone, service: service("pager2077", transport.calling(from: address))), on: phone)
            }
        }

        /// A service of this box, as one of its phones reaches it.
        private static func service(_ name: String, _ transport: InProcessTransport) -> RemoteService {
            RemoteService(address: InProcessTransport.address.appending(path: name), http: transport, sockets: transport)
        }

        /// - Parameter others: Where further relays may be. It is the box that connects: without a word of its operator to nobody else.
        @MainActor private static func simBridge(_ transport: InProcessTransport, _ others: [AllowedServer]) -> WebApp {
            let (http, sockets) = (AsyncHTTP(), NIOSocket())
            return WebApp(
                name: "simbridge", title: "SimBridge Client", launch: LaunchColors(light: 0xfffbfe, dark: 0x1c1b1f)
            ) { phone, address in
                let relays = Relays.only(
                    service("simbridge", transport.calling(from: address)),
                    or: { url in
                        let address = others.lazy.compactMap { $0.address(for: url) }.first
                        return address.map { RemoteService(address: $0, http: http, sockets: sockets) }
                    }, deviceName: "Browser")
                SimBridgeRoot(phone: phone, relays: relays)
            }
        }

        private static let home = WebApp.home(title: "Switchboard", launch: LaunchColors(light: 0xdbedff, dark: 0x0d1a38)) {
            HomeScreen(apps: icons, settings: Settings(phone: $0))
        }

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
        @MainActor static func build(
            _ configuration: ServeConfiguration, services: [ServiceParts], logger: Logger
        ) throws(StartupError) -> ServiceParts? { nil }
        static func hint(_ configuration: ServeConfiguration) throws(StartupError) -> String? { nil }
    }
#endif
