import CryptoPrimitives
import Foundation
import NetworkingKit
import ServerKit
import SwarmTransport
import TalkCoService

#if os(Linux)
    import SwiftUI
    import TalkCoApp
    import TalkCoClient
    import WebRenderer
#endif

extension System {
    static let talkCo = System(
        name: TalkCoService.name,
        settings: TalkCoConfiguration.settings + EngineConfiguration.settings + [
            BoxSwarm.setting("the models that learners choose are found")
        ],
        command: { TalkCoCommand.self },
        service: Service(standardPort: TalkCoService.standardPort) { box in
            let configuration = try TalkCoConfiguration(box.settings, dataFolder: box.dataFolder, server: box.database)
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
            let node = try box.swarm.node(box.settings)
            let models = ModelNetwork(secret: try modelSecret(in: box.dataFolder)) { secret in
                do {
                    return try await node.transport(secret: secret)
                } catch let error as DialError {
                    throw error
                } catch {
                    throw DialError(.network, at: .lookup, "\(error)")
                }
            }
            var parts = try await TalkCoService.build(
                configuration, engines: present, installable: installable, models: models, metrics: box.metrics,
                logger: box.logger)
            let close = parts.close
            parts.close = {
                await close()
                await node.close()
            }
            parts.note = EnginesCommand.note(
                about: installed.folder.installed != nil ? installable?.info ?? present.info : present.info, in: box.dataFolder)
            return parts
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

    /// Returns the box's own secret, from which the keys derive by which hosts know its learners. Drawn once; in the data folder.
    ///
    /// - Throws: `StartupError`.
    private static func modelSecret(in folder: URL) throws(StartupError) -> Data {
        let file = folder.appending(path: "talkco-models.key")
        let text = try PrivateFiles.secret(in: file) { Hexadecimal.encode(KeyPair.generate().seed) }
        guard let secret = Hexadecimal.decode(text), secret.count == 32 else {
            throw StartupError(
                "\(file.path) is damaged. Put a backup in its place, or delete it; hosts of LocalLLM have to approve the learners again then."
            )
        }
        return Data(secret)
    }
}
