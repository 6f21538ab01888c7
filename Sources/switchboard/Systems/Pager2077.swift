import Pager2077Service

#if os(Linux)
    import Pager2077App
    import Pager2077Client
    import SwiftUI
    import WebRenderer
#endif

extension System {
    static let pager2077 = System(
        name: PagerService.name, settings: PagerConfiguration.settings,
        service: Service(standardPort: PagerService.standardPort) { box in
            try await PagerService.build(
                PagerConfiguration(box.settings, dataFolder: box.dataFolder, isAlone: box.isAlone), metrics: box.metrics,
                logger: box.logger)
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            BrowserApp(
                title: "Pager2077", symbol: "antenna.radiowaves.left.and.right",
                colors: [Color(red: 0.62, green: 0.72, blue: 0.36), Color(red: 0.27, green: 0.36, blue: 0.15)],
                launch: LaunchColors(light: 0x333333, dark: 0x333333), fonts: PagerRoot.fonts
            ) { phone, box in
                PagerRoot(.shared(on: phone, service: box.service), on: phone)
            }
        }
    #endif
}
