public import Foundation
import NetworkingKit
public import SimBridgeWire
import WireKit

/// Makes texts of what the relay, the host and the outbox know about them.
struct TextFold {
    /// How the host says that texts went, by their command.
    private var outcomes: [RequestID: TextMessage.State]
    private let hidden: Set<RequestID>
    private var messages: [TextMessage] = []
    private var known: Set<String> = []

    /// - Parameter hidden: Texts that the person does not want to see any more.
    init(outcomes: [RequestID: TextMessage.State] = [:], hidden: Set<RequestID> = []) {
        self.outcomes = outcomes
        self.hidden = hidden
    }

    /// Takes the history, newest first.
    mutating func add(_ items: [HistoryItem]) {
        for item in items {
            if case .event(.textSent(let status, let reason)) = item.message.content, let id = item.message.reqId,
                outcomes[id] == nil
            {
                outcomes[id] = .init(status, reason: reason)
            }
        }
        for item in items.reversed() {
            let message = item.message
            let time = item.createdAt?.date ?? .distantPast
            switch message.content {
            case .command(let command) where command.name == .sendText:
                let id = message.reqId ?? RequestID("history-\(item.id)")
                add(id: id, OutgoingText(host: item.toDeviceId, command), time, outcomes[id] ?? .init(item))
            case .event(.incomingText(let sim, let from, let body)):
                messages.append(
                    TextMessage(
                        id: "history-\(item.id)", number: from ?? "", body: body ?? "", sim: sim, time: time, state: .received))
            default: break
            }
        }
    }

    mutating func add(_ accepted: [AcceptedText]) {
        for text in accepted {
            add(id: text.id, text.text, text.time, outcomes[text.id] ?? (text.status == .sent ? .sent : .queued))
        }
    }

    /// Takes what waits, which stands below everything else.
    mutating func add(waiting items: [OutboxItem]) {
        for item in items {
            guard let text: OutgoingText = item.content() else { continue }
            let state: TextMessage.State
            switch item.state {
            case .waiting: state = .waiting
            case .failed(let word): state = .failed(word == OutboxItem.expired ? .expired : .refused(BridgeProblem(word: word)))
            }
            add(id: RequestID(item.id), text, item.createdAt, state)
        }
    }

    private mutating func add(id: RequestID, _ text: OutgoingText, _ time: Date, _ state: TextMessage.State) {
        guard !hidden.contains(id), known.insert(id.rawValue).inserted else { return }
        messages.append(
            TextMessage(id: id.rawValue, number: text.to, body: text.body, sim: text.sim, time: time, state: state))
    }

    /// By number, the one with the latest text first.
    var conversations: [Conversation] {
        Dictionary(grouping: messages) { PhoneNumber.normalized($0.number) }
            .map { Conversation(number: $0.key, messages: $0.value) }
            .sorted { $0.last.time > $1.last.time }
    }
}

extension OutgoingText {
    fileprivate init(host: Device.ID, _ command: Command) {
        self.init(host: host, sim: command.sim ?? 1, to: command.to ?? "", body: command.body ?? "")
    }
}

extension TextMessage.State {
    /// What the host reports.
    init(_ status: PhoneEvent.SendStatus, reason: String?) {
        switch status {
        case .ok: self = .confirmed
        case .error: self = .failed(.host(reason))
        case .unknown: self = .unknown
        }
    }

    /// What the relay knows. That the host has a text does not mean that it has gone.
    fileprivate init(_ item: HistoryItem) {
        switch item.state {
        case .accepted: self = .queued
        case .sent, .confirmed, nil: self = .sent
        case .failed: self = .failed(.host(item.reason))
        case .expired: self = .failed(.expired)
        case .unknown: self = .unknown
        }
    }
}

extension RelayTime {
    public var date: Date { timestamp.date }
}
