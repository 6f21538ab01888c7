import Foundation
import Logging
import ServerKit
import ServiceLifecycle

#if os(Linux)
    import Home
    import NetworkingKit
    import PlatformKit
    import SwiftUI
    import WebRenderer

    /// The app of one system, as browsers get it.
    struct BrowserApp {
        /// The name below the icon and in the browser's tab.
        let title: String
        let launch: LaunchColors
        let bundle: Bundle
        let fonts: [URL]
        /// Work of the app that runs while the box runs, for all phones.
        let background: [any Service]
        /// Called after everything else has ended.
        let close: @Sendable () async -> Void
        let root: @MainActor @Sendable (Phone, AppContext) -> AnyView

        init(
            title: String, launch: LaunchColors = .system, bundle: Bundle, fonts: [URL] = [],
            background: [any Service] = [], close: @escaping @Sendable () async -> Void = {},
            @ViewBuilder root: @escaping @MainActor @Sendable (Phone, AppContext) -> some View
        ) {
            self.title = title
            self.launch = launch
            self.bundle = bundle
            self.fonts = fonts
            self.background = background
            self.close = close
            self.root = { AnyView(root($0, $1)) }
        }
    }

    extension System {
        /// Returns the system with an app for browsers.
        func inBrowsers(_ app: @escaping @MainActor @Sendable (BoxContext) async throws -> BrowserApp) -> System {
            var system = self
            system.app = app
            return system
        }
    }

    /// The services that an app on a browser phone can call.
    struct AppContext: Sendable {
        /// The app's own service in this box, called in process.
        let service: RemoteService
        /// The servers elsewhere that `--allow-server` names.
        let allowedServers: [AllowedServer]
        /// The network address of the browser's last connection.
        let caller: @Sendable () -> String
    }

    /// The home screen and the apps that a box serves to browsers.
    enum BrowserApps {
        /// - Parameter services: The services that apps call in process.
        @MainActor static func build(
            _ configuration: ServeConfiguration, services: [ServiceParts], logger: Logger, context: (System) -> BoxContext
        ) async throws -> ServiceParts? {
            let transport = InProcessTransport(services: services, logger: logger)
            var apps: [(name: String, app: BrowserApp)] = []
            for system in System.all {
                guard let makeApp = system.app else { continue }
                apps.append((system.name, try await makeApp(context(system))))
            }
            let icons = apps.map { HomeApp(id: $0.name, title: $0.app.title) }
            let pages = apps.map { name, app in
                page(of: app, name: name, transport: transport, allowedServers: configuration.allowedServers)
            }
            var site = try WebSite.build(
                apps: [home(icons)] + pages, folder: configuration.dataFolder.appending(path: "phones"),
                keyFile: configuration.phoneKey, accessCode: accessCode(configuration), asksEverybody: isReachable(configuration),
                logger: logger)
            site.background += apps.flatMap(\.app.background)
            site.close = { [close = site.close, closeApps = apps.map(\.app.close)] in
                await close()
                for closeApp in closeApps.reversed() { await closeApp() }
            }
            return site
        }

        @MainActor private static func page(
            of app: BrowserApp, name: String, transport: InProcessTransport, allowedServers: [AllowedServer]
        ) -> WebApp {
            let root = app.root
            return WebApp(name: name, title: app.title, launch: app.launch, bundle: app.bundle, fonts: app.fonts) {
                phone, address in
                let calls = transport.calling(from: address)
                let service = RemoteService(
                    address: InProcessTransport.address.appending(path: name), http: calls, sockets: calls)
                root(phone, AppContext(service: service, allowedServers: allowedServers, caller: address))
            }
        }

        @MainActor private static func home(_ icons: [HomeApp]) -> WebApp {
            .home(title: "Switchboard", launch: LaunchColors(light: 0xdbedff, dark: 0x0d1a38), bundle: HomeScreen.bundle) {
                HomeScreen(apps: icons, settings: Settings(phone: $0))
            }
        }

        private static func accessCode(_ configuration: ServeConfiguration) throws(StartupError) -> AccessCode {
            try AccessCode.stored(in: configuration.dataFolder.appending(path: "access-code.secret"))
        }

        /// True if browsers on other machines may connect: over the network, or through a proxy that has a name.
        private static func isReachable(_ configuration: ServeConfiguration) -> Bool {
            !configuration.server.isLoopback || !configuration.server.names.isEmpty
        }

        /// Returns the access code as people type it, and its link below an address of the box; nil if browsers need no code.
        static func access(_ configuration: ServeConfiguration) -> (code: String, link: (_ box: String) -> String)? {
            guard isReachable(configuration), let code = try? accessCode(configuration) else { return nil }
            return (code.shown, code.link(below:))
        }

        /// The phone's settings, for a home screen that does not know WebRenderer.
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
    // Apple's SwiftUI draws on its own screen only: a Mac serves the services without apps.
    enum BrowserApps {
        @MainActor static func build(
            _ configuration: ServeConfiguration, services: [ServiceParts], logger: Logger, context: (System) -> BoxContext
        ) async throws -> ServiceParts? { nil }
        static func access(_ configuration: ServeConfiguration) -> (code: String, link: (_ box: String) -> String)? { nil }
    }
#endif
