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
        service: Service(standardPort: TalkCoService.standardPort) { box in
            let configuration = try TalkCoConfiguration(box.settings, dataFolder: box.dataFolder)
            let engines = try await EngineConfiguration(box.settings).engines(
                logger: box.logger, builtIn: { await .builtIn($0) }, withRules: { JudgeWithRules($0, logger: box.logger) })
            let info = engines.info
            box.logger.info(
                "The tutor of TalkCo",
                metadata: [
                    "engine": "\(info.kind.rawValue)", "name": "\(info.name)", "hears": "\(info.hearing.rawValue)",
                    "speaks": "\(info.speaks)", "judge": "\(info.judge ?? "rules")",
                ])
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
                configuration, engines: engines, models: models, metrics: box.metrics, logger: box.logger)
            let close = parts.close
            parts.close = {
                await close()
                await node.close()
            }
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

    /// The box's own secret, from which the keys come by which hosts know its learners. Drawn once, and kept in the data folder.
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
