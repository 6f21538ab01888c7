import Foundation
import Hummingbird
import Logging
import ServerKit
import ServiceLifecycle
import UnixSignals

/// The baseline of the pager's figures: the same web server with a WebSocket that echoes every text.
public enum EchoServer {
    static let path = "/echo"

    /// Serves until SIGTERM. The first line printed is the address, as with `switchboard serve`.
    public static func run() async throws {
        let router = Router(context: ServerContext.self)
        router.webSocket(RouterPath(path)) { _, _ in
            WebSocketUpgrade { connection in
                for try await message in connection.messages {
                    if case .text(let text) = message { try await connection.send(text) }
                }
            }
        }
        var logger = Logger(label: "echo")
        logger.logLevel = .warning
        let server = WebServer(
            configuration: .init(), services: [ServiceParts(name: "echo", responder: router.buildResponder())], isAlone: true,
            logger: logger,
            onReady: { port in
                // A write fails only if the process that started this one has ended.
                try? FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(port)\n".utf8))
            })
        try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
    }
}
