import Foundation
import SimBridgeWire
import WireKit

/// A text of a modem as it was last read.
struct KnownText: Sendable {
    enum Content: Sendable {
        /// A received text or binary message.
        case received(number: String, body: String, kind: EventDetails.Kind?)
        /// Parts of the text are missing. `isEmpty` is true if the modem lists it as a whole text without a character.
        case incomplete(number: String, isEmpty: Bool = false)
        case delivery(DeliveryReport)
        /// A text that a program has sent.
        case sent(AcceptedText)
        /// The text could not be read.
        case unreadable
        /// A draft, or a text that is being sent.
        case other
    }

    var content: Content
    /// The path of the modem that holds the text.
    var modem = ""
    /// ModemManager's time stamp, unchanged.
    var timestamp = ""
    /// True if the host has stored the text, which is still in the modem.
    var isStored = false
    /// The driver's ``ModemManagerDriver/readCount`` after the last read of the text.
    var readCount = 0

    /// True if another read of the text may return something new.
    var isOpen: Bool {
        switch content {
        case .incomplete, .unreadable: true
        case .received, .delivery, .sent, .other: false
        }
    }
}

extension KnownText {
    /// - Parameter modem: The modem that holds the text.
    init(_ sms: MMReplies.Text.Body, in modem: ModemManagerDriver.Modem) {
        timestamp = sms.properties.timestamp
        let number = MMReplies.value(sms.content.number) ?? ""
        let reference = sms.properties.reference.flatMap { Int($0) }
        switch (sms.properties.kind, sms.properties.state) {
        case ("status-report", _), ("cdma-delivery-acknowledgement", _):
            content =
                reference.map {
                    .delivery(
                        DeliveryReport(
                            source: modem.source, number: number, reference: $0,
                            outcome: Self.outcome(sms.properties.delivery ?? "")))
                } ?? .other
        case ("deliver", "received"), ("cdma-deliver", "received"):
            // mmcli writes `--` for a missing text and for the text `--`.
            let data = MMReplies.value(sms.content.data)
            if sms.content.text == "--", let data {
                let message = BinaryMessage(hexadecimal: data)
                content = .received(number: message.sender ?? number, body: message.words, kind: message.kind)
            } else {
                content = .received(number: number, body: sms.content.text, kind: nil)
            }
        case ("deliver", "receiving"), ("deliver", "unknown"), ("deliver", "--"), ("cdma-deliver", "receiving"),
            ("cdma-deliver", "unknown"), ("cdma-deliver", "--"):
            content = .incomplete(number: number)
        case ("submit", "sent"), ("cdma-submit", "sent"):
            let receipt = reference.map {
                TextReceipt(source: modem.source, reference: $0, partCount: TextSegments(sms.content.text).count)
            }
            content = .sent(AcceptedText(sim: modem.slot, number: number, body: sms.content.text, receipt: receipt))
        default: content = .other
        }
    }

    /// Returns the outcome of a delivery state. Source: MMSmsDeliveryState in ModemManager's D-Bus reference, as mmcli writes it.
    private static func outcome(_ state: String) -> DeliveryReport.Outcome {
        if state == "completed-received" { return .delivered }
        // After `temporary-error-…`, the network still tries.
        if state.hasPrefix("error-") || state.hasPrefix("temporary-fatal-") { return .failed }
        return .pending
    }

    /// The service centre's time; nil if the time stamp is invalid.
    var time: Timestamp? {
        // ModemManager before 1.18 writes the offset in whole hours.
        let text = timestamp.wholeMatch(of: /.*T.*[+-][0-9]{2}/) == nil ? timestamp : timestamp + ":00"
        return Timestamp(text)
    }
}
