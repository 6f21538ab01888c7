import ArgumentParser
import Foundation
import Logging
import ServerKit
import ServiceLifecycle

/// `switchboard serve [system]`.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve all systems, or one.",
        discussion: """
            Without an argument, all systems share one port, each below its name
            (/pager2077/...), with their apps for browsers. 'serve <system>' serves that
            system only, at the root of the port of its protocol, without apps.

            Only this machine can connect, unless --host says otherwise. /health and
            /metrics report on the server. Ctrl-C or SIGTERM stops it.

            Every option has an environment variable, which can also stand in a file of
            NAME=value lines (--config). An option overrides the variable, and the
            variable overrides the file. There are further variables:

              SWITCHBOARD_PHONE_KEY_FILE
                  the key that seals the credentials of browser phones [phones.secret in the data folder]
              SWITCHBOARD_OPERATOR
                  who runs this box and how to reach them, for its privacy page (/privacy) [nobody is named]
            \(systemSettings)

            'serve <system>' accepts those of the system without the prefix too, and PORT.
            """)

    private static var systemSettings: String {
        System.all.flatMap { system in
            system.settings.map { "  \(system.prefix)\($0.name)\n      \($0.meaning)" }
        }.joined(separator: "\n")
    }

    private static var systemNames: String { System.servable.map(\.name).joined(separator: ", ") }

    @Argument(help: ArgumentHelp("Serve this system only: \(Self.systemNames).", valueName: "system"))
    var systemName: String?

    @Option(help: ArgumentHelp("Listen on this address. [env: SWITCHBOARD_HOST, default: localhost]", valueName: "address"))
    var host: String?

    // Unconditional: in `--port -1`, the -1 is an invalid port and not an unknown option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Listen on this port; 0 chooses a free one. [env: SWITCHBOARD_PORT, default: \(ServeConfiguration.standardPort); with a system, the port of its protocol]",
            valueName: "number"))
    var port: String?

    @Option(
        help: ArgumentHelp(
            "Keep databases and secrets in this folder. [env: SWITCHBOARD_DATA, default: \(ServeConfiguration.standardDataFolder.path)]",
            valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Keep what Pager2077, SimBridge and TalkCo store in this PostgreSQL database, such as postgresql://user@host/name, instead of files. Other users of this machine can read options: give a password by the variable. [env: SWITCHBOARD_DATABASE]",
            valueName: "URL"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Accept requests for this host name; may be repeated. [env: SWITCHBOARD_ALLOW_HOST, separated by commas]",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let web pages of this origin call the services, such as https://app.example; may be repeated. With a system, its protocol decides instead. [env: SWITCHBOARD_ALLOW_ORIGIN, separated by commas]",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let apps in browsers connect to this server too, such as https://relay.example; may be repeated. [env: SWITCHBOARD_ALLOW_SERVER, separated by commas]",
            valueName: "URL"))
    var allowServer: [String] = []

    @Option(help: ArgumentHelp("Serve over TLS with this certificate chain. [env: SWITCHBOARD_TLS_CERT]", valueName: "pem-file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of the certificate. [env: SWITCHBOARD_TLS_KEY]", valueName: "pem-file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Log messages of this level and above: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")). [env: SWITCHBOARD_LOG_LEVEL, default: info]",
            valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("Read settings from this file. [env: SWITCHBOARD_CONFIG]", valueName: "file"))
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
        if let serveAlone = alone?.service?.serveAlone { return try await serveAlone(configuration, settings) }
        try await Box(configuration, settings: settings, alone: alone).run()
    }

    // Checked here: the parser would report the value of a misspelt option as an unknown system.
    private func system() throws -> System? {
        guard let systemName else { return nil }
        guard let system = System.all.first(where: { $0.name == systemName }) else {
            throw ValidationError("Unknown system '\(systemName)'; expected one of: \(Self.systemNames)")
        }
        guard system.service != nil else {
            throw ValidationError(
                "'\(systemName)' has no server of its own: 'switchboard serve' serves its app, and 'switchboard \(systemName) host' runs its host"
            )
        }
        return system
    }

    private func options() throws -> [String: String] {
        let given = [
            "host": host, "port": port, "data": data, "database": database,
            "allow.host": allowHost.isEmpty ? nil : allowHost.joined(separator: ","),
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
        return (path, try PrivateFiles.secret(in: URL(filePath: path)))
    }
}
