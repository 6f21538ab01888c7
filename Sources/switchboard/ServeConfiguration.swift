import Foundation
import Logging
import NetworkingKit
import ServerKit
import StorageKit

/// The settings of `switchboard serve`, read once at the start. `switchboard serve --help` lists the names.
struct ServeConfiguration {
    static let standardPort = 8077

    static var standardDataFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        func folder(_ name: String) -> URL? { environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil } }
        if let data = folder("XDG_DATA_HOME") { return data.appending(path: "switchboard") }
        return (folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: ".local/share/switchboard")
    }

    /// Returns the names that a configuration file may contain.
    ///
    /// - Parameter alone: The only system to serve. Its names are accepted without the prefix as well.
    static func settingNames(alone: System?) -> Set<String> {
        var names = Set(
            [
                "HOST", "PORT", "DATA", "DATABASE", "ALLOW_HOST", "ALLOW_ORIGIN", "ALLOW_SERVER", "TLS_CERT", "TLS_KEY",
                "LOG_LEVEL",
                "PHONE_KEY_FILE", "OPERATOR",
            ].map {
                "SWITCHBOARD_" + $0
            })
        // The settings of every system, so that `serve` and `serve <system>` can share a file.
        for system in System.all { names.formUnion(system.settings.map { "\(system.prefix)\($0.name)" }) }
        if let alone { names.formUnion(alone.settings.map(\.name) + ["PORT"]) }
        return names
    }

    var server = WebServer.Configuration()
    /// The servers, beside this box, that apps in browsers may connect to.
    var allowedServers: [AllowedServer]
    var dataFolder: URL
    /// The PostgreSQL database of the services; nil for a file of each in the data folder.
    var database: String?
    /// The file of the key that seals the secrets of browser phones; nil for one in the data folder.
    var phoneKey: URL?
    var logLevel: Logger.Level

    /// - Parameter alone: The only system to serve. The names of its protocol, such as `PORT`, are accepted as well.
    init(_ settings: Settings, alone: System?) throws(StartupError) {
        let own = settings.scoped(to: "switchboard")
        server.host = own.string("host") ?? "localhost"
        if let alone {
            server.port = try settings.scoped(to: "switchboard", orPlain: true).integer(
                "port", in: 0...65_535, default: alone.service?.standardPort ?? Self.standardPort)
        } else {
            server.port = try own.integer("port", in: 0...65_535, default: Self.standardPort)
        }
        func list(_ key: String) -> [String] {
            (own.string(key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        server.names = list("allow.host")
        server.allowedOrigins = Set(
            try list("allow.origin").map { text throws(StartupError) in
                guard let origin = WebOrigin(text) else {
                    throw StartupError(
                        "\(own.name(of: "allow.origin")) contains \"\(text)\"; expected origins such as https://app.example")
                }
                return origin
            })
        allowedServers = try list("allow.server").map { text throws(StartupError) in
            guard let server = AllowedServer(text) else {
                throw StartupError(
                    "\(own.name(of: "allow.server")) contains \"\(text)\"; expected addresses such as https://relay.example or https://box.example/simbridge"
                )
            }
            return server
        }
        switch (own.string("tls.cert"), own.string("tls.key")) {
        case (nil, nil): server.tls = nil
        case (let certificate?, let key?): server.tls = (certificate, key)
        default: throw StartupError("TLS requires both a certificate (--tls-cert) and its private key (--tls-key)")
        }
        dataFolder = own.string("data").map { URL(filePath: $0) } ?? Self.standardDataFolder
        database = own.string("database")
        if let database, !DatabaseLocation.isPostgreSQL(database) {
            throw StartupError(
                "\(own.name(of: "database")) is not a database of PostgreSQL; expected an address such as postgresql://user@host/switchboard"
            )
        }
        phoneKey = own.string("phone.key.file").map { URL(filePath: $0) }
        logLevel = try own.choice("log.level", default: .info)
    }
}
