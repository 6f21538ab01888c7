import SimBridgeWire

/// The parts of `mmcli --output-json` that are needed. A missing value is `--`.
///
/// Source: mmcli of ModemManager 1.20; states as in its D-Bus reference (MMModemState, MMSmsState, MMSmsPduType, MMCallState).
enum MMReplies {
    struct Modems: Decodable {
        var paths: [String]
        private enum CodingKeys: String, CodingKey { case paths = "modem-list" }
    }

    struct Modem: Decodable {
        struct Content: Decodable {
            var generic: Generic
            var network: Network?
            private enum CodingKeys: String, CodingKey {
                case generic
                case network = "3gpp"
            }
        }
        struct Generic: Decodable {
            var state: String
            var sim: String
            var device: String
            var equipment: String
            var numbers: [String]?
            var lock: String?
            private enum CodingKeys: String, CodingKey {
                case state, sim, device
                case equipment = "equipment-identifier"
                case numbers = "own-numbers"
                case lock = "unlock-required"
            }
        }
        struct Network: Decodable {
            var operatorName: String?
            private enum CodingKeys: String, CodingKey { case operatorName = "operator-name" }
        }
        var modem: Content
    }

    struct SIM: Decodable {
        struct Content: Decodable { var properties: Properties }
        struct Properties: Decodable {
            var iccid: String?
            var operatorName: String?
            var imsi: String?
            /// The mobile country code and the mobile network code of the card's issuer.
            var operatorCode: String?
            private enum CodingKeys: String, CodingKey {
                case iccid, imsi
                case operatorName = "operator-name"
                case operatorCode = "operator-code"
            }

            /// The mobile country code of the card's issuer, with which its IMSI begins (ITU-T E.212); nil for a card of no country, such as
            /// one of a test network.
            var mcc: String? {
                let digits = (value(operatorCode) ?? value(imsi)).map { String($0.prefix(3)) }
                return digits.flatMap { NumberingPlan(mobileCountryCode: $0) == nil ? nil : $0 }
            }
        }
        var sim: Content
    }

    struct Texts: Decodable {
        var paths: [String]
        private enum CodingKeys: String, CodingKey { case paths = "modem.messaging.sms" }
    }

    struct Text: Decodable {
        struct Body: Decodable {
            var content: Content
            var properties: Properties
        }
        struct Content: Decodable {
            /// Hexadecimal digits of a message that is no text.
            var data: String
            var number: String
            var text: String
        }
        struct Properties: Decodable {
            var kind: String
            var state: String
            var timestamp: String
            /// The state of a delivery report, such as `completed-received`.
            var delivery: String?
            /// The message reference, 0 to 255, in decimal digits.
            var reference: String?
            private enum CodingKeys: String, CodingKey {
                case state, timestamp
                case kind = "pdu-type"
                case delivery = "delivery-state"
                case reference = "message-reference"
            }
        }
        var sms: Body
    }

    struct Calls: Decodable {
        var paths: [String]
        private enum CodingKeys: String, CodingKey { case paths = "modem.voice.call" }
    }

    struct Call: Decodable {
        struct Content: Decodable { var properties: Properties }
        struct Properties: Decodable {
            var direction: String
            var number: String
            var state: String
            var reason: String?
            private enum CodingKeys: String, CodingKey {
                case direction, number, state
                case reason = "state-reason"
            }
        }
        var call: Content
    }

    struct ServiceCodes: Decodable {
        struct Content: Decodable {
            var network: Network
            private enum CodingKeys: String, CodingKey { case network = "3gpp" }
        }
        struct Network: Decodable { var ussd: ServiceCodeState }
        var modem: Content
    }

    struct ServiceCodeState: Decodable, Hashable, Sendable {
        /// `idle`, `active`, or `user-response` when the network waits for an answer.
        var status: String
        /// The last message of the network that needs no answer. The value stays after it was read.
        var notification: String
        /// The last question of the network. The value stays after it was read.
        var request: String
        private enum CodingKeys: String, CodingKey {
            case status
            case notification = "network-notification"
            case request = "network-request"
        }
    }

    /// - Returns: nil for `--` and for an empty text.
    static func value(_ text: String?) -> String? { text == "--" || text?.isEmpty == true ? nil : text }
}
