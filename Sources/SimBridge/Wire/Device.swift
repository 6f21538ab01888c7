public import WireKit

/// A device of an account. `GET /devices` returns all of them by ascending id.
public struct Device: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = NumericID<Device>

    /// The role of a device.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Owns the SIM cards.
        case host
        /// Controls a host remotely.
        case client
    }

    /// The allowed length of a name, in characters (Unicode scalar values).
    public static let nameLength = 1...100

    public var id: ID
    public var name: String
    public var type: Kind
    /// True while the device's WebSocket is open.
    public var isOnline: Bool
    /// The time at which the WebSocket last opened or closed. Null if it never opened; absent in the reply to the registration.
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

/// The body of `POST /devices`.
public struct DeviceRegistration: Codable, Hashable, Sendable {
    public var name: String
    public var type: Device.Kind

    public init(name: String, type: Device.Kind) {
        self.name = name
        self.type = type
    }
}

/// The reply to a device registration: a ``Device`` without `last_seen`.
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
