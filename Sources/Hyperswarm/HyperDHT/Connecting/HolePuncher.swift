import CompactEncoding
import DHTRPC

/// The schedule of one side's probes, after both sides know each other's kind of network.
///
///     both consistent or open     10 times, a second apart, to each address of the peer
///     this side consistent        every 20 ms to a random port of the peer's host, up to 1750 times
///     this side random            every 20 ms from one of 256 sockets to the peer's address, up to 1750 times
///     both random                 no plan
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.3.
struct HolePuncher: Sendable {
    enum Action: Hashable, Sendable {
        /// A datagram of one zero byte.
        case probe(PeerAddress, socket: SocketID)
        /// The owner opens as many sockets and passes them to ``HolePuncher/add(_:)``.
        case openSockets(Int)
    }

    enum Plan: Hashable, Sendable { case addresses, ports, sockets }

    static let repetitions = 10
    static let interval = Duration.seconds(1)
    static let birthdayRepetitions = 1750
    static let birthdayInterval = Duration.milliseconds(20)
    static let birthdaySocketCount = 256
    /// The ports that random translation uses.
    static let guessedPorts: ClosedRange<UInt16> = 1000...65535
    /// Maximum addresses of the peer that are probed. The peer names them, so the limit bounds the traffic that it can cause.
    static let maximumAddressCount = 4
    /// Maximum addresses on the local network among them.
    static let maximumLocalAddressCount = 2

    let plan: Plan
    private var addresses: [PeerAddress]
    /// The host at which the peer proved to receive, as ``PeerAddress/octets``; nil if there is none.
    private var verifiedHost: UInt32?
    private var sockets: [SocketID] = []
    private var count = 0
    private(set) var deadline: Duration?

    /// Returns the plan for two kinds of network; `nil` if no plan exists.
    static func plan(local: Firewall, remote: Firewall) -> Plan? {
        switch (local, remote) {
        case (.open, .open), (.open, .consistent), (.consistent, .open), (.consistent, .consistent): .addresses
        case (.open, .random), (.consistent, .random): .ports
        case (.random, .open), (.random, .consistent): .sockets
        case (.random, .random), (.unknown, _), (_, .unknown): nil
        }
    }

    /// - Parameters:
    ///   - addresses: The peer's addresses; those of `verifiedHost` are preferred.
    ///   - verifiedHost: The host at which the peer proved to receive; nil if there is none.
    ///   - delay: The time before the first probe.
    init(plan: Plan, addresses: [PeerAddress], verifiedHost: UInt32?, now: Duration, delay: Duration = .zero) {
        self.plan = plan
        let sorted = addresses.filter { $0.octets == verifiedHost } + addresses.filter { $0.octets != verifiedHost }
        self.addresses = Array(sorted.prefix(HolePuncher.maximumAddressCount))
        self.verifiedHost = verifiedHost
        deadline = now + delay
    }

    var isFinished: Bool { deadline == nil }
    /// True while probes go to or from random ports.
    var isGuessingPorts: Bool { plan != .addresses && !isFinished }

    /// Adds sockets that the owner opened for this run.
    mutating func add(_ sockets: [SocketID]) {
        self.sockets += sockets
    }

    /// Marks a host as one at which the peer receives.
    mutating func verify(_ host: UInt32) {
        verifiedHost = host
    }

    mutating func stop() {
        deadline = nil
    }

    /// Returns the probes that are due at `now`.
    mutating func advance(to now: Duration, random: inout some RandomNumberGenerator) -> [Action] {
        guard let due = deadline, due <= now else { return [] }
        defer { count += 1 }
        switch plan {
        case .addresses:
            deadline = count + 1 < HolePuncher.repetitions ? now + HolePuncher.interval : nil
            // An address that the peer only claims gets a quarter of the probes.
            return addresses.filter { $0.isSendable && ($0.octets == verifiedHost || count.isMultiple(of: 4)) }
                .map { .probe($0, socket: .main) }
        case .ports:
            // Thousands of datagrams go only to a host at which the peer proved to receive.
            guard let verifiedHost, count < HolePuncher.birthdayRepetitions else { return end() }
            deadline = now + HolePuncher.birthdayInterval
            let port = UInt16.random(in: HolePuncher.guessedPorts, using: &random)
            let address = PeerAddress(octets: verifiedHost, port: port)
            return address.isSendable ? [.probe(address, socket: .main)] : end()
        case .sockets:
            guard let address = addresses.first(where: { $0.octets == verifiedHost && $0.isSendable }),
                count < HolePuncher.birthdayRepetitions
            else { return end() }
            deadline = now + HolePuncher.birthdayInterval
            if count == 0 { return [.openSockets(HolePuncher.birthdaySocketCount)] }
            guard !sockets.isEmpty else { return [] }
            return [.probe(address, socket: sockets[count % sockets.count])]
        }
    }

    private mutating func end() -> [Action] {
        deadline = nil
        return []
    }
}
