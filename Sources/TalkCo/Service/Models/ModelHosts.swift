import LocalLLMCalls
import LocalLLMWire
import StorageKit
import TalkCoWire
import WireKit

/// The choice of a learner: a host of LocalLLM as the tutor's model.
struct ModelChoice: Hashable, Sendable {
    var learner: Learner.ID
    var host: ServerID
    /// The network that the learner calls from.
    var network = CallerNetwork.machine
}

/// The bounded set of connections to the hosts of learners, one for each learner.
actor ModelHosts {
    /// Maximum count of connections.
    static let maximumCount = 32
    /// Maximum count of connections for one network. ``CallerNetwork/machine`` may have ``maximumCount``.
    static let maximumCountPerNetwork = 8
    /// Idle timeout of a connection.
    static let idleTime = Duration.seconds(600)
    /// Minimum idle time after which another learner may displace a connection.
    static let recentTime = Duration.seconds(60)

    private struct Entry {
        var caller: HostCaller
        var network: CallerNetwork
        var lastUse: Timestamp
    }

    private let network: ModelNetwork
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private var entries: [Learner.ID: Entry] = [:]

    init(_ network: ModelNetwork, clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp) {
        (self.network, self.clock, self.now) = (network, clock, now)
    }

    /// Returns the learner's connection. A new connection is not open yet.
    ///
    /// - Parameter invitation: The invitation to send with a new connection, which replaces an earlier one; nil for none.
    /// - Throws: ``EngineError`` when too many connections are in use.
    func caller(for choice: ModelChoice, invitation: Invitation? = nil) async throws -> HostCaller {
        if var entry = entries[choice.learner], entry.caller.serverID == choice.host, invitation == nil {
            entry.lastUse = now()
            entries[choice.learner] = entry
            return entry.caller
        }
        let earlier = entries.removeValue(forKey: choice.learner)
        let evicted: HostCaller?
        do {
            evicted = try makeRoom(for: choice.network)
        } catch {
            entries[choice.learner] = earlier
            throw error
        }
        let network = network
        let caller = HostCaller(HostLink(choice.host, invitation: invitation), clock: clock) {
            try await network.dialler(for: choice.learner)
        }
        entries[choice.learner] = Entry(caller: caller, network: choice.network, lastUse: now())
        await earlier?.caller.close()
        await evicted?.close()
        return caller
    }

    /// Closes the learner's connection.
    func remove(_ learner: Learner.ID) async { await entries.removeValue(forKey: learner)?.caller.close() }

    /// Closes the connections that were not used for ``idleTime``.
    func closeIdle() async {
        let limit = now() - Self.idleTime
        for (learner, entry) in entries where entry.lastUse < limit { await remove(learner) }
    }

    func closeAll() async { for learner in entries.keys { await remove(learner) } }

    /// Removes the longest idle connection if there are too many.
    ///
    /// - Returns: The removed connection, to be closed; nil for none.
    private func makeRoom(for network: CallerNetwork) throws(EngineError) -> HostCaller? {
        let ofNetwork = entries.filter { $0.value.network == network }
        let candidates: [Learner.ID: Entry]
        if network != .machine, ofNetwork.count >= Self.maximumCountPerNetwork {
            candidates = ofNetwork
        } else if entries.count >= Self.maximumCount {
            candidates = entries
        } else {
            return nil
        }
        guard let oldest = candidates.min(by: { $0.value.lastUse < $1.value.lastUse }),
            oldest.value.lastUse < now() - Self.recentTime
        else {
            throw EngineError(.refused, "This box has too many connections to models at the moment. Try again in a minute.")
        }
        return entries.removeValue(forKey: oldest.key)?.caller
    }
}
