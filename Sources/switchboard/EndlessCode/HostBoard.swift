import EndlessCodeService
import EndlessCodeWire
import Foundation
import NetworkingKit
import WireKit

/// The output of a host: its address, and the code for phones.
final class HostBoard: Sendable {
    private let host: String
    private let fingerprint: CertificateFingerprint?
    private let notes: [String]
    private let tokens: AccessTokens
    private let port = Locked<Int?>(nil)

    /// - Parameter host: The address that the host listens on.
    init(host: String, fingerprint: CertificateFingerprint?, notes: [String], tokens: AccessTokens) {
        (self.host, self.fingerprint, self.notes, self.tokens) = (host, fingerprint, notes, tokens)
    }

    /// Writes the address and the code. Called when the host listens.
    func show(port: Int) {
        self.port.withLock { $0 = port }
        let scheme = fingerprint == nil ? "http" : "https"
        let addresses = addresses.map { "\(scheme)://\($0):\(port)" }
        var lines = ["Listening on \(addresses.first ?? "port \(port)")"]
        lines += addresses.dropFirst().map { "  also \($0)" } + notes.map { "  \($0)" }
        if let fingerprint { lines.append("  Certificate: \(fingerprint)") }
        Self.write(lines.joined(separator: "\n"))
        showCode(port, title: "Scan this code in the app, or paste the line below it.")
    }

    /// Writes the code with the new token.
    func showNewToken() {
        // Before the host listens the code has not been shown.
        guard let port = port.withLock({ $0 }) else { return }
        showCode(port, title: "The token is new: every phone has to scan this code, or paste the line below it.")
    }

    private func showCode(_ port: Int, title: String) {
        guard let address = addresses.first, let number = UInt16(exactly: port) else { return }
        let link = ServerLink(host: address, port: number, token: tokens.current, fingerprint: fingerprint)
        Self.write("\n\(title)\n\n\(TerminalCode.block(link.text))\n\(link.text)\n")
    }

    /// The addresses at which phones reach the host, the best one first.
    private var addresses: [ServerAddress.Host] {
        if ["0.0.0.0", "::"].contains(host) {
            let found = HostInterfaces.addresses(ipv6: host == "::")
            if !found.isEmpty { return found.map { .ip($0) } }
        }
        // Without a network only this machine is left.
        let own = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return (try? ServerAddress.Host(own)).map { [$0] } ?? []
    }

    /// Writes lines to standard output.
    static func write(_ text: String) {
        // A closed pipe, a closed terminal or a full disk is no reason to stop.
        try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }
}
