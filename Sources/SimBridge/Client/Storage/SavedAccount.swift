import ClientKit
package import SimBridgeWire

/// The account as the phone's database stores it, beside the token.
@MainActor
package struct SavedAccount {
    private let engine: ClientEngine<Bridge>

    init(_ engine: ClientEngine<Bridge>) { self.engine = engine }

    private enum Key: String, CaseIterable {
        case serverURL, username, deviceID, deviceName, hosts, pairedHost, sims, biometricEnabled, draft, replies, hidden, call,
            pushContent, mayHavePush
    }

    /// The keys of values that earlier versions stored among the preferences.
    static nonisolated let formerPreferences = Key.allCases.map(\.rawValue) + ["cursor"]

    private subscript<Value: Codable>(key: Key) -> Value? {
        get { engine.saved.value(for: key.rawValue) }
        nonmutating set { engine.save(newValue, for: key.rawValue) }
    }

    /// The address of the relay, as the user typed it.
    package var serverURL: String? {
        get { self[.serverURL] }
        nonmutating set { self[.serverURL] = newValue }
    }
    package var username: String? {
        get { self[.username] }
        nonmutating set { self[.username] = newValue }
    }
    package var deviceID: Device.ID? {
        get { self[.deviceID] }
        nonmutating set { self[.deviceID] = newValue }
    }
    package var deviceName: String? {
        get { self[.deviceName] }
        nonmutating set { self[.deviceName] = newValue }
    }
    /// The hosts that this phone was paired with.
    package var hosts: [PairedHost] {
        get { self[.hosts] ?? [] }
        nonmutating set { self[.hosts] = newValue.isEmpty ? nil : newValue }
    }
    /// The host in use.
    package var pairedHost: PairedHost? {
        get { self[.pairedHost] }
        nonmutating set { self[.pairedHost] = newValue }
    }
    /// The SIM cards of the host in use.
    var sims: [SIMCard] {
        get { self[.sims] ?? [] }
        nonmutating set { self[.sims] = newValue.isEmpty ? nil : newValue }
    }
    package var biometricEnabled: Bool {
        get { self[.biometricEnabled] ?? false }
        nonmutating set { self[.biometricEnabled] = newValue ? true : nil }
    }
    /// The maximum content of notifications; nil turns off notifications while the app is closed.
    var pushContent: PushContent? {
        get { self[.pushContent] }
        nonmutating set { self[.pushContent] = newValue }
    }
    /// True if the relay may have push settings of this device: from before their registration until their removal is confirmed.
    var mayHavePush: Bool {
        get { self[.mayHavePush] ?? false }
        nonmutating set { self[.mayHavePush] = newValue ? true : nil }
    }
    /// The unsent new text; nil if there is none.
    var draft: Draft? {
        get { self[.draft] }
        nonmutating set { self[.draft] = newValue }
    }
    /// The change that removes the draft.
    static var noDraft: SavedChange { SavedChange(Draft?.none, for: Key.draft.rawValue) }
    /// The unsent replies, at most one in each conversation, the latest last.
    var replies: [Draft] {
        get { self[.replies] ?? [] }
        nonmutating set { self[.replies] = newValue.isEmpty ? nil : Array(newValue.suffix(Self.maximumReplyCount)) }
    }
    private static let maximumReplyCount = 50
    /// Returns the change that keeps only these replies.
    static func only(_ replies: [Draft]) -> SavedChange { SavedChange(replies.isEmpty ? nil : replies, for: Key.replies.rawValue) }
    /// The call that is under way; nil if there is none.
    var call: PhoneCall? {
        get { self[.call] }
        nonmutating set { self[.call] = newValue }
    }
    /// Failed texts that the user has deleted from the screen.
    var hidden: [RequestID] {
        get { self[.hidden] ?? [] }
        nonmutating set { self[.hidden] = newValue.isEmpty ? nil : Array(newValue.suffix(500)) }
    }

    /// Forgets everything but the address of the relay.
    func clear() { engine.removeSavedValues(except: [Key.serverURL.rawValue]) }
}

/// A host that this phone is paired with.
package struct PairedHost: Codable, Hashable, Sendable, Identifiable {
    package var id: Device.ID
    package var name: String

    package init(id: Device.ID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A text that the user is writing.
package struct Draft: Codable, Hashable, Sendable {
    package var to = ""
    package var body = ""

    package init(to: String = "", body: String = "") {
        self.to = to
        self.body = body
    }

    package var isEmpty: Bool { to.isEmpty && body.isEmpty }

    /// True for a draft that is longer than any text. It is not saved.
    var isTooLong: Bool { body.utf8.count > 16_000 }
}
