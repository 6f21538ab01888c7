import TalkCoService

#if os(Linux)
    import SwiftUI
    import TalkCoApp
    import TalkCoClient
    import WebRenderer
#endif

extension System {
    static let talkCo = System(
        name: TalkCoService.name, settings: TalkCoConfiguration.settings + EngineConfiguration.settings,
        service: Service(standardPort: TalkCoService.standardPort) { box in
            let configuration = try TalkCoConfiguration(box.settings, dataFolder: box.dataFolder)
            let engines = try await EngineConfiguration(box.settings).engines(
                builtIn: { await BuiltInEngines.make(logger: box.logger) }, withRules: { JudgeWithRules($0) }, logger: box.logger)
            return try await TalkCoService.build(configuration, engines: engines, metrics: box.metrics, logger: box.logger)
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            BrowserApp(
                title: "TalkCo", symbol: "bubble.left.and.text.bubble.right.fill",
                colors: [Color(red: 0.98, green: 0.62, blue: 0.35), Color(red: 0.86, green: 0.33, blue: 0.28)],
                launch: LaunchColors(light: 0xffffff, dark: 0x000000)
            ) { phone, box in
                TalkCoRoot(phone: phone, service: box.service)
            }
        }
    #endif
}
