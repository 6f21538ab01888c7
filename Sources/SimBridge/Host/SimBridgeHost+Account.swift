import Foundation
import SimBridgeWire

/// Who the host is to its relay, and who may use it.
extension SimBridgeHost {
    /// Takes what an earlier run has kept, or logs in.
    func signIn() async throws {
        let kept = try identityFile.load()
        if let kept, kept.relay == configuration.relay.absoluteString, configuration.username ?? kept.username == kept.username {
            identity = kept
            if !wantsAccount { return }
        }
        try await logIn()
    }

    /// The token was refused: gets another, however long the relay may be away.
    func signInAnew() async throws {
        refusals += 1
        guard refusals <= 2 else {
            throw RelayProblem(.tokenRefused, "The relay refuses this host although it has just logged in.")
        }
        while true {
            do {
                return try await logIn()
            } catch let problem as RelayProblem where ![.wrongPassword, .tokenRefused].contains(problem.code) {
                // It was a relay a while ago: who answers now in its place does not for long.
                notify(.trouble("\(problem) Trying again in \(Self.retryDelay.components.seconds) s."))
                try await clock.sleep(for: Self.retryDelay)
            }
        }
    }

    private func logIn() async throws {
        let credentials = try await credentials()
        let token = try await token(credentials)
        notify(.loggedIn(username: credentials.username))
        let relay = configuration.relay.absoluteString
        if var known = identity, known.relay == relay, known.username == credentials.username,
            try await api.devices(token: token).contains(where: { $0.id == known.deviceID && $0.type == .host })
        {
            known.token = token
            try keep(known)
        } else {
            let name = configuration.deviceName
            let id = try await api.addDevice(name, token: token)
            try keep(
                HostIdentity(relay: relay, username: credentials.username, token: token, deviceID: id, deviceName: name))
            notify(.registeredDevice(name: name))
        }
    }

    private func token(_ credentials: Credentials) async throws -> String {
        guard wantsAccount else { return try await api.login(credentials) }
        do {
            try await api.register(credentials)
            wantsAccount = false
            return try await api.login(credentials)
        } catch let problem as RelayProblem where problem.code == .usernameTaken {
            // Perhaps by this host, which never got the reply: then the password opens it.
            do {
                let token = try await api.login(credentials)
                wantsAccount = false
                return token
            } catch let problem as RelayProblem where problem.code == .wrongPassword {
                throw RelayProblem(
                    .usernameTaken,
                    "There is an account \(credentials.username) already, with another password. Leave out --register, or choose another name."
                )
            }
        }
    }

    private func keep(_ new: HostIdentity) throws {
        try identityFile.save(new)
        identity = new
    }

    // MARK: Pairing

    /// Shows a code while nobody is paired, and another when that has run out.
    func offerPairing() async throws {
        for await _ in pairingBell.rings {
            while isConnected, let identity, wantsCode || !identity.isPaired {
                let code: PairingCode
                do {
                    code = try await api.pairingCode(for: identity.deviceID, token: identity.token)
                } catch let problem as RelayProblem {
                    notify(.trouble("No pairing code: \(problem)"))
                    try await clock.sleep(for: Self.retryDelay)
                    continue
                }
                notify(.pairingCode(code))
                if let link = configuration.pairingLink(code.code) { notify(.pairingLink(link)) }
                wantsCode = false
                try await waitForPairing(.seconds(min(max(code.expiresInSeconds, 1), 3600)))
                if self.identity?.isPaired != true, !wantsCode { notify(.pairingCodeRanOut) }
            }
        }
    }

    /// The relay does not say when somebody is paired, but it says when nobody is to hear an event.
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
            // A report that came meanwhile found the courier busy.
            reportBell.ring()
        }
    }
}
