import ClientKit
package import Foundation
import NetworkingKit
package import SimBridgeWire
import WireKit

/// A builder of conversations from the history, the host's reports and the outbox.
///
/// Each text and each call is one entry. A report on a known text or call changes its entry.
struct ConversationFold {
    /// The outcomes of texts that the host has reported, by the id of the command.
    private var outcomes: [RequestID: TextMessage.State]
    private let numbers: PhoneNumberMatcher
    private let hidden: Set<RequestID>
    private let now: Date
    private var entries: [Conversation.Entry] = []
    /// Count of the `entries` from the history. Further entries are only on this phone so far.
    private var numberedCount = 0
    /// The positions of outgoing texts and of calls in `entries`, by the id of the command or of the history item.
    private var positions: [RequestID: Int] = [:]
    /// The positions of calls that have not ended, the latest last.
    private var open: [Int] = []

    /// - Parameter hidden: Texts that the user has deleted from the screen.
    init(
        numbers: PhoneNumberMatcher = PhoneNumberMatcher(), outcomes: [RequestID: TextMessage.State] = [:],
        hidden: Set<RequestID> = [], now: Date = .distantPast
    ) {
        self.numbers = numbers
        self.outcomes = outcomes
        self.hidden = hidden
        self.now = now
    }

    /// Adds the history, newest first.
    mutating func add(_ items: [HistoryItem]) {
        let messages = items.map { ($0, $0.message) }
        for (_, message) in messages {
            if case .event(.textSent(let status, let reason)) = message.content, let id = message.reqId, outcomes[id] == nil {
                outcomes[id] = .init(status, reason: reason, delivery: message.details.delivery)
            }
        }
        for (item, message) in messages.reversed() { add(item, message) }
        for position in open { update(position) { [now] in $0.giveUp(at: now) } }
        numberedCount = entries.count
    }

    private mutating func add(_ item: HistoryItem, _ message: RelayMessage) {
        let moment = Moment(message.details, arrival: item.createdAt?.date ?? .distantPast)
        let time = moment.time
        let id = message.reqId ?? RequestID("history-\(item.id)")
        switch message.content {
        case .command(let command) where command.name == .sendText:
            add(id: id, TextCommand(command, to: item.toDeviceId), time, outcomes[id] ?? .init(item))
        case .command(let command) where command.name == .makeCall:
            guard let number = command.to, positions[id] == nil else { return }
            addCall(id, number, command.sim, isIncoming: false, item.toDeviceId, time, .init(item))
        case .command(let command) where command.name == .hangUp:
            // A command without the id of a call ends all calls of the host.
            let ended = command.callReqId.map { positions[$0].map { [$0] } ?? [] } ?? open
            for position in ended { update(position) { if $0.host == item.toDeviceId { $0.isHungUp = true } } }
        case .event(.incomingText(let sim, let from, let body)):
            entries.append(
                .text(
                    TextMessage(
                        id: "history-\(item.id)", number: from ?? "", body: body ?? "", sim: sim, time: time, state: .received,
                        kind: message.details.kind, isLate: moment.isLate)))
        case .event(.incomingCall(let sim, let from)):
            addCall(
                RequestID("history-\(item.id)"), from ?? "", sim, isIncoming: true, item.fromDeviceId, time, .underWay,
                isLate: moment.isLate)
        case .event(.callState(let state, let sim, let from, let reason)):
            if let position = position(of: message.reqId, from: from, host: item.fromDeviceId)
                ?? unnamedCall(from: from, sim: sim, host: item.fromDeviceId, message)
            {
                update(position) {
                    if $0.number.isEmpty, let from { $0.number = from }
                    $0.take(state, reason: reason, at: time)
                }
            } else if message.reqId == nil, let from, [.dialing, .ringing].contains(state) {
                // The call was begun on the host itself.
                let id = RequestID("history-\(item.id)")
                addCall(id, from, sim, isIncoming: state == .ringing, item.fromDeviceId, time, .underWay, isLate: moment.isLate)
            }
        default: break
        }
    }

    private mutating func addCall(
        _ id: RequestID, _ number: String, _ sim: Int?, isIncoming: Bool, _ host: Device.ID, _ time: Date,
        _ outcome: CallRecord.Outcome, isLate: Bool = false
    ) {
        let call = CallRecord(
            id: id.rawValue, number: number, sim: sim, isIncoming: isIncoming, time: time, outcome: outcome, host: host,
            isLate: isLate)
        if call.isOpen { open.append(entries.count) }
        positions[id] = entries.count
        entries.append(.call(call))
    }

    /// Returns the position of the call that a report is about; nil if the call is unknown.
    private func position(of id: RequestID?, from: String?, host: Device.ID) -> Int? {
        if let id { return positions[id] }
        return open.last { position in
            guard case .call(let call) = entries[position] else { return false }
            return call.host == host && (from.map { numbers.matches($0, call.number, sim: call.sim) } ?? true)
        }
    }

    /// Returns the position of an incoming call whose number was reported only after its first ring; nil if there is none.
    private func unnamedCall(from: String?, sim: Int?, host: Device.ID, _ message: RelayMessage) -> Int? {
        guard message.reqId == nil, from?.isEmpty == false else { return nil }
        return open.last { position in
            guard case .call(let call) = entries[position] else { return false }
            return call.host == host && call.isIncoming && call.number.isEmpty && (sim == nil || call.sim == sim)
        }
    }

    private mutating func update(_ position: Int, _ change: (inout CallRecord) -> Void) {
        guard case .call(var call) = entries[position] else { return }
        change(&call)
        entries[position] = .call(call)
        if !call.isOpen { open.removeAll { $0 == position } }
    }

    mutating func add(_ accepted: [AcceptedText]) {
        for text in accepted {
            add(id: text.id, text.text, text.time, outcomes[text.id] ?? (text.status == .sent ? .sent : .queued))
        }
    }

    /// Adds the waiting texts, below everything else.
    mutating func add(waiting items: [OutboxItem]) {
        for item in items {
            guard let text: TextCommand = item.content() else { continue }
            let state: TextMessage.State
            switch item.state {
            case .waiting: state = .waiting
            case .failed(let code): state = .failed(code == OutboxItem.expired ? .expired : .refused(BridgeProblem(code: code)))
            }
            add(id: RequestID(item.id), text, item.createdAt, state)
        }
    }

    private mutating func add(id: RequestID, _ text: TextCommand, _ time: Date, _ state: TextMessage.State) {
        guard !hidden.contains(id), positions[id] == nil else { return }
        positions[id] = entries.count
        entries.append(
            .text(TextMessage(id: id.rawValue, number: text.to, body: text.body, sim: text.sim, time: time, state: state)))
    }

    /// The conversations, one for each person, in descending order of their latest entries.
    var conversations: [Conversation] {
        struct Address: Hashable {
            var number: String
            var sim: Int?
        }
        var groups: [String: [Int]] = [:]
        for (address, positions) in Dictionary(
            grouping: entries.indices, by: { Address(number: entries[$0].number, sim: entries[$0].sim) })
        {
            groups[numbers.key(address.number, sim: address.sim), default: []] += positions
        }
        // A national number of an unknown country joins the only international number that it may be.
        let international = groups.keys.filter { $0.hasPrefix("+") }
        for key in groups.keys where !key.hasPrefix("+") {
            guard let other = PhoneNumberMatcher.international(key, among: international), let own = groups.removeValue(forKey: key)
            else { continue }
            groups[other, default: []] += own
        }
        return groups.map { key, positions in (positions.map(rank(of:)).max() ?? 0, key, positions) }
            .sorted { ($0.0, $0.1) > ($1.0, $1.1) }
            .map { _, key, positions in Conversation(number: key, entries: positions.sorted().map { entries[$0] }.withLateOnesMoved)
            }
    }

    /// Returns the rank of an entry: its position in the history, because the relay's clock may have been set back. A late entry,
    /// and an entry that the history lacks, is ranked by its time.
    private func rank(of position: Int) -> Double {
        let entry = entries[position]
        if position < numberedCount, !entry.isLate { return Double(position) }
        let earlier = entries[..<numberedCount].lastIndex { !$0.isLate && $0.time <= entry.time } ?? -1
        return Double(earlier) + Double(position) / Double(entries.count)
    }

    /// The received text that arrived last; nil if there is none.
    var latestText: TextMessage? {
        entries.reversed().lazy.compactMap { if case .text(let text) = $0, !text.isOutgoing { text } else { nil } }.first
    }
}

extension TextCommand {
    fileprivate init(_ command: Command, to host: Device.ID) {
        self.init(toDeviceId: host, sim: command.sim ?? 1, to: command.to ?? "", body: command.body ?? "")
    }
}

extension TextMessage.State {
    /// The state that the host reports.
    init(_ status: PhoneEvent.SendStatus, reason: String?, delivery: EventDetails.Delivery?) {
        switch status {
        case .ok:
            switch delivery {
            case .delivered: self = .delivered
            case .failed: self = .failed(.host(reason))
            case nil: self = .confirmed
            }
        case .error: self = .failed(.host(reason))
        case .unknown: self = .unknown
        }
    }

    /// The state that the relay knows. The host may have a text without having sent it.
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

extension CallRecord.Outcome {
    /// The outcome of a call command, as far as the relay knows it.
    fileprivate init(_ item: HistoryItem) {
        switch item.state {
        case .accepted: self = .queued
        case .sent, .confirmed, nil: self = .underWay
        case .failed: self = .failed(item.reason)
        case .expired: self = .expired
        case .unknown: self = .unknown
        }
    }
}

extension RelayTime {
    package var date: Date { timestamp.date }
}
