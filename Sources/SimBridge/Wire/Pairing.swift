import WireKit

/// The permission of a client to control a host, as returned by `GET /pairings`.
public struct Pairing: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = NumericID<Pairing>

    public var id: ID
    public var hostDeviceId: Device.ID
    public var clientDeviceId: Device.ID

    public init(id: ID, hostDeviceId: Device.ID, clientDeviceId: Device.ID) {
        self.id = id
        self.hostDeviceId = hostDeviceId
        self.clientDeviceId = clientDeviceId
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case hostDeviceId = "host_device_id"
        case clientDeviceId = "client_device_id"
    }
}

/// The reply of `POST /pair?host_device_id=N`: the code that the host shows and the user enters on the client.
public struct PairingCode: Codable, Hashable, Sendable {
    /// Count of decimal digits in a code.
    public static let length = 6

    public var code: String
    /// The remaining validity of the code.
    public var expiresInSeconds: Int

    public init(code: String, expiresInSeconds: Int) {
        self.code = code
        self.expiresInSeconds = expiresInSeconds
    }

    /// True if a text has the form of a code: six ASCII digits.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Returns the first ``length`` digits of a typed or pasted code as ASCII, from digits of any script: `123456` for `1２3-456`.
    public static func digits(in text: String) -> String {
        String(text.plainForms.filter { ("0"..."9").contains($0) }.prefix(length))
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case expiresInSeconds = "expires_in_seconds"
    }
}

/// The body of `POST /pair/confirm`.
public struct PairConfirmation: Codable, Hashable, Sendable {
    public var code: String
    public var clientDeviceId: Device.ID

    public init(code: String, clientDeviceId: Device.ID) {
        self.code = code
        self.clientDeviceId = clientDeviceId
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case clientDeviceId = "client_device_id"
    }
}

/// The reply to a confirmation.
public struct Paired: Codable, Hashable, Sendable {
    public enum Status: String, Codable, Hashable, Sendable {
        case paired
        /// The devices were already paired. The reply does not name the host; use ``SimBridgeEndpoints/pairings``.
        case alreadyPaired = "already_paired"
    }

    public var status: Status
    public var pairingId: Pairing.ID
    /// The host; present only when ``status`` is `paired`.
    public var hostDeviceId: Device.ID?

    public init(status: Status, pairingId: Pairing.ID, hostDeviceId: Device.ID?) {
        self.status = status
        self.pairingId = pairingId
        self.hostDeviceId = hostDeviceId
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case pairingId = "pairing_id"
        case hostDeviceId = "host_device_id"
    }
}

/// The reply to a confirmation whose code does not pair: `{"detail":"…","reason":"expired"}`, status 400.
public struct PairingRefusal: Codable, Hashable, Sendable {
    /// The reason for the refusal. The relay states `expired` and `used` only for codes of the caller's own hosts, so that a guess
    /// reveals nothing about other accounts.
    public enum Reason: String, Codable, Hashable, Sendable {
        /// The relay knows no such code of the account's hosts: it was never shown, or is no longer stored.
        case wrong
        /// The code has expired, or its host shows a newer code.
        case expired
        /// A device has paired with the code.
        case used
    }

    public var detail: String
    /// Absent in replies of older relays.
    public var reason: Reason?

    /// The `detail` of every refusal.
    public static let detail = "Invalid or expired pairing code"

    public init(_ reason: Reason) { (detail, self.reason) = (Self.detail, reason) }
}
