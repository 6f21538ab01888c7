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
                logger: box.logger, builtIn: { await .builtIn() }, withRules: { JudgeWithRules($0, logger: box.logger) })
            return try await TalkCoService.build(configuration, engines: engines, metrics: box.metrics, logger: box.logger)
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            BrowserApp(
                title: "TalkCo",
                launch: LaunchColors(light: 0xfbf9f6, dark: 0x151213), bundle: TalkCoRoot.bundle
            ) { phone, box in
                TalkCoRoot(.shared(on: phone, service: box.service), on: phone)
            }
        }
    #endif
}
