import SimBridgeService

#if os(Linux)
    import NIOTransport
    import NetworkingKit
    import SimBridgeApp
    import SimBridgeClient
    import SwiftUI
    import WebRenderer
#endif

extension System {
    static let simBridge = System(
        name: SimBridgeService.name, settings: SimBridgeConfiguration.settings, command: { SimBridgeCommand.self },
        service: Service(standardPort: SimBridgeService.standardPort) { box in
            try await SimBridgeService.build(
                SimBridgeConfiguration(box.settings, dataFolder: box.dataFolder, server: box.database, isAlone: box.isAlone),
                fetch: Documents().get,
                metrics: box.metrics, logger: box.logger)
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            let (http, sockets) = (AsyncHTTP(), NIOSocket())
            return BrowserApp(
                title: "SimBridge",
                launch: LaunchColors(light: 0xfffbfe, dark: 0x1c1b1f), bundle: SimBridgeRoot.bundle
            ) { phone, box in
                let relays = Relays.only(
                    box.service,
                    or: { url in
                        let address = box.allowedServers.lazy.compactMap { $0.address(for: url) }.first
                        return address.map { RemoteService(address: $0, http: http, sockets: sockets) }
                    }, deviceName: "Browser")
                SimBridgeRoot(phone: phone, relays: relays)
            }
        }
    #endif
}
