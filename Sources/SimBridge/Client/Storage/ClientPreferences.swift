public import PlatformKit
public import SimBridgeWire

/// What this phone keeps beside the token.
@MainActor
public struct ClientPreferences {
    private let kept: any Preferences

    public init(_ preferences: any Preferences) { kept = preferences }

    private enum Key: String, CaseIterable {
        case serverURL, username, deviceID, deviceName, hosts, pairedHost, biometricEnabled, cursor, draft, hidden, call
    }

    private func value<Value: Codable & Sendable>(_ key: Key) -> Value? { kept.value(Value.self, for: key.rawValue) }
    private func set<Value: Codable & Sendable>(_ value: Value?, _ key: Key) {
        // All values together are far below what has room. One that cannot be written is in the log, and holds until the app
        // starts again; the relay then repeats what came after the cursor.
        try? kept.set(value, for: key.rawValue)
    }

    /// As it was typed.
    public var serverURL: String? {
        get { value(.serverURL) }
        nonmutating set { set(newValue, .serverURL) }
    }
    public var username: String? {
        get { value(.username) }
        nonmutating set { set(newValue, .username) }
    }
    public var deviceID: Device.ID? {
        get { value(.deviceID) }
        nonmutating set { set(newValue, .deviceID) }
    }
    public var deviceName: String? {
        get { value(.deviceName) }
        nonmutating set { set(newValue, .deviceName) }
    }
    /// All hosts that this phone was paired with, as far as it knows.
    public var hosts: [PairedHost] {
        get { value(.hosts) ?? [] }
        nonmutating set { set(newValue.isEmpty ? nil : newValue, .hosts) }
    }
    /// The one that is used.
    public var pairedHost: PairedHost? {
        get { value(.pairedHost) }
        nonmutating set { set(newValue, .pairedHost) }
    }
    public var biometricEnabled: Bool {
        get { value(.biometricEnabled) ?? false }
        nonmutating set { set(newValue ? true : nil, .biometricEnabled) }
    }
    /// The number of the last event on the line that is taken care of.
    var cursor: Int64? {
        get { value(.cursor) }
        nonmutating set { set(newValue, .cursor) }
    }
    /// What was being written.
    var draft: Draft? {
        get { value(.draft) }
        nonmutating set { set(newValue, .draft) }
    }
    /// The call that is under way.
    var call: PhoneCall? {
        get { value(.call) }
        nonmutating set { set(newValue, .call) }
    }
    /// Texts that did not go and that the person does not want to see any more.
    var hidden: [RequestID] {
        get { value(.hidden) ?? [] }
        nonmutating set { set(newValue.isEmpty ? nil : Array(newValue.suffix(500)), .hidden) }
    }

    /// Forgets everything but the address of the relay.
    func clear() { for key in Key.allCases where key != .serverURL { set(String?.none, key) } }
}

/// A host that this phone is paired with.
public struct PairedHost: Codable, Hashable, Sendable, Identifiable {
    public var id: Device.ID
    public var name: String

    public init(id: Device.ID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A text that is being written.
public struct Draft: Codable, Hashable, Sendable {
    public var to = ""
    public var body = ""

    public init(to: String = "", body: String = "") {
        self.to = to
        self.body = body
    }

    public var isEmpty: Bool { to.isEmpty && body.isEmpty }
}
