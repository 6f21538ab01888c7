import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import SwiftUI
import UnixSignals
import WebRenderer

// Shows every control of SwiftUI for Linux, each on a page of its own. `gallery [port]`; without one it takes a free port.
let logger = Logger(label: "gallery")
var configuration = WebServer.Configuration()
configuration.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
let folder = FileManager.default.temporaryDirectory.appending(
    path: "switchboard-gallery-\(ProcessInfo.processInfo.processIdentifier)")
let site = try WebSite.build(
    apps: [WebApp(name: "gallery", title: "Gallery") { _ in GalleryScreen() }], folder: folder, logger: logger)
let server = WebServer(configuration: configuration, services: [], front: site, logger: logger) { port in
    try? FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(port)/apps/gallery/\n".utf8))
}
try await ServiceGroup(
    services: site.background + [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
).run()
await site.close()
