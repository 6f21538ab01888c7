import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire

extension Bridge {
    /// What the host tells, or the relay of it.
    func happened(_ event: PhoneEvent, _ message: RelayMessage) {
        let event = event.shortened
        if let sender = message.fromDeviceId, sender == host?.id { (isHostOnline, isUnpaired) = (true, false) }
        switch event {
        case .incomingText(_, let from, let body):
            notify(Self.textPrefix + (from ?? ""), hidden: "text", noticeWords.text, title: from, body: body)
        case .incomingCall(let sim, let from): rings(from ?? "", sim: sim, host: message.fromDeviceId)
        case .callState(let state, let sim, let from, let reason):
            callChanged(state, sim: sim, from: from, reason: reason, message)
        case .textSent(let status, let reason):
            if let id = message.reqId { keep(.init(status, reason: reason), of: id) }
        case .simInfo(let cards):
            guard message.fromDeviceId == nil || message.fromDeviceId == host?.id else { return }
            sims = cards.sorted { $0.slot < $1.slot }
            // Asked for all the time: no news.
            return
        case .error(let reason): alert = Alert(content: .host(reason))
        case .deviceOffline(let device):
            if device == host?.id { isHostOnline = false }
            noteLostHost(device)
        case .unknown: break
        }
        feed.add(event, number: number(of: event, message), at: now())
        if case .deviceOffline = event { return }
        // What was fetched before does not have it.
        for list in openLists where list.phase != .idle { refreshSoon(list) }
    }

    /// Whom it is about.
    private func number(of event: PhoneEvent, _ message: RelayMessage) -> String? {
        switch event {
        case .textSent: message.reqId.flatMap { textNumber($0) }
        // What was said of another call has not changed this one.
        case .callState(_, _, let from, _):
            from ?? call.flatMap { isOf($0, from: from, message) ? $0.number : nil }
                ?? message.reqId.flatMap { history.numbers[$0] }
        default: nil
        }
    }

    private func textNumber(_ id: RequestID) -> String? {
        accepted.first { $0.id == id }?.text.to
            ?? waiting.first { $0.id == id.rawValue }.flatMap { (item: OutboxItem) -> OutgoingText? in item.content() }?.to
            ?? history.numbers[id]
    }

    /// What the relay could not do of what was said on the line.
    func failed(_ failure: SimBridgeWire.LineFailure, _ message: RelayMessage) {
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

    /// Whether a report is about this call, as far as it says.
    private func isOf(_ call: PhoneCall, from: String?, _ message: RelayMessage) -> Bool {
        if let host = message.fromDeviceId, let own = call.host, host != own { return false }
        if let id = message.reqId { return [call.reqId, call.hangUpId].contains(id) }
        guard let from, !from.isEmpty, !call.number.isEmpty else { return true }
        return PhoneNumber.normalized(from) == PhoneNumber.normalized(call.number)
    }

    private func callChanged(
        _ state: PhoneEvent.CallState, sim: Int?, from: String?, reason: String?, _ message: RelayMessage
    ) {
        let (host, reqId) = (message.fromDeviceId, message.reqId)
        let known = call.flatMap { isOf($0, from: from, message) ? $0 : nil }
        // Of a call that was there before this one, or of another host's.
        if known == nil, call?.isUnderWay == true { return }
        var current = known ?? PhoneCall(number: from ?? "", sim: sim, isIncoming: false, state: .dialing, host: host, reqId: reqId)
        if current.number.isEmpty, let from { current.number = from }
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
        // It was hung up while the host was away, which does not know.
        if state == .dialing, known?.state == .ended, current.hangUpId != nil { Task { try? await hangUp() } }
        if current.isUnderWay { giveUpWithoutNews() } else { ended(current) }
    }

    private func rings(_ number: String, sim: Int?, host: Device.ID?) {
        notify(Self.callNotice, hidden: Self.callNotice, noticeWords.call, title: "📞 " + number, body: noticeWords.call)
        // The user's own call stays on screen: the other one appears in its conversation.
        if call?.staysOnScreen == true { return }
        call = PhoneCall(number: number, sim: sim, isIncoming: true, state: .ringing, host: host)
        giveUpWithoutNews()
    }

    /// Ends a call that only rings or dials unless its host reports on it in time: a host that is gone never reports the end.
    func giveUpWithoutNews() {
        guard let waiting = call, [.dialing, .ringing].contains(waiting.state) else { return }
        giveUp(after: .seconds(CallRecord.maximumRingingTime)) { [weak self] in
            guard let self, call?.id == waiting.id, call?.state == waiting.state else { return }
            call?.state = waiting.isIncoming ? .ended : .failed(nil)
            if let call { ended(call) }
        }
    }

    /// Marks the call of a host that went offline.
    func noteLostHost(_ device: Device.ID?) {
        guard call?.state == .active, (call?.host ?? host?.id) == device else { return }
        call?.isUnconfirmed = true
    }

    private func ended(_ call: PhoneCall) {
        if call.isMissed {
            notify(
                Self.callNotice, hidden: Self.callNotice, noticeWords.missed, title: "📞 " + call.number, body: noticeWords.missed)
        } else {
            Task { await phone.notifications.remove(id: Self.callNotice) }
        }
    }
    private static let callNotice = "call"

    /// Keeps the last ones: the history has them too.
    private func keep(_ outcome: TextMessage.State, of id: RequestID) {
        // Ours are not so long; a relay may write megabytes.
        guard id.rawValue.utf8.count <= 100 else { return }
        if outcomes.updateValue(outcome, forKey: id) == nil { outcomeIDs.append(id) }
        if outcomeIDs.count > Self.mostOutcomes { outcomes[outcomeIDs.removeFirst()] = nil }
    }
    static let mostOutcomes = 500

    /// Posts a notification while the user does not look.
    ///
    /// - Parameters:
    ///   - hidden: The id while a page is locked, which tells nothing about the other end, as little as `words` do.
    private func notify(_ id: String, hidden: String, _ words: String, title: String?, body: String?) {
        guard !isInFront else { return }
        let notifications = phone.notifications
        let notification =
            hidesNotices
            ? LocalNotification(id: hidden, title: "SimBridge", body: words)
            : LocalNotification(id: id, title: title ?? "?", body: body ?? "")
        // Without permission there is none.
        Task { try? await notifications.show(notification) }
    }
}

/// The words of notifications.
public struct NoticeWords: Hashable, Sendable {
    public var text: String
    public var call: String
    public var missed: String

    public init(text: String = "New message", call: String = "Incoming call", missed: String = "Missed call") {
        (self.text, self.call, self.missed) = (text, call, missed)
    }
}
