import EndlessCodeProjects
import EndlessCodeService
import Foundation
import Logging
import ServerKit
import WireKit

#if os(Linux)
    import DiscoveryKit
    import EndlessCodeApp
    import EndlessCodeClient
    import EndlessCodeWire
    import NIOTransport
    import NetworkingKit
    import PlatformKit
    import SwiftUI
    import WebRenderer
#endif

extension System {
    static let endlessCode = System(
        name: EndlessCodeService.name, settings: ScratchHost.settings, command: { EndlessCodeCommand.self },
        service: Service(
            standardPort: EndlessCodeService.standardPort,
            build: { box in
                let demo = try await ScratchHost(box.settings, dataFolder: box.dataFolder, logger: box.logger)
                return try await EndlessCodeBox.build(
                    demo.configuration, agents: demo.agents, projects: demo.projects, metrics: box.metrics, logger: box.logger)
            },
            requiresTLS: true,
            serveAlone: { configuration, settings in
                var logger = Logger(label: "switchboard") { StreamLogHandler.standardError(label: $0) }
                logger.logLevel = configuration.logLevel
                let demo = try await ScratchHost(
                    settings.scoped(to: EndlessCodeService.name, orPlain: true), dataFolder: configuration.dataFolder,
                    logger: logger)
                var server = configuration.server
                server.names += EndlessCodeHost.ownNames
                try await EndlessCodeHost(
                    demo.configuration, server: server, agents: demo.agents, projects: demo.projects,
                    notes: [demo.agents.words(isChosen: true), "Project: \(demo.project)"], logLevel: configuration.logLevel
                ).run()
            })
    )
    #if os(Linux)
        .inBrowsers { box in
            let tokens = try AccessTokens(folder: box.dataFolder)
            let folder = box.dataFolder
            let transports = NIOTransports()
            let gate = ServerGate(
                folder: folder,
                isStandardFolder: folder.standardizedFileURL == ServeConfiguration.standardDataFolder.standardizedFileURL,
                transports: transports, write: { HostBoard.write($0) })
            let discovery = LocalDiscovery()
            return BrowserApp(
                title: "EndlessCode",
                launch: LaunchColors(light: 0xffffff, dark: 0x0f1115), bundle: EndlessCodeRoot.bundle
            ) { phone, context in
                // The token may have changed since the start of the box. It stays in the box, which runs the app.
                let token = (try? AccessTokens(folder: folder).current) ?? tokens.current
                // The address is only a name that no other host has: calls stay in this process.
                let link = ServerLink(
                    host: .name("this-box.localhost"), port: ServerAddress.endlessCodePort, token: token, fingerprint: nil)
                let network = ServerNetwork(
                    phoneName: "Browser", transports: transports,
                    offered: [.init(link, name: "Demo", service: context.service)],
                    decide: { await gate.permission(for: $0, named: context.allowedServers, caller: context.caller()) })
                EndlessCodeRoot(phone: phone.searching(by: discovery), network: network)
            }
        }
    #endif
}

#if os(Linux)
    extension Phone {
        /// Returns the phone of a browser, for which the box searches its networks.
        fileprivate func searching(by discovery: LocalDiscovery) -> Phone {
            var phone = self
            phone.discovery = discovery
            return phone
        }
    }
#endif

/// The host that a box offers, with a scratch project and the demo agent. `endlesscode host` runs a host with projects of the user.
private struct ScratchHost {
    /// The settings, without the prefix.
    static let settings =
        [(name: "PROMPT_TIMEOUT", meaning: "seconds until an open question or permission is refused [1800]")]
        + EndlessCodeConfiguration.pushSettings

    let configuration: EndlessCodeConfiguration
    let agents: HostAgents
    let projects: ProjectCatalog
    /// The path of the scratch project.
    let project: String

    /// - Throws: `StartupError`.
    init(_ settings: Settings, dataFolder: URL, logger: Logger) async throws {
        var configuration = EndlessCodeConfiguration(dataFolder: dataFolder)
        configuration.promptTimeout = .seconds(
            try settings.integer("prompt.timeout", in: EndlessCodeBox.promptTimeouts, default: 1800))
        try PrivateFiles.ensureFolder(dataFolder)
        try configuration.readPush(settings)
        self.configuration = configuration
        let folder = dataFolder.appending(path: "endlesscode-demo")
        try PrivateFiles.ensureFolder(folder)
        do {
            project = try await ScratchProject.ensure(in: folder, logger: logger)
        } catch {
            throw StartupError("Cannot make the scratch project in \(folder.path): \(error.localizedDescription)")
        }
        // The conversations of the demo agent, apart from those of an agent that the user has.
        let history = folder.appending(path: "agent").path
        var environment = ProcessInfo.processInfo.environment
        environment["CLAUDE_CONFIG_DIR"] = history
        agents = HostAgents(.demo, environment: environment)
        projects = try HostProjects.catalog([project], history: history, secretsIn: dataFolder)
    }
}
