package import Foundation
import SimBridgeWire

/// A call, as a row of a conversation.
package struct CallRecord: Hashable, Sendable, Identifiable {
    package enum Outcome: Hashable, Sendable {
        /// The relay stores the command for an offline host.
        case queued
        /// No end of the call is known.
        case underWay
        /// The call was answered; `seconds` is nil if no end was reported.
        case answered(seconds: Int?)
        /// An incoming call that was not answered.
        case missed
        /// An incoming call that was declined here.
        case declined
        /// An outgoing call that was not answered.
        case unanswered
        /// An outgoing call that was hung up here before it was answered.
        case cancelled
        /// The call was not placed, because the host did not get it in time.
        case expired
        /// The call failed; the reason, in the host's words, is nil if the host gave none.
        case failed(String?)
        /// It is unknown if the call was placed.
        case unknown
    }

    package let id: String
    /// The other number; empty when it is withheld.
    package internal(set) var number: String
    package let sim: Int?
    package let isIncoming: Bool
    package let time: Date
    package internal(set) var outcome: Outcome
    /// The host of the call.
    let host: Device.ID
    var answered: Date?
    /// True if a device of the account has ended the call.
    var isHungUp = false
    /// True if the call began long before the relay received the report.
    var isLate = false

    var isOpen: Bool { [.queued, .underWay].contains(outcome) }
}

extension CallRecord {
    /// Maximum ringing time, in seconds. A call without a report for longer counts as ended.
    static let maximumRingingTime: TimeInterval = 120

    mutating func take(_ state: PhoneEvent.CallState, reason: String?, at time: Date) {
        switch state {
        case .dialing, .ringing: if outcome == .queued { outcome = .underWay }
        case .active:
            answered = answered ?? time
            outcome = .underWay
        case .ended:
            if let answered {
                outcome = .answered(seconds: max(0, Int(time.timeIntervalSince(answered).rounded())))
            } else {
                outcome = isIncoming ? (isHungUp ? .declined : .missed) : isHungUp ? .cancelled : .unanswered
            }
        case .error: outcome = .failed(reason)
        }
    }

    /// Ends a call whose end was never reported.
    mutating func giveUp(at now: Date) {
        guard outcome == .underWay, now.timeIntervalSince(time) > Self.maximumRingingTime else { return }
        if answered != nil {
            outcome = .answered(seconds: nil)
        } else {
            outcome = isIncoming ? (isHungUp ? .declined : .missed) : .unknown
        }
    }
}
