public import WireKit

/// A phone of an account, as `GET /devices` lists it, by ascending id.
public struct Device: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = NumericID<Device>

    /// What a device does.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Has the SIM cards.
        case host
        /// Is the remote control.
        case client
    }

    /// How long a name may be, in characters (Unicode scalar values).
    public static let nameLength = 1...100

    public var id: ID
    public var name: String
    public var type: Kind
    /// Whether its WebSocket is open now.
    public var isOnline: Bool
    /// When its socket was last opened or ended. Null before the first; absent in the reply that creates it.
    @Nullable public var lastSeen: RelayTime?

    public init(id: ID, name: String, type: Kind, isOnline: Bool, lastSeen: RelayTime?) {
        self.id = id
        self.name = name
        self.type = type
        self.isOnline = isOnline
        self.lastSeen = lastSeen
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, type
        case isOnline = "is_online"
        case lastSeen = "last_seen"
    }
}

/// The reply to `DELETE /devices/{id}`.
public struct RemovedDevice: Codable, Hashable, Sendable {
    /// Always `removed`.
    public var status: String

    public init(status: String = "removed") {
        self.status = status
    }
}

/// `POST /devices`.
public struct DeviceRegistration: Codable, Hashable, Sendable {
    public var name: String
    public var type: Device.Kind

    public init(name: String, type: Device.Kind) {
        self.name = name
        self.type = type
    }
}

/// What creating a device answers: a ``Device`` without `last_seen`.
public struct RegisteredDevice: Codable, Hashable, Sendable {
    public var id: Device.ID
    public var name: String
    public var type: Device.Kind
    /// Always false.
    public var isOnline: Bool

    public init(id: Device.ID, name: String, type: Device.Kind, isOnline: Bool = false) {
        self.id = id
        self.name = name
        self.type = type
        self.isOnline = isOnline
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, type
        case isOnline = "is_online"
    }
}
