public import Foundation
import SimBridgeWire

/// A call, as one row of a conversation shows it.
public struct CallRecord: Hashable, Sendable, Identifiable {
    public enum Outcome: Hashable, Sendable {
        /// The relay keeps it for a host that is away.
        case queued
        /// It has not ended yet, as far as is known.
        case underWay
        /// Somebody answered; nil: no end was reported.
        case answered(seconds: Int?)
        /// An incoming call that nobody answered.
        case missed
        /// An incoming call that was declined here.
        case declined
        /// An outgoing call that nobody answered.
        case unanswered
        /// Not placed: it could not be handed over in time.
        case expired
        /// In the host's words; nil: it gave none.
        case failed(String?)
        /// Whether it was placed is not known.
        case unknown
    }

    public let id: String
    /// The other end; empty when it is withheld.
    public let number: String
    public let sim: Int?
    public let isIncoming: Bool
    public let time: Date
    public internal(set) var outcome: Outcome
    /// The host that makes or gets it.
    let host: Device.ID
    var answered: Date?
    var isDeclined = false

    public var isMissed: Bool { outcome == .missed }
    var isOpen: Bool { [.queued, .underWay].contains(outcome) }
}

extension CallRecord {
    /// How long a call rings at most: one without news for longer has ended unnoticed.
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
                outcome = isIncoming ? (isDeclined ? .declined : .missed) : .unanswered
            }
        case .error: outcome = .failed(reason)
        }
    }

    /// Gives up on an end that was never reported.
    mutating func giveUp(at now: Date) {
        guard outcome == .underWay, now.timeIntervalSince(time) > Self.maximumRingingTime else { return }
        if answered != nil {
            outcome = .answered(seconds: nil)
        } else {
            outcome = isIncoming ? (isDeclined ? .declined : .missed) : .unknown
        }
    }
}
