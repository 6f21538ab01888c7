import WireKit

/// Further fields of an event, which older hosts do not send and older clients ignore.
///
/// Source: `Docs/Protocols/SimBridge.md`, section 3, "Further fields".
public struct EventDetails: Hashable, Sendable {
    /// The kind of an `INCOMING_SMS` whose `body` is not the text of a person.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A long text of which parts never arrived. `body` states this.
        case incomplete
        /// The notice of a multimedia message. `body` describes the message.
        case multimedia
        /// A message for programs, such as settings. `body` describes the message.
        case binary
        /// The network's answer to a service code (`from` is the code), or a notice of the network (`from` is the operator's name).
        case network
    }

    /// The delivery outcome of a text that the network has accepted, in an `SMS_SENT` with `status` `ok`.
    public enum Delivery: String, Hashable, Sendable, CaseIterable {
        /// The receiver's phone has the whole text.
        case delivered
        /// The network has given up. `body` is the reason.
        case failed
    }

    /// The time at which the network's service centre took the text from its sender.
    public var serviceCentreTime: RelayTime?
    /// The time at which the host read or noticed the event, by the relay's clock if the host knows it.
    public var hostTime: RelayTime?
    /// Nil for an ordinary text.
    public var kind: Kind?
    public var delivery: Delivery?
    /// True in the `CALL_STATE` `error` of a service code that the host carries out only with ``Command/isConfirmed``.
    public var needsConfirmation: Bool

    public init(
        serviceCentreTime: RelayTime? = nil, hostTime: RelayTime? = nil, kind: Kind? = nil, delivery: Delivery? = nil,
        needsConfirmation: Bool = false
    ) {
        self.serviceCentreTime = serviceCentreTime
        self.hostTime = hostTime
        self.kind = kind
        self.delivery = delivery
        self.needsConfirmation = needsConfirmation
    }
}

extension EventDetails {
    init(from fields: LineFields) {
        self.init(
            serviceCentreTime: fields.time("service_centre_time"), hostTime: fields.time("host_time"),
            kind: fields.string("kind").flatMap(Kind.init), delivery: fields.string("delivery").flatMap(Delivery.init),
            needsConfirmation: fields.boolean("needs_confirmation") ?? false)
    }

    func write(to fields: inout LineFields) {
        fields.set("service_centre_time", serviceCentreTime?.description)
        fields.set("host_time", hostTime?.description)
        fields.set("kind", kind?.rawValue)
        fields.set("delivery", delivery?.rawValue)
        if needsConfirmation { fields["needs_confirmation"] = .bool(true) }
    }
}
