import Foundation
import SimBridgeCalls
import SimBridgeWire
import WireKit

/// The host's login and pairing.
extension SimBridgeHost {
    /// Uses the identity of an earlier run, or logs in.
    func signIn() async throws {
        let stored = try identityFile.load()
        if let stored, stored.relay == configuration.relay.absoluteString,
            configuration.username ?? stored.username == stored.username
        {
            identity = stored
            if !wantsAccount { return }
        }
        try await logIn()
    }

    /// Gets a new token after a refusal, retrying until the relay can be reached.
    func renewSession() async throws {
        refusals += 1
        guard refusals <= 2 else {
            throw RelayProblem(.tokenRefused, "The relay refuses this host although it has just logged in.")
        }
        while true {
            do {
                return try await logIn()
            } catch let problem as RelayProblem where ![.wrongPassword, .tokenRefused].contains(problem.code) {
                // A relay was at this address before, so another server there is not permanent.
                notify(.trouble("\(problem) Trying again in \(Self.retryDelay.components.seconds) s."))
                try await clock.sleep(for: Self.retryDelay)
            }
        }
    }

    /// Removes the login and all work that waits for the relay, which the next account must not get.
    func forgetAccount() async throws {
        try await persistently { try await journal.removeWork() }
        try await persistently { try identityFile.remove() }
        identity = nil
    }

    private func logIn() async throws {
        let credentials = try await credentials()
        let token = try await relayCall { try await $0.token(for: credentials, registers: wantsAccount) }
        wantsAccount = false
        notify(.loggedIn(username: credentials.username))
        let relay = configuration.relay.absoluteString
        if var known = identity, known.relay == relay, known.username == credentials.username,
            try await relayCall({ try await $0.devices(token: token) }).contains(where: {
                $0.id == known.deviceID && $0.type == .host
            })
        {
            known.token = token
            try save(known)
        } else {
            let name = configuration.deviceName
            let id = try await relayCall { try await $0.addDevice(.host, named: name, token: token) }.id
            try save(
                HostIdentity(relay: relay, username: credentials.username, token: token, deviceID: id, deviceName: name))
            notify(.registeredDevice(name: name))
        }
    }

    /// Makes a call to the relay.
    ///
    /// - Throws: ``RelayProblem``; `CancellationError`.
    private func relayCall<Value: Sendable>(_ call: (RelayAPI) async throws -> Value) async throws -> Value {
        do {
            return try await call(api)
        } catch let error as RelayError {
            throw RelayProblem(error, at: configuration.relay)
        }
    }

    private func save(_ new: HostIdentity) throws {
        try identityFile.save(new)
        identity = new
    }

    // MARK: Pairing

    /// Shows a pairing code while no client is paired, and a new one when it has expired.
    func offerPairing() async throws {
        while await pairingBell.wait() {
            while isConnected, let identity, wantsCode || !identity.isPaired {
                let code: PairingCode
                do {
                    code = try await relayCall { try await $0.pairingCode(for: identity.deviceID, token: identity.token) }
                } catch let problem as RelayProblem {
                    notify(.trouble("No pairing code: \(problem)"))
                    try await clock.sleep(for: Self.retryDelay)
                    continue
                }
                notify(.pairingCode(code))
                if let link = await linkNotice(code.code) { notify(link) }
                wantsCode = false
                try await waitForPairing(.seconds(min(max(code.expiresInSeconds, 1), 3600)))
                if self.identity?.isPaired != true, !wantsCode { notify(.pairingCodeRanOut) }
            }
        }
    }

    /// Waits for a client to pair. The relay does not report it, but it refuses events while no client is paired.
    private func waitForPairing(_ limit: Duration) async throws {
        var left = limit
        while left > .zero, identity?.isPaired != true, !wantsCode {
            try await clock.sleep(for: min(Self.pairingLook, left))
            left -= Self.pairingLook
            guard isConnected else { continue }
            let cards = (try? await driver.sims()) ?? []
            let id = UUID().uuidString.lowercased()
            let message = DeviceMessage(.event(.simInfo(cards)), messageId: id)
            switch await courier.deliver(message.text, messageID: id) {
            case .stored, .read, .failed(.targetOffline), .failed(.noRoom): try await persistently { try setPaired(true) }
            case .failed, nil: break
            }
            // Reports that came meanwhile found the courier busy.
            reportBell.ring()
        }
    }
}
