package import Foundation
package import SimBridgeWire
import WireKit

/// A notice for the host's terminal. ``words`` shortens numbers and leaves texts out, and nothing that
/// comes from a relay or a network controls the terminal.
package enum HostNotice: Hashable, Sendable {
    case loggedIn(username: String)
    case registeredDevice(name: String)
    case connected(relay: String)
    /// The line is down. The next attempt follows after `delay`.
    case disconnected(why: String, delay: Duration)
    /// The code for the user of a client.
    case pairingCode(PairingCode)
    /// The link that opens the app of the relay's box with the code.
    case pairingLink(URL)
    /// A pairing link that only this machine can open, such as a link to `localhost`.
    case localPairingLink(URL)
    case pairingCodeRanOut
    case paired
    /// No client is paired any more.
    case notPaired
    case driverUnavailable(String)
    case driverAvailable([SIMCard])
    case textSent(to: String, sim: Int)
    case textFailed(to: String, why: String)
    case textUnknown(to: String)
    case textReceived(from: String, sim: Int)
    case call(TelephonyCall)
    case callFailed(to: String, why: String)
    case commandRefused(name: String, why: String)
    /// The host has found this many commands with an unknown outcome at its start.
    case recovered(Int)
    /// The relay does not send receipts.
    case olderRelay
    /// A problem that does not end the host, as a sentence.
    case trouble(String)

    package var words: String {
        // A line break of a relay or a network could pass for a line of the host.
        if case .pairingCode = self { sentence.printable } else { sentence.printableInOneRow }
    }

    private var sentence: String {
        switch self {
        case .loggedIn(let name): "Logged in as \(name)."
        case .registeredDevice(let name): "Registered as the host '\(name)'."
        case .connected(let relay): "Connected to \(relay)."
        case .disconnected(let why, let delay): "Not connected: \(why). Trying again in \(delay.components.seconds) s."
        case .pairingCode(let code):
            """

            Type this code into the client, within \(Self.minutes(code.expiresInSeconds)):

            \(BigDigits.text(code.code))

            """
        case .pairingLink(let link): "Or open this link on the phone that is to use this host: \(link.absoluteString)"
        case .localPairingLink(let link):
            """
            Or open this link in a browser on this machine: \(link.absoluteString)
            Phones cannot open it: \(link.host() ?? "it") is this machine itself. For a link that they can open, start the box with \
            --host 0.0.0.0, or name the address at which phones reach the box with --app, such as \
            --app https://box.example/apps/simbridge.
            """
        case .pairingCodeRanOut: "The pairing code has run out."
        case .paired: "Paired: a client can use this host now."
        case .notPaired: "No client is paired with this host."
        case .driverUnavailable(let why): "No SIM card can be used: \(why)"
        case .driverAvailable(let cards):
            "SIM cards: "
                + cards.map { "\($0.slot): \($0.carrier), \($0.number.map(PhoneNumber.shortened) ?? "number not known")" }
                .joined(separator: "; ")
        case .textSent(let to, let sim): "Sent a text to \(PhoneNumber.shortened(to)) by SIM \(sim)."
        case .textFailed(let to, let why): "Could not send a text to \(PhoneNumber.shortened(to)): \(why)"
        case .textUnknown(let to): "It is not known whether a text to \(PhoneNumber.shortened(to)) was sent."
        case .textReceived(let from, let sim): "Received a text from \(PhoneNumber.shortened(from)) on SIM \(sim)."
        case .call(let call): Self.words(for: call)
        case .callFailed(let to, let why): "Could not call \(PhoneNumber.shortened(to)): \(why)"
        case .commandRefused(let name, let why): "Did not carry out \(name.isEmpty ? "a command" : name): \(why)"
        case .recovered(let count):
            "\(count) command\(count == 1 ? " was" : "s were") under way when this host last stopped: reported with unknown outcome, not repeated."
        case .olderRelay:
            "This relay is outdated: it does not confirm reports, so a report may arrive twice after an interruption. Update the relay."
        case .trouble(let what): what
        }
    }

    private static func words(for call: TelephonyCall) -> String {
        let other = PhoneNumber.shortened(call.number)
        let why = call.reason.map { " (\($0.lowercased()))" } ?? ""
        return switch (call.direction, call.state) {
        case (.incoming, .ringing): "\(other.prefix(1).uppercased() + other.dropFirst()) calls SIM \(call.sim)."
        case (.outgoing, .dialing): "Calling \(other) by SIM \(call.sim)."
        case (_, .active): "In a call with \(other)."
        case (_, .ended): "The call with \(other) has ended\(why)."
        default: "The call with \(other): \(call.state.rawValue)\(why)."
        }
    }

    private static func minutes(_ seconds: Int) -> String {
        seconds >= 120 ? "\(seconds / 60) minutes" : "\(seconds) seconds"
    }
}
