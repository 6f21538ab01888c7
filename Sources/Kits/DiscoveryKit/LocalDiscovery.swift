import Foundation
public import PlatformKit
import WireKit

/// The search for servers on the networks of this machine: an iPhone, or the box, which searches for the phones in its browsers.
///
/// All callers that search for one type share one search.
public final class LocalDiscovery: ServerDiscovery {
    private let browsers = Locked<[ServiceType: ServiceBrowser]>([:])
    private let clock: any Clock<Duration>

    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    public func servers(of type: String) -> AsyncStream<DiscoveredServers> {
        guard let type = ServiceType(type) else {
            return AsyncStream { continuation in
                continuation.yield(DiscoveredServers(problem: .failed("\"\(type)\" is not a type of service")))
                continuation.finish()
            }
        }
        let browser = browsers.withLock { [clock] browsers in
            let browser = browsers[type] ?? ServiceBrowser(type: type, clock: clock)
            browsers[type] = browser
            return browser
        }
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var found = DiscoveredServers()
                continuation.yield(found)
                for await event in browser {
                    found.apply(event)
                    continuation.yield(found)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension DiscoveredServers {
    /// The discovery daemon; nil if it is part of the system.
    private static var daemon: MissingProgram? {
        #if os(Linux)
            MissingProgram(name: DiscoveryError.daemon, isInstalled: DiscoveryError.isDaemonInstalled)
        #else
            nil
        #endif
    }

    fileprivate mutating func apply(_ event: ServiceEvent) {
        switch event {
        case .found(let service), .updated(let service):
            servers.removeAll { $0.name == service.name }
            let index = servers.firstIndex { $0.name > service.name } ?? servers.endIndex
            servers.insert(DiscoveredServer(service), at: index)
        case .lost(let service): servers.removeAll { $0.name == service.name }
        case .interrupted(let error):
            problem =
                switch error.code {
                case .denied: .denied
                case .unavailable, .invalid, .nameConflict, .overflow, .failed: .failed(error.description)
                }
            missing = error.code == .unavailable ? Self.daemon : nil
        case .resumed: (problem, missing) = (nil, nil)
        }
    }
}

extension DiscoveredServer {
    fileprivate init(_ service: DiscoveredService) {
        self.init(
            name: service.name, host: service.host, port: Int(service.port), addresses: service.addresses.map(\.description),
            attributes: service.attributes.values.compactMapValues { String(data: $0, encoding: .utf8) })
    }
}
