import ClientKit
import Foundation
import NetworkingKit
import PlatformKit
package import SimBridgeWire

extension Bridge {
    package func received(_ message: RelayMessage) {
        compareClocks(message)
        // Any other message is an event of a host, or of the relay about a host.
        guard case .event(let received) = message.content else { return noteRelay(message) }
        let event = received.shortened
        if message.fromDeviceId == host?.id || event.isOffline { presenceReportCount += 1 }
        if let sender = message.fromDeviceId, sender == host?.id { (isHostOnline, isUnpaired) = (true, false) }
        switch event {
        case .incomingText(let sim, let from, let body):
            if message.details.kind == .network, let from, call?.number == from { call?.answer = body }
            notify(
                NoticeID.text(from: numbers.key(from ?? "", sim: sim)), hidden: NoticeID.text, noticeWords.text, title: from,
                body: body)
        case .incomingCall(let sim, let from):
            // An old report does not ring. The report on the end of its call follows.
            if !isPast(message) { rings(from ?? "", sim: sim, host: message.fromDeviceId) }
        case .callState(let state, let sim, let from, let reason):
            callChanged(state, sim: sim, from: from, reason: reason, message)
        case .textSent(let status, let reason):
            if let id = message.reqId { note(.init(status, reason: reason, delivery: message.details.delivery), of: id) }
        case .simInfo(let cards):
            guard message.fromDeviceId == nil || message.fromDeviceId == host?.id else { return }
            sims = cards.sorted { $0.slot < $1.slot }
            // SIM cards are requested often, so their reports are not in the feed.
            return
        case .error(let reason): alert = Alert(content: .host(reason))
        case .deviceOffline(let device):
            if device == host?.id { isHostOnline = false }
            noteLostHost(device)
        case .unknown: break
        }
        feed.add(
            event, id: message.historyId, number: number(of: event, message), at: Moment(message.details, arrival: now()).time,
            delivery: message.details.delivery)
        if case .deviceOffline = event { return }
        // The fetched pages lack the event.
        for list in openLists where list.phase != .idle { refreshSoon(list) }
    }

    /// True if the event is older than ``CallRecord/maximumRingingTime``.
    private func isPast(_ message: RelayMessage) -> Bool {
        guard let time = message.details.hostTime else { return false }
        return now().addingTimeInterval(relayOffset).timeIntervalSince(time.date) > CallRecord.maximumRingingTime
    }

    /// Returns the number of the text or call that a report is about; nil if it is unknown, and for other events.
    private func number(of event: PhoneEvent, _ message: RelayMessage) -> String? {
        switch event {
        case .textSent: message.reqId.flatMap { textNumber($0) }
        // A report about another call has not changed this one.
        case .callState(_, _, let from, _):
            from ?? call.flatMap { isOf($0, from: from, message) ? $0.number : nil }
                ?? message.reqId.flatMap { history.numbers[$0] }
        default: nil
        }
    }

    private func textNumber(_ id: RequestID) -> String? {
        accepted.first { $0.id == id }?.text.to
            ?? waiting.first { $0.id == id.rawValue }.flatMap { (item: OutboxItem) -> TextCommand? in item.content() }?.to
            ?? history.numbers[id]
    }

    /// Applies the relay's refusal of a message that this device wrote.
    func apply(_ failure: SimBridgeWire.LineFailure, _ message: RelayMessage) {
        switch failure.code {
        case .targetOffline:
            if failure.targetDeviceId == host?.id { isHostOnline = false }
            if let id = call?.hangUpId, message.reqId == id, call?.isUnderWay == true { call?.state = .ended }
        case .deadlinePassed:
            if let id = message.reqId, call?.hangUpId == id { call?.hangUpId = nil }
            alert = Alert(content: .problem(.tooLate))
        case .notPaired, .noPairedHost: isUnpaired = true
        case .noRoom: alert = Alert(content: .problem(.unavailable("Too much still has to be delivered")))
        case .noPairedClient, .invalidJSON, .invalidType, .other: break
        }
    }

    /// True unless the report states another host, command or number than the call's.
    private func isOf(_ call: PhoneCall, from: String?, _ message: RelayMessage) -> Bool {
        if let host = message.fromDeviceId, let own = call.host, host != own { return false }
        if let id = message.reqId { return [call.reqId, call.hangUpId].contains(id) }
        guard let from, !from.isEmpty, !call.number.isEmpty else { return true }
        return numbers.matches(from, call.number, sim: call.sim)
    }

    private func callChanged(
        _ state: PhoneEvent.CallState, sim: Int?, from: String?, reason: String?, _ message: RelayMessage
    ) {
        let (host, reqId) = (message.fromDeviceId, message.reqId)
        let known = call.flatMap { isOf($0, from: from, message) ? $0 : nil }
        // The report is about an earlier call, or a call of another host.
        if known == nil, call?.isUnderWay == true { return }
        var current = known ?? PhoneCall(number: from ?? "", sim: sim, isIncoming: false, state: .dialing, host: host, reqId: reqId)
        if current.number.isEmpty, let from, !from.isEmpty {
            current.number = from
            if current.isIncoming, state == .ringing { notifyCall(from) }
        }
        switch state {
        case .dialing: current.state = .dialing
        case .ringing: current.state = .ringing
        case .active: current.state = .active
        case .ended: current.state = .ended
        case .error: current.state = .failed(reason)
        }
        if !current.isUnderWay, known == nil { return }
        current.isUnconfirmed = nil
        if state == .active { current.answeredAt = current.answeredAt ?? now() }
        call = current
        // The call was hung up while the host was away. If the host cannot be reached now, the user sees the call and can hang up.
        if state == .dialing, known?.state == .ended, current.hangUpId != nil { engine.tasks.start { try? await self.hangUp() } }
        if current.isUnderWay { timeOutRinging() } else { ended(current) }
    }

    private func rings(_ number: String, sim: Int?, host: Device.ID?) {
        notifyCall(number)
        // The user's own call stays on screen: the other one appears in its conversation.
        if call?.staysOnScreen == true { return }
        call = PhoneCall(number: number, sim: sim, isIncoming: true, state: .ringing, host: host)
        timeOutRinging()
    }

    private func notifyCall(_ number: String) {
        notify(NoticeID.call, hidden: NoticeID.call, noticeWords.call, title: "📞 " + number, body: noticeWords.call)
    }

    /// Ends a dialing or ringing call without a report for ``CallRecord/maximumRingingTime``: a lost host never reports the end.
    func timeOutRinging() {
        guard let waiting = call, [.dialing, .ringing].contains(waiting.state) else { return }
        timeOutCall(after: .seconds(CallRecord.maximumRingingTime)) { [weak self] in
            guard let self, call?.id == waiting.id, call?.state == waiting.state else { return }
            call?.state = waiting.isIncoming ? .ended : .failed(nil)
            if let call { ended(call) }
        }
    }

    /// Marks the active call of a host that went offline as unconfirmed.
    func noteLostHost(_ device: Device.ID?) {
        guard call?.state == .active, (call?.host ?? host?.id) == device else { return }
        call?.isUnconfirmed = true
    }

    private func ended(_ call: PhoneCall) {
        if call.isMissed {
            notify(
                NoticeID.call, hidden: NoticeID.call, noticeWords.missed, title: "📞 " + call.number, body: noticeWords.missed)
        } else {
            engine.tasks.start { await self.phone.notifications.remove(id: NoticeID.call) }
        }
    }

    /// Stores the outcome of a text. Only the last ``maximumOutcomeCount`` outcomes are kept; the history has all of them.
    private func note(_ outcome: TextMessage.State, of id: RequestID) {
        // Ids of this app are shorter; a relay may write megabytes.
        guard id.rawValue.utf8.count <= 100 else { return }
        if outcomes.updateValue(outcome, forKey: id) == nil { outcomeIDs.append(id) }
        if outcomeIDs.count > Self.maximumOutcomeCount { outcomes[outcomeIDs.removeFirst()] = nil }
    }
    static let maximumOutcomeCount = 500

    /// Shows a notification unless the app is in front.
    ///
    /// - Parameters:
    ///   - hidden: The id of a notification without content. Like `words`, it says nothing about the other end.
    private func notify(_ id: String, hidden: String, _ words: String, title: String?, body: String?) {
        // The ntfy app shows the same notification, which this app cannot replace.
        guard !isInFront, ntfyAddress == nil || push != .on else { return }
        let notifications = phone.notifications
        let notification =
            switch noticeContent {
            case .nothing: LocalNotification(id: hidden, title: "SimBridge", body: words)
            case .sender: LocalNotification(id: id, title: title ?? "?", body: words)
            case .full: LocalNotification(id: id, title: title ?? "?", body: body ?? "")
            }
        // Without permission there is no notification.
        engine.tasks.start { try? await notifications.show(notification) }
    }
}

extension PhoneEvent {
    fileprivate var isOffline: Bool { if case .deviceOffline = self { true } else { false } }
}

/// The words of notifications and of the system's own screens.
package struct NoticeWords: Hashable, Sendable {
    package var text: String
    package var call: String
    package var missed: String
    /// The reason for recognising the owner: a sentence.
    package var identity: String
    /// The language tag of the words (RFC 5646).
    package var language: String

    package init(
        text: String = "New text message", call: String = "Incoming call", missed: String = "Missed call",
        identity: String = "Verify your identity to continue.", language: String = "en"
    ) {
        (self.text, self.call, self.missed, self.identity, self.language) = (text, call, missed, identity, language)
    }
}
