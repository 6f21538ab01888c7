import EndlessCodeWire
import Foundation
import Observation
package import PlatformKit
package import WireKit

/// A search for servers on the local network.
@MainActor
@Observable
package final class ServerSearch {
    package enum Phase: Hashable, Sendable {
        case searching
        /// Nothing was found within ``ServerSearch/searchTimeout``. The search continues.
        case nothingFound
        case found
        /// The phone cannot search: `unsupported` for ever, `denied` until the user allows it.
        case failed(PhoneError)
        /// The program of the computer that searches on behalf of this phone is not running.
        case needs(MissingProgram)
    }

    /// Time after which a search without a result reports ``Phase/nothingFound`` (contract: 5 s).
    package nonisolated static let searchTimeout = Duration.seconds(5)
    /// The type of the service that servers announce.
    nonisolated static let serviceType = "_endlesscode._tcp"
    private static let serverLimit = 100

    /// The found servers, in the order of their names.
    package internal(set) var servers: [FoundServer] = []
    package internal(set) var phase = Phase.searching { didSet { if phase != .searching { timeoutEnd?.finish() } } }
    @ObservationIgnored private weak var client: AgentClient?
    @ObservationIgnored private var restarts: AsyncStream<Void>.Continuation?
    @ObservationIgnored private var timeoutEnd: AsyncStream<Never>.Continuation?

    init(_ client: AgentClient) { self.client = client }

    /// Searches until the calling task is cancelled. One call at a time.
    package func run() async {
        let (restarts, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.restarts = continuation
        defer { self.restarts = nil }
        continuation.yield()
        var search: Task<Void, Never>?
        for await _ in restarts {
            search?.cancel()
            await search?.value
            search = Task { await self.searchOnce() }
        }
        search?.cancel()
        await search?.value
    }

    /// Restarts the search, for pull to refresh. Returns after ``searchTimeout``, or when something was found.
    package func refresh() async {
        guard let restarts else { return }
        phase = .searching
        let (end, continuation) = AsyncStream.makeStream(of: Never.self)
        timeoutEnd = continuation
        restarts.yield()
        for await _ in end {}
    }

    private func searchOnce() async {
        guard let client else { return }
        let clock = client.phone.clock
        let waiting = Task {
            guard (try? await clock.sleep(for: Self.searchTimeout)) != nil, self.phase == .searching else { return }
            self.phase = .nothingFound
        }
        defer { waiting.cancel() }
        phase = .searching
        for await found in client.phone.discovery.servers(of: Self.serviceType) {
            guard !Task.isCancelled else { return }
            servers = found.servers.prefix(Self.serverLimit).map { client.found($0) }
            if !servers.isEmpty {
                phase = .found
            } else if let missing = found.missing {
                phase = .needs(missing)
            } else if let problem = found.problem {
                phase = .failed(problem)
            } else if phase != .searching {
                phase = .nothingFound
            }
        }
    }
}

/// A server that announces itself on the local network. Not authenticated.
package struct FoundServer: Hashable, Sendable, Identifiable {
    /// The announced name: `EndlessCode-4F2A`.
    package var name: String
    /// Nil for a server that this phone cannot reach, or that has another version.
    package var address: ServerAddress?
    /// True if this phone has a token for the server.
    package var isKnown: Bool
    package var id: String { name }

    package init(name: String, address: ServerAddress?, isKnown: Bool) {
        (self.name, self.address, self.isKnown) = (name, address, isKnown)
    }
}

extension AgentClient {
    func found(_ server: DiscoveredServer) -> FoundServer {
        var found = FoundServer(name: server.name, address: Self.address(of: server), isKnown: false)
        found.isKnown = known(found)?.token != nil
        return found
    }

    /// Returns the first address that this phone can call; nil without one, and for a server of another version.
    private static func address(of server: DiscoveredServer) -> ServerAddress? {
        guard server.attributes["v"] ?? "1" == "1", let port = UInt16(exactly: server.port), port > 0 else { return nil }
        let scheme: ServerAddress.Scheme = server.attributes["tls"] == "0" ? .http : .https
        // An address with a zone has no meaning in a URL.
        for text in server.addresses + [server.host] {
            if let host = try? ServerAddress.Host(text) { return ServerAddress(scheme: scheme, host: host, port: port) }
        }
        return nil
    }
}
