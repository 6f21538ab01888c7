import WireKit

/// The services that a search knows, and the views of its readers.
final class ServiceTable: Sendable {
    /// The known properties of a service. It is reported once it has a host and an address.
    struct Entry: Hashable {
        var host: String?
        var port: UInt16 = 0
        var attributes = TXTRecord()
        var addresses: Set<IPAddress> = []
    }

    private struct State {
        var services: [ServiceInstance: DiscoveredService] = [:]
        var entries: [ServiceInstance: Entry] = [:]
        var problem: DiscoveryError?
        var views: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastView: UInt64 = 0
    }

    private let state = Locked(State())

    /// Changes the known properties of a service.
    func update(_ instance: ServiceInstance, type: ServiceType, _ change: (inout Entry) -> Void) {
        modify { state in
            var entry = state.entries[instance] ?? Entry()
            change(&entry)
            state.entries[instance] = entry
            if let service = entry.service(instance, type: type) { state.services[instance] = service }
        }
    }

    func remove(_ instance: ServiceInstance) {
        modify { state in
            state.entries[instance] = nil
            state.services[instance] = nil
        }
    }

    /// Sets the failure of the search, which removes all services; nil while the search works.
    func setProblem(_ problem: DiscoveryError?) {
        modify { state in
            state.problem = problem
            if problem != nil {
                state.entries = [:]
                state.services = [:]
            }
        }
    }

    private func modify(_ change: (inout State) -> Void) {
        let views = state.withLock { state in
            change(&state)
            return Array(state.views.values)
        }
        for view in views { view.yield() }
    }

    func view() -> View {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastView += 1
            state.views[state.lastView] = continuation
            return state.lastView
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.views[id] = nil } }
        return View(table: self, changes: changes)
    }

    /// The services as one reader knows them.
    struct View {
        private let table: ServiceTable
        private let changes: AsyncStream<Void>
        private var services: [ServiceInstance: DiscoveredService] = [:]
        private var problem: DiscoveryError?

        fileprivate init(table: ServiceTable, changes: AsyncStream<Void>) {
            self.table = table
            self.changes = changes
        }

        mutating func next() async -> ServiceEvent? {
            while !Task.isCancelled {
                if let event = difference() { return event }
                var waiting = changes.makeAsyncIterator()
                guard await waiting.next() != nil else { return nil }
            }
            return nil
        }

        /// Returns the first difference between the table and this view, and applies it to the view; nil if there is none.
        private mutating func difference() -> ServiceEvent? {
            let (current, problem) = table.state.withLock { ($0.services, $0.problem) }
            let old = services.sorted { $0.value.name < $1.value.name }
            if let (instance, service) = old.first(where: { current[$0.key] == nil }) {
                services[instance] = nil
                return .lost(service)
            }
            if problem != self.problem {
                self.problem = problem
                return problem.map(ServiceEvent.interrupted) ?? .resumed
            }
            let new = current.sorted { $0.value.name < $1.value.name }
            guard let (instance, service) = new.first(where: { services[$0.key] != $0.value }) else { return nil }
            return services.updateValue(service, forKey: instance) == nil ? .found(service) : .updated(service)
        }
    }
}

extension ServiceTable.Entry {
    /// Returns the service; nil before the entry has a host and an address.
    fileprivate func service(_ instance: ServiceInstance, type: ServiceType) -> DiscoveredService? {
        guard let host, !addresses.isEmpty else { return nil }
        return DiscoveredService(
            name: instance.name, type: type, host: host.hasSuffix(".") ? String(host.dropLast()) : host, port: port,
            attributes: attributes, addresses: addresses.sorted { ($0.rank, $0.description) < ($1.rank, $1.description) })
    }
}

extension IPAddress {
    /// The sort key of addresses: IPv4 before IPv6, then link-local addresses, then loopback.
    fileprivate var rank: Int { (isLoopback ? 4 : 0) + (isLinkLocal ? 2 : 0) + (isIPv6 ? 1 : 0) }
}
