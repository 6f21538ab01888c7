import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// The phones and browsers of users: the addresses by which push services reach them, and their settings.
///
/// The address of a registration and a start token without a device id are stored with the user. The directory treats them as one
/// more device, which it uses only while the user has none here.
struct Devices: Sendable {
    /// Maximum devices of one user. A further device replaces the one that was not changed for the longest time.
    static let maximumDevices = 10
    /// Maximum length of a language tag, in characters (RFC 5646, section 4.4.1).
    static let maximumLanguageLength = 35

    let store: Database
    let services: PushServices
    let now: @Sendable () -> Timestamp

    /// Returns the push services for an app to choose from.
    func offer(to user: User.ID) async throws -> PushOffer {
        _ = try await store.read { try $0.caller(user) }
        return services.offer("pager")
    }

    /// Stores how notifications reach a device. A device that had the address before loses it.
    func set(_ id: PushDevice.ID, to update: PushDeviceUpdate, of user: User.ID) async throws {
        try Self.check(id)
        let address = try update.address.map { address throws(PagerError) in try services.checked(address) }
        try await store.write { [now] transaction in
            _ = try transaction.caller(user)
            let time = now()
            var device = try transaction.device(id, of: user) ?? DeviceRecord(user: user, id: id, updatedAt: time)
            // With another token, or another build of the app, the environment that was learned may be wrong.
            if device.address != address { device.environment = nil }
            device.address = address
            device.addressAt = address == nil ? nil : time
            device.addressDiedAt = nil
            device.language = update.language
            device.showsPreviews = update.showsPreviews
            if let address { try transaction.release(address, exceptFor: device, at: time) }
            try transaction.keep(device, at: time)
        }
    }

    /// Sends no more notifications to a device. Repeated calls change nothing.
    func remove(_ id: PushDevice.ID, of user: User.ID) async throws {
        try Self.check(id)
        try await store.write { [now] transaction in
            var caller = try transaction.caller(user)
            guard try transaction.removeDevice(id, of: user), try transaction.devices(of: user).isEmpty else { return }
            // Without devices, the tokens of the user's registration would be used again. The next registration brings them back.
            let time = now()
            caller.deviceTokenDiedAt = time
            caller.liveActivityToken = nil
            caller.updatedAt = time
            try transaction.update(caller)
        }
    }

    /// Stores the token that starts a Live Activity; nil turns Live Activities off.
    func setStartToken(_ update: LiveActivityTokenUpdate, of user: User.ID) async throws {
        if let id = update.deviceId { try Self.check(id) }
        try await store.write { [now] transaction in
            var caller = try transaction.caller(user)
            let time = now()
            let token = update.liveActivityToken
            if let token { try transaction.releaseStartToken(token, exceptFor: update.deviceId, of: user) }
            if let id = update.deviceId {
                var device = try transaction.device(id, of: user) ?? DeviceRecord(user: user, id: id, updatedAt: time)
                device.startToken = token
                device.startTokenAt = token == nil ? nil : time
                try transaction.keep(device, at: time)
                if token == nil { try transaction.forgetActivities(of: user, on: id.rawValue) }
                caller = try transaction.caller(user)
            } else {
                caller.liveActivityToken = token
                caller.liveActivityTokenAt = token == nil ? nil : time
                if token == nil { try transaction.forgetActivities(of: user, on: PagerDirectory.registeredPhone) }
            }
            caller.updatedAt = time
            try transaction.update(caller)
        }
    }

    private static func check(_ id: PushDevice.ID) throws(PagerError) {
        guard id.isWellFormed else { throw PagerError.invalidInput("deviceId must be 32 lower-case hexadecimal digits") }
    }
}

extension WriteTransaction {
    /// Stores a device that the app has just named.
    fileprivate func keep(_ device: DeviceRecord, at time: Timestamp) throws {
        var device = device
        device.updatedAt = time
        try store(device)
        try removeDevices(of: device.user, beyond: Devices.maximumDevices)
    }

    /// Takes an address away from the device that had it.
    private func release(_ address: PushAddress, at time: Timestamp) throws {
        guard var owner = try device(addressKey: address.key) else { return }
        (owner.address, owner.addressAt, owner.addressDiedAt, owner.environment) = (nil, nil, nil, nil)
        try store(owner)
    }

    fileprivate func release(_ address: PushAddress, exceptFor device: DeviceRecord, at time: Timestamp) throws {
        if let owner = try self.device(addressKey: address.key), (owner.user, owner.id) != (device.user, device.id) {
            try release(address, at: time)
        }
        // Another user may have registered with this phone. The phone is this user's until the other user registers with it again.
        guard case .apns(let token, _) = address else { return }
        for var other in try users(token: token) where other.id != device.user {
            other.deviceTokenDiedAt = time
            try update(other)
        }
    }

    /// Gives the device token of a registration back to the user that it identifies.
    func releaseDeviceToken(of user: UserRecord, at time: Timestamp) throws {
        let address = PushAddress.apns(token: user.deviceToken)
        if let owner = try device(addressKey: address.key), owner.user != user.id { try release(address, at: time) }
    }

    /// Takes a start token away from the device that had it.
    fileprivate func releaseStartToken(_ token: String, exceptFor id: PushDevice.ID?, of user: User.ID) throws {
        if var owner = try device(startToken: token), (owner.user, owner.id) != (user, id) {
            (owner.startToken, owner.startTokenAt) = (nil, nil)
            try store(owner)
        }
        guard id != nil else { return }
        for var owner in try users(startToken: token) {
            (owner.liveActivityToken, owner.liveActivityTokenAt) = (nil, nil)
            try update(owner)
        }
    }
}
