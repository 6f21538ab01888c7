import ServerKit
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
        command: { TalkCoCommand.self },
        service: Service(standardPort: TalkCoService.standardPort) { box in
            let configuration = try TalkCoConfiguration(box.settings, dataFolder: box.dataFolder)
            let texts = try TutorTexts.installed()
            let settings = try EngineConfiguration(box.settings)
            @Sendable func engines(_ settings: EngineConfiguration) async throws -> Engines {
                try await settings.engines(
                    logger: box.logger, builtIn: { await .builtIn($0, texts: texts) },
                    withRules: { JudgeWithRules($0, texts: texts, logger: box.logger) })
            }
            let installed = SpeechEngines(SpeechFolder(in: box.dataFolder), logger: box.logger)
            let (present, better) = (try await engines(settings), settings.usingInstalled(at: installed.socket))
            var installable: InstallableEngines?
            if let better {
                installable = InstallableEngines(
                    installed, used: try await engines(better), allowsPages: !box.hasOtherNames, logger: box.logger)
            }
            var parts = try await TalkCoService.build(
                configuration, engines: present, installable: installable, metrics: box.metrics, logger: box.logger)
            parts.note = EnginesCommand.note(
                about: installed.folder.installed != nil ? installable?.info ?? present.info : present.info, in: box.dataFolder)
            return parts
        }
    )
    #if os(Linux)
        .inBrowsers { _ in
            BrowserApp(
                title: "TalkCo",
                launch: LaunchColors(light: 0xfbf9f6, dark: 0x151213)
            ) { phone, box in
                TalkCoRoot(.shared(on: phone, service: box.service), on: phone)
            }
        }
    #endif
}
