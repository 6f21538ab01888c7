package import Foundation
package import SimBridgeWire
import WireKit

/// The content of a row of the history. The views define the words.
package struct HistorySummary: Hashable, Sendable {
    package enum Badge: Hashable, Sendable { case text, call, sim, host, other }

    package enum Content: Hashable, Sendable {
        /// A text to or from a number.
        case text(number: String, body: String)
        case textSent(PhoneEvent.SendStatus, number: String?, reason: String?)
        /// The delivery outcome of a text that the network has accepted.
        case textDelivery(EventDetails.Delivery, number: String?)
        case dialed(number: String)
        case hungUp
        case incomingCall(number: String)
        case callState(PhoneEvent.CallState, number: String?, reason: String?)
        case simsRequested
        case sims([SIMCard])
        case error(String?)
        case hostOffline
        /// Another message, by its name on the wire.
        case other(String)
    }

    package let badge: Badge
    package let content: Content
    /// The direction of a text or call; nil for others.
    package let direction: Direction?

    package enum Direction: Hashable, Sendable { case outgoing, incoming }

    /// - Parameter numbers: The recipient's number of each command, by `req_id`.
    package init(_ item: HistoryItem, numbers: [RequestID: String] = [:]) {
        let message = item.message
        switch message.content {
        case .command(let command):
            switch command.name {
            case .sendText: (badge, content) = (.text, .text(number: command.to ?? "", body: command.body ?? ""))
            case .makeCall: (badge, content) = (.call, .dialed(number: command.to ?? ""))
            case .hangUp: (badge, content) = (.call, .hungUp)
            case .getSIMs: (badge, content) = (.sim, .simsRequested)
            default: (badge, content) = (.other, .other(command.name.rawValue))
            }
        case .event(let event):
            (badge, content) = Self.summary(
                of: event, number: message.reqId.flatMap { numbers[$0] }, delivery: message.details.delivery)
        default: (badge, content) = (.other, .other(item.msgType.rawValue))
        }
        direction = Self.direction(of: message.content)
    }

    package init(_ event: FeedEvent) {
        direction = Self.direction(of: .event(event.event))
        (badge, content) = Self.summary(of: event.event, number: event.number, delivery: event.delivery)
    }

    private static func direction(of content: RelayMessage.Content) -> Direction? {
        switch content {
        case .command(let command): command.name == .sendText || command.name == .makeCall ? .outgoing : nil
        case .event(.incomingText), .event(.incomingCall): .incoming
        default: nil
        }
    }

    private static func summary(
        of event: PhoneEvent, number: String?, delivery: EventDetails.Delivery?
    ) -> (Badge, Content) {
        switch event {
        case .textSent(.ok, _) where delivery != nil: (.text, .textDelivery(delivery ?? .delivered, number: number))
        case .textSent(let status, let reason): (.text, .textSent(status, number: number, reason: reason))
        case .incomingText(_, let from, let body): (.text, .text(number: from ?? "", body: body ?? ""))
        case .incomingCall(_, let from): (.call, .incomingCall(number: from ?? ""))
        case .callState(let state, _, let from, let reason):
            (.call, .callState(state, number: from ?? number, reason: reason))
        case .simInfo(let sims): (.sim, .sims(sims))
        case .error(let reason): (.host, .error(reason))
        case .deviceOffline: (.host, .hostOffline)
        case .unknown(let name, _): (.other, .other(name))
        }
    }
}

extension HistoryItem {
    /// The payload as indented JSON with sorted keys.
    package var prettyPayload: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // A decoded value can be encoded.
        return (try? encoder.encode(payload)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package var date: Date? { createdAt?.date }
}
