import DiscoveryKit
import EndlessCodeService
import Foundation
import ServerKit
import ServiceLifecycle
import WireKit

/// The announcement of a host on the local network, from the moment it listens until it ends.
struct HostAnnouncement: ServiceLifecycle.Service {
    private static let type = ServiceType("_endlesscode._tcp")

    private let name: String
    private let usesTLS: Bool
    private let ports: AsyncStream<Int>
    private let port: AsyncStream<Int>.Continuation

    init(name: String, usesTLS: Bool) {
        (self.name, self.usesTLS) = (name, usesTLS)
        (ports, port) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns the name of a host, which is drawn once and kept in its data folder.
    static func name(in folder: URL) throws(StartupError) -> String {
        try StoredText.value(in: folder.appending(path: "endlesscode-name")) {
            let characters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
            return "EndlessCode-" + String((0..<4).compactMap { _ in characters.randomElement() })
        }
    }

    func start(port: Int) {
        self.port.yield(port)
        self.port.finish()
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard let port = await ports.first(where: { _ in true }), let type = Self.type else { return }
            do {
                let attributes = try TXTRecord(["v": "1", "tls": usesTLS ? "1" : "0"])
                let announcement = try ServiceAnnouncement(name: name, type: type, port: port, attributes: attributes)
                await announcement.run { event in
                    switch event {
                    case .announced(let name): HostBoard.write("Announced on the local network as \(name).")
                    case .interrupted(let error):
                        HostBoard.write("Not announced on the local network: \(error). Phones can still scan the code.")
                    }
                }
            } catch {
                // The stored name is not a valid name of a service.
                HostBoard.write("Not announced on the local network: \(error)")
            }
            // A service that returns would end the others.
            await waitForCancellation()
        }
    }
}
