import WireKit

/// The search of a browser: a browse, and for each service a resolution and address queries.
struct ServiceSearch: Sendable {
    let type: ServiceType
    let table: ServiceTable
    let clock: any Clock<Duration>

    /// Runs until the task is cancelled.
    func run() async {
        var pause = RetryPause()
        while !Task.isCancelled {
            do {
                try await browse { pause = RetryPause() }
            } catch {
                table.setProblem(error as? DiscoveryError ?? DiscoveryError(.failed, "\(error)"))
            }
            guard await pause.wait(clock) else { break }
        }
    }

    private func browse(_ didStart: () -> Void) async throws {
        let followers = Followers { await follow($0) }
        let result: Result<Void, any Error>
        do {
            try await Operation.run(.browse(type)) { replies in
                for try await reply in replies {
                    switch reply {
                    case .started:
                        didStart()
                        table.setProblem(nil)
                    case .browsed(let instance, isAdded: true): followers.didSee(instance)
                    case .browsed(let instance, isAdded: false): followers.didLose(instance)
                    case .registered, .resolved, .address: break
                    }
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await followers.end()
        try result.get()
    }

    /// Keeps the entry of a service current until the task is cancelled.
    private func follow(_ instance: ServiceInstance) async {
        await repeatedly {
            var host: String?
            var addresses: Task<Void, Never>?
            let result: Result<Void, any Error>
            do {
                try await Operation.run(.resolve(instance)) { replies in
                    for try await case .resolved(let newHost, let port, let attributes) in replies {
                        table.update(instance, type: type) { entry in
                            if entry.host != newHost { entry.addresses = [] }
                            (entry.host, entry.port, entry.attributes) = (newHost, port, attributes)
                        }
                        guard newHost != host else { continue }
                        host = newHost
                        addresses?.cancel()
                        await addresses?.value
                        addresses = Task { await followAddresses(of: newHost, for: instance) }
                    }
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            addresses?.cancel()
            await addresses?.value
            try result.get()
        }
        table.remove(instance)
    }

    private func followAddresses(of host: String, for instance: ServiceInstance) async {
        await withTaskGroup { group in
            for isIPv6 in [false, true] {
                group.addTask {
                    await repeatedly {
                        // The new query reports all addresses again; those of the last query may be outdated.
                        table.update(instance, type: type) { $0.addresses = $0.addresses.filter { $0.isIPv6 != isIPv6 } }
                        try await Operation.run(.addresses(host: host, isIPv6: isIPv6)) { replies in
                            for try await case .address(let address, let isAdded) in replies {
                                table.update(instance, type: type) { entry in
                                    if !isAdded {
                                        entry.addresses.remove(address)
                                    } else if entry.addresses.count < ServiceBrowser.maximumAddresses {
                                        entry.addresses.insert(address)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Repeats an operation that failed, after a pause, until the task is cancelled.
    private func repeatedly(_ body: () async throws -> Void) async {
        var pause = RetryPause()
        while !Task.isCancelled {
            try? await body()
            guard await pause.wait(clock) else { return }
        }
    }
}

/// The tasks that follow the services of one browse: one for each visible service, up to ``ServiceBrowser/maximumServices``.
private final class Followers: Sendable {
    private struct State {
        /// Count of network interfaces and protocols on which each service is visible.
        var sightings: [ServiceInstance: Int] = [:]
        /// The task of each followed service, also while the task ends.
        var tasks: [ServiceInstance: Task<Void, Never>] = [:]
        var hasEnded = false
    }

    /// Maximum visible services that are counted.
    private static let maximumSightings = 1_024
    private let follow: @Sendable (ServiceInstance) async -> Void
    private let state = Locked(State())

    /// - Parameter follow: Follows a service until its task is cancelled.
    init(_ follow: @escaping @Sendable (ServiceInstance) async -> Void) { self.follow = follow }

    func didSee(_ instance: ServiceInstance) {
        state.withLock { state in
            guard state.sightings[instance] != nil || state.sightings.count < Self.maximumSightings else { return }
            state.sightings[instance, default: 0] += 1
        }
        start()
    }

    func didLose(_ instance: ServiceInstance) {
        state.withLock { state in
            guard let count = state.sightings[instance] else { return }
            state.sightings[instance] = count > 1 ? count - 1 : nil
            if count == 1 { state.tasks[instance]?.cancel() }
        }
    }

    /// Starts tasks for visible services that have none, up to the maximum.
    private func start() {
        state.withLock { state in
            for instance in state.sightings.keys where state.tasks[instance] == nil {
                guard !state.hasEnded, state.tasks.count < ServiceBrowser.maximumServices else { return }
                state.tasks[instance] = Task {
                    await follow(instance)
                    self.state.withLock { $0.tasks[instance] = nil }
                    // Another service can be followed now, or this one again if it came back while its task ended.
                    start()
                }
            }
        }
    }

    /// Cancels all tasks and waits for them.
    func end() async {
        let tasks = state.withLock { state in
            state.hasEnded = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
