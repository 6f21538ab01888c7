import ArgumentParser
import CompactEncoding
import DHTRPC
import HyperDHT

/// `switchboard swarm doctor`.
struct SwarmDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Show how the network sees this machine.",
        discussion: """
            Checks each hop: the bootstrap nodes, the address that other nodes see, the kind
            of network in front of this machine, and its reachability. Everybody connects to
            an 'open' machine. 'consistent' networks can be connected to by hole punching,
            'random' ones only from a network that is not, or through a blind relay.
            """)

    @OptionGroup var options: SwarmOptions

    func run() async throws {
        try await SwarmRun.perform(options) { report in
            let configuration = try await options.configuration()
            try await SwarmNodes.with(configuration) { node in
                for address in configuration.bootstrap { try await check(address, node) }
                let count = await node.rpc.bootstrapped()
                guard count > 0 else {
                    throw SwarmFailure(.noBootstrapNode, "No bootstrap node answered. Check the network and --bootstrap.")
                }
                try await write("Nodes that answered", "nodes", "\(count)")
                let isReachable = await node.checkReachability()
                let kind = await node.sampleAddress()
                let address = await node.publicAddress
                try await write(
                    "Address that others see", "publicAddress", address.map { $0.port == 0 ? $0.host : "\($0)" } ?? "unknown")
                try await write("Kind of network", "firewall", "\(kind)")
                try await write("Reachable from everywhere", "reachable", "\(isReachable)", isReachable ? "yes" : "no")
            }
        }
    }

    private func check(_ address: PeerAddress, _ node: DHTNode) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let failure: RPCError?
        do {
            _ = try await node.rpc.ping(address, maximumSends: 2)
            failure = nil
        } catch {
            failure = error
        }
        let time = "\(Int((clock.now - start) / .milliseconds(1)))"
        if let failure {
            try await write("Bootstrap node \(address)", "bootstrap", "\(address)", "did not answer", ["error": "\(failure.code)"])
        } else {
            try await write(
                "Bootstrap node \(address)", "bootstrap", "\(address)", "answered in \(time) ms", ["milliseconds": time])
        }
    }

    /// Writes one fact to standard output: `label: value`, or one JSON object.
    private func write(
        _ label: String, _ key: String, _ value: String, _ words: String? = nil, _ fields: KeyValuePairs<String, String> = [:]
    ) async throws {
        let line =
            options.json ? SwarmReport.json([(key, value)] + fields.map { ($0.key, $0.value) }) : "\(label): \(words ?? value)"
        try await SwarmPipe.write(Array((line + "\n").utf8))
    }
}
