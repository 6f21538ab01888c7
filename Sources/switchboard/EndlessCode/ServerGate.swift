import EndlessCodeClient
import EndlessCodeWire
import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import WireKit

/// The gate for the EndlessCode hosts to which a box connects for phones in its browsers. Strangers may have its access code.
///
/// | address | rule |
/// | --- | --- |
/// | of this machine | only while an EndlessCode host answers there; it asks for its token. No other reply reaches a phone |
/// | any other | after the operator has named it: `--allow-server`, or `switchboard endlesscode allow`, which works at once |
actor ServerGate {
    /// The file of the addresses that the operator has allowed while the box runs.
    static let fileName = "endlesscode-allowed-servers"
    /// Maximum addresses of this machine without a host that one browser may try per minute.
    private static let missesPerMinute = 30
    /// Maximum addresses that the operator is told about, each once.
    private static let maximumRequests = 20
    private static let timeout: Duration = .seconds(5)
    /// The time for which a host's answer stays valid.
    private static let answerLifetime: Duration = .seconds(30)

    private let list: OwnerList
    private let transports: any ServerTransports
    private let misses = RateLimiter(limit: ServerGate.missesPerMinute, per: .seconds(60))
    private let ownAddresses: @Sendable () -> [IPAddress]
    private let write: @Sendable (String) -> Void
    private let clock: any Clock<Duration>
    /// The command that allows an address, without the address itself.
    private let command: String
    private var requests: Set<String> = []
    /// The time of the last answer of each host of this machine.
    private var answers: [ServerAddress: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - folder: The data folder of the box.
    ///   - isStandardFolder: False for a folder that a command has to name.
    ///   - write: Writes a line to the operator's terminal.
    init(
        folder: URL, isStandardFolder: Bool, transports: any ServerTransports,
        ownAddresses: @escaping @Sendable () -> [IPAddress] = { HostInterfaces.addresses(ipv6: true) },
        clock: any Clock<Duration> = ContinuousClock(), write: @escaping @Sendable (String) -> Void
    ) {
        (self.transports, self.ownAddresses, self.clock, self.write) = (transports, ownAddresses, clock, write)
        list = OwnerList(file: folder.appending(path: Self.fileName))
        command = "switchboard endlesscode allow" + (isStandardFolder ? "" : " --data \(folder.path.quotedForShell)")
    }

    /// - Parameters:
    ///   - named: The servers of `--allow-server`.
    ///   - caller: The address of the browser.
    func permission(for address: ServerAddress, named: [AllowedServer], caller: String) async -> ServerPermission {
        let allowed = named + list.entries.compactMap { AllowedServer($0) }
        if allowed.contains(where: { $0.address(for: address.url) != nil }) { return .allowed }
        guard isOfThisMachine(address.host), address.path.isEmpty else {
            request(address, caller)
            return .refused
        }
        let time = ContinuousClock.now
        if let answer = answers[address], time - answer < Self.answerLifetime { return .allowed }
        answers[address] = nil
        guard await misses.attempt(caller, now: time) == nil, await isHost(address) else { return .noServer }
        await misses.takeBack(caller, countedAt: time)
        answers[address] = time
        return .allowed
    }

    private func isOfThisMachine(_ host: ServerAddress.Host) -> Bool {
        if host.isLoopback { return true }
        return if case .ip(let address) = host { ownAddresses().contains(address) } else { false }
    }

    /// Tells the operator, once, that a browser asks for an address.
    private func request(_ address: ServerAddress, _ caller: String) {
        guard requests.count < Self.maximumRequests, requests.insert(address.text).inserted else { return }
        write(
            """
            A browser at \(caller.printableInOneRow) asks this box to connect to \(address.text) for EndlessCode. To allow it:
              \(command) \(address.text.quotedForShell)
            """)
    }

    // MARK: Hosts of this machine

    /// True if an EndlessCode host answers: `/health`, and the refusal of a call without a token.
    private func isHost(_ address: ServerAddress) async -> Bool {
        do {
            return try await withTimeout(Self.timeout, clock: clock) { [transports] in
                var pin: PinnedCertificate?
                // Nothing secret is sent, so any certificate will do. The phone compares the certificate before it sends its token.
                if address.scheme == .https {
                    pin = PinnedCertificate(fingerprint: try await transports.fingerprint(of: address.url))
                }
                let service = transports.service(at: address.url, pinning: pin)
                let health = try await Self.reply(EndlessCodeEndpoints.health.path, of: service)
                guard health.head.status == .ok, try WireJSON.decode(Health.self, from: health.body).status == "ok" else {
                    return false
                }
                let stats = try await Self.reply(EndlessCodeEndpoints.stats.path, of: service)
                guard stats.head.status == .unauthorized else { return false }
                return try WireJSON.decode(ErrorReply.self, from: stats.body).error.code == .authFailed
            }
        } catch {
            return false
        }
    }

    private static func reply(_ path: String, of service: RemoteService) async throws -> HTTPReply {
        try await service.http.send(try service.request(.get, path), limit: 4096)
    }
}

extension String {
    /// The text quoted as one word of a shell.
    var quotedForShell: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0.isASCIIAlphanumeric || "/:._-+@%,=".utf8.contains($0) }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
