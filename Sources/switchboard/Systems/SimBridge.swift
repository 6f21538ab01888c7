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
        name: SimBridgeService.name, standardPort: SimBridgeService.standardPort, settings: SimBridgeConfiguration.settings,
        command: { SimBridgeCommand.self }
    ) { box in
        try await SimBridgeService.build(
            SimBridgeConfiguration(box.settings, dataFolder: box.dataFolder, isAlone: box.isAlone), fetch: Documents().get,
            metrics: box.metrics, logger: box.logger)
    }
    #if os(Linux)
        .inBrowsers {
            let (http, sockets) = (AsyncHTTP(), NIOSocket())
            return BrowserApp(
                title: "SimBridge", symbol: "simcard.fill",
                colors: [Color(red: 0.25, green: 0.58, blue: 0.91), Color(red: 0.06, green: 0.35, blue: 0.66)], icon: card,
                launch: LaunchColors(light: 0xfffbfe, dark: 0x1c1b1f)
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

#if os(Linux)
    /// A line on a SIM card.
    private let card = AppIcon(
        color: 0x1564b0,
        cables: ["25,31 32,31 32,43 39,43", "20,12 36,12 47,23 47,49 44,52 20,52 17,49 17,15 20,12"])
#endif
