import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import SwiftUI
import UnixSignals
import WebRenderer

/// A transcript in a browser. Its last message grows by the current time, from which the page computes the delay.
public enum TranscriptServer {
    /// Serves until SIGTERM. The first line printed is the address.
    public static func run(rows: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "transcript")
        logger.logLevel = .warning
        let app = WebApp(name: "transcript", title: "Transcript") { _ in
            Growing(messages: (0..<rows).map { WebUIBenchmarks.Message($0) })
        }
        let site = try WebSite.build(apps: [app], folder: folder.appending(path: "phones"), logger: logger)
        var configuration = WebServer.Configuration()
        configuration.port = 0
        let server = WebServer(configuration: configuration, services: [], front: site, logger: logger) { port in
            // A write fails only if the process that started this one has ended.
            try? FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(port)\n".utf8))
        }
        try await ServiceGroup(services: site.background + [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
        await site.close()
    }

    private struct Growing: View {
        let messages: [WebUIBenchmarks.Message]

        var body: some View {
            WebUIBenchmarks.Chat(messages: messages)
                .task {
                    while (try? await Task.sleep(for: .milliseconds(10))) != nil {
                        messages.last?.text += " \(Int(Date().timeIntervalSince1970 * 1_000_000))"
                    }
                }
        }
    }
}
