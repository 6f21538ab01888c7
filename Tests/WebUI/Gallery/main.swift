import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import SwiftUI
import UnixSignals
import WebRenderer

// Serves the gallery to browsers until SIGTERM or SIGINT. See `GalleryOptions`.

// A closed connection is an error of one write, not the end of the program.
signal(SIGPIPE, SIG_IGN)
do {
    let options = try GalleryOptions(Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        print(GalleryOptions.help)
    } else {
        try await serve(port: Int(options.port))
    }
} catch let mistake as GalleryOptions.Mistake {
    fail("\(mistake) (try 'gallery --help')", code: 2)
} catch {
    fail("\(error)", code: 1)
}

/// Serves until a signal, and removes its data.
func serve(port: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "switchboard-gallery-\(ProcessInfo.processInfo.processIdentifier)")
    // Fails when nothing was stored. The system clears the temporary folder in the end.
    defer { try? FileManager.default.removeItem(at: folder) }

    var logger = Logger(label: "gallery") { label in StreamLogHandler.standardError(label: label) }
    logger.logLevel = .warning
    var configuration = WebServer.Configuration()
    configuration.port = port
    let site = try WebSite.build(
        apps: [
            WebApp(
                name: "gallery", title: "Gallery",
                streaming: { phone, streams in
                    GalleryScreen().environment(\.phone, phone).environment(\.pageStreams, streams)
                })
        ], folder: folder.appending(path: "phones"), logger: logger)
    let server = WebServer(configuration: configuration, services: [], front: site, logger: logger) { port in
        // Standard output may be closed; the gallery serves anyway.
        try? FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(port)/apps/gallery/\n".utf8))
    }
    var group = ServiceGroupConfiguration(
        services: site.background.map { .named($0) }
            + [.named(server, endsGroup: true)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    group.maximumGracefulShutdownDuration = .seconds(3)
    do {
        try await ServiceGroup(configuration: group).run()
    } catch {
        await site.close()
        throw error
    }
    await site.close()
}

func fail(_ message: String, code: Int32) -> Never {
    // Without standard error the exit code remains.
    try? FileHandle.standardError.write(contentsOf: Data("gallery: \(message)\n".utf8))
    exit(code)
}
