import Pager2077Service

#if os(Linux)
    import Pager2077App
    import Pager2077Client
    import SwiftUI
    import WebRenderer
#endif

extension System {
    static let pager2077 = System(
        name: PagerService.name, settings: PagerConfiguration.settings, command: { Pager2077Command.self },
        service: Service(standardPort: PagerService.standardPort) { box in
            try await PagerService.build(
                PagerConfiguration(box.settings, dataFolder: box.dataFolder, server: box.database, isAlone: box.isAlone),
                metrics: box.metrics,
                logger: box.logger)
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            BrowserApp(
                title: "Pager2077",
                launch: LaunchColors(light: 0x333333, dark: 0x333333), bundle: PagerRoot.bundle, fonts: PagerRoot.fonts
            ) { phone, box in
                PagerRoot(.shared(on: phone, service: box.service), on: phone)
            }
        }
    #endif
}
