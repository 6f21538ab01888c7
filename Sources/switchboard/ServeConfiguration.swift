import Foundation
import Logging
import ServerKit

/// How a box serves. Read once, at the start; the names are listed in `switchboard serve --help`.
struct ServeConfiguration {
    static let standardPort = 8077

    static var standardDataFolder: URL {
        if let folder = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return URL(filePath: folder).appending(path: "switchboard")
        }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/switchboard")
    }

    /// Every name that a configuration file may have.
    static var settingNames: Set<String> {
        var names: Set<String> = ["PORT"]
        names.formUnion(["HOST", "PORT", "DATA", "ALLOW_HOST", "TLS_CERT", "TLS_KEY", "LOG_LEVEL"].map { "SWITCHBOARD_" + $0 })
        for system in System.allCases {
            names.formUnion(system.settingNames(prefixed: true))
            names.formUnion(system.settingNames(prefixed: false))
        }
        return names
    }

    var server = WebServer.Configuration()
    var dataFolder: URL
    var logLevel: Logger.Level

    /// - Parameter alone: The one system to serve; then its protocol's names count too, such as `PORT`.
    init(_ settings: Settings, alone: System?) throws(StartupError) {
        let own = settings.scoped(to: "switchboard")
        server.host = own.string("host") ?? "localhost"
        if let alone {
            // The command line first; both names are read so that either may come from the environment or the file.
            let standard = try settings.integer("port", in: 0...65_535, default: alone.standardPort)
            server.port = try own.integer("port", in: 0...65_535, default: standard)
        } else {
            server.port = try own.integer("port", in: 0...65_535, default: Self.standardPort)
        }
        server.names = (own.string("allow.host") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        switch (own.string("tls.cert"), own.string("tls.key")) {
        case (nil, nil): server.tls = nil
        case (let certificate?, let key?): server.tls = (certificate, key)
        default: throw StartupError("TLS needs both \(own.name(of: "tls.cert")) and \(own.name(of: "tls.key"))")
        }
        dataFolder = own.string("data").map { URL(filePath: $0) } ?? Self.standardDataFolder
        logLevel = try own.choice("log.level", default: .info)
    }
}
