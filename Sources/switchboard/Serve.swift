import ArgumentParser
import Foundation
import Logging
import ServerKit
import ServiceLifecycle

/// `switchboard serve [system]`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the services of all systems, or of one.",
        discussion: """
            All systems share one port, each below its name (/pager2077/...). One
            system alone is at the root of its own port, the way its protocol has it.
            /health and /metrics tell how things are. Reached from this machine only,
            unless --host says otherwise. Ctrl-C or SIGTERM ends it in order.

            Each option can also be set in the environment, or in a file of NAME=value
            lines (--config). The command line wins, then the environment. Systems have
            settings of their own:

            \(systemSettings)

            'serve <system>' takes those of the system without the prefix as well, and
            PORT.
            """)

    private static var systemSettings: String {
        System.allCases.flatMap { system in
            system.settings.map { "  \(system.prefix)\($0.name)\n      \($0.meaning)" }
        }.joined(separator: "\n")
    }

    @Argument(help: ArgumentHelp("Run this system alone: \(System.names).", valueName: "system"))
    var systemName: String?

    @Option(help: ArgumentHelp("Listen on this address. [SWITCHBOARD_HOST, default: localhost]", valueName: "address"))
    var host: String?

    // Whatever follows is its value, -1 too: that is no option, but a port that there is not.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Listen on this port; 0 takes a free one. [SWITCHBOARD_PORT, default: \(ServeConfiguration.standardPort), or the system's own]",
            valueName: "number"))
    var port: String?

    @Option(
        help: ArgumentHelp(
            "Keep databases and secrets in this folder. [SWITCHBOARD_DATA, default: \(ServeConfiguration.standardDataFolder.path)]",
            valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Answer to this host name too; may be repeated. [SWITCHBOARD_ALLOW_HOST, separated by commas]", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let pages of this origin call the services, such as https://app.example; may be repeated. Without a system only: one alone answers the origins its protocol has it answer. [SWITCHBOARD_ALLOW_ORIGIN, separated by commas]",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let apps in the browser connect to this server too, such as https://relay.example; may be repeated. [SWITCHBOARD_ALLOW_SERVER, separated by commas]",
            valueName: "URL"))
    var allowServer: [String] = []

    @Option(help: ArgumentHelp("Speak TLS with this certificate chain. [SWITCHBOARD_TLS_CERT]", valueName: "pem-file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key. [SWITCHBOARD_TLS_KEY]", valueName: "pem-file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "How much to log: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")). [SWITCHBOARD_LOG_LEVEL, default: info]",
            valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("Read settings from this file. [SWITCHBOARD_CONFIG]", valueName: "file"))
    var config: String?

    func validate() throws {
        if port?.hasPrefix("--") == true { throw ValidationError("Missing value for '--port <number>'") }
    }

    func run() async throws {
        let alone = try system()
        let settings = try Settings(
            options: try options(), environment: ProcessInfo.processInfo.environment, file: try configurationFile(),
            known: ServeConfiguration.settingNames(alone: alone))
        let configuration = try ServeConfiguration(settings, alone: alone)
        try await Box(configuration, settings: settings, alone: alone).run()
    }

    // Not by the parser: it would take the value of a misspelt option for a system, and complain of that.
    private func system() throws -> System? {
        guard let systemName else { return nil }
        guard let system = System(rawValue: systemName) else {
            throw ValidationError("There is no system '\(systemName)'; choose from: \(System.names)")
        }
        return system
    }

    private func options() throws -> [String: String] {
        let given = [
            "host": host, "port": port, "data": data, "allow.host": allowHost.isEmpty ? nil : allowHost.joined(separator: ","),
            "allow.origin": allowOrigin.isEmpty ? nil : allowOrigin.joined(separator: ","),
            "allow.server": allowServer.isEmpty ? nil : allowServer.joined(separator: ","), "tls.cert": tlsCert, "tls.key": tlsKey,
            "log.level": logLevel, "config": config,
        ].compactMapValues(\.self)
        if let empty = given.first(where: \.value.isEmpty) {
            throw ValidationError("--\(empty.key.replacingOccurrences(of: ".", with: "-")) has no value")
        }
        return Dictionary(uniqueKeysWithValues: given.map { ("switchboard." + $0, $1) })
    }

    private func configurationFile() throws -> (name: String, text: String)? {
        guard let path = config ?? ProcessInfo.processInfo.environment["SWITCHBOARD_CONFIG"], !path.isEmpty else { return nil }
        return (path, try PrivateFiles.text(of: path))
    }
}
