import ClientKit
package import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeCalls
import SimBridgeWire
import WireKit

extension Bridge {
    var session: Session? { engine.identity }

    package func restore() async throws {
        guard phase == .starting else { return }
        isBiometricAvailable = await phone.biometrics.isAvailable()
        isBiometricEnabled = saved.biometricEnabled
        pushContent = saved.pushContent
        hidden = Set(saved.hidden)
        host = saved.pairedHost
        knownSIMs = saved.sims
        resumeCall()
        if isBiometricEnabled, await tokens.isGuarded {
            phase = .locked
            return
        }
        do {
            guard let token = try await tokens.token() else {
                phase = .login
                return
            }
            resume(token)
        } catch is CancellationError {
            // No screen is left. The next screen starts again.
        } catch PhoneError.locked {
            throw PhoneError.locked
        } catch {
            loginNotice = .storage
            phase = .login
        }
    }

    /// Resumes the session of a stored token.
    func resume(_ token: String) {
        guard let text = saved.serverURL, let device = saved.deviceID else {
            phase = .login
            return
        }
        do {
            let relay = try relays.reach(text)
            signIn(Session(api: RelayAPI(service: relay, clock: phone.clock), token: token, device: device))
        } catch {
            // The stored relay is no longer allowed.
            loginNotice = error
            phase = .login
        }
    }

    private func signIn(_ session: Session) {
        engine.signIn(session)
        phase = host == nil ? .pairing : .ready
    }

    /// Logs in, and registers this phone as a device of the account unless it is registered already.
    ///
    /// - Parameters:
    ///   - registers: True to create the account first.
    ///   - page: The page where the user typed the password, which unlocks the page.
    /// - Throws: ``BridgeProblem``.
    package func logIn(
        server: String, username: String, password: String, registers: Bool = false, deviceName: String = "",
        on page: BridgePage? = nil
    ) async throws {
        do {
            let relay = try relays.reach(server)
            let api = RelayAPI(service: relay, clock: phone.clock)
            if registers { try Self.check(newPassword: password, of: username) }
            let token = try await api.token(for: Credentials(username: username, password: password), registers: registers)
            // The account or the relay is another one than before: all stored data belongs to the earlier account.
            if saved.username != username || saved.serverURL.map(Self.normalized) != Self.normalized(server) {
                let left = session
                engine.signOut()
                phase = .login
                page?.wantsPassword = false
                await removePush(of: left)
                await forgetEverything()
            }
            let device = try await ownDevice(api, token, named: deviceName)
            try await store(token, of: username, on: page)
            saved.serverURL = relay.address.absoluteString == relays.preset ? relays.preset : Self.normalized(server)
            saved.username = username
            saved.deviceID = device
            loginNotice = nil
            page?.unlock()
            reportPresence()
            host = saved.pairedHost
            signIn(Session(api: api, token: token, device: device))
            isBiometricOffered = isBiometricAvailable && !isBiometricEnabled
        } catch {
            throw BridgeProblem(error)
        }
    }

    private static func check(newPassword: String, of username: String) throws(BridgeProblem) {
        switch PasswordRule.standard.problem(with: newPassword, of: username) {
        case nil: break
        case .tooShort: throw .passwordTooShort
        case .tooLong: throw .passwordTooLong
        case .common: throw .passwordCommon
        }
    }

    /// Changes the password of the account, which logs out its other devices.
    ///
    /// - Parameter page: The page where the user typed the password.
    /// - Throws: ``BridgeProblem``.
    package func changePassword(from old: String, to new: String, on page: BridgePage? = nil) async throws {
        let (session, username) = (try current(), saved.username ?? "")
        try Self.check(newPassword: new, of: username)
        isChangingPassword = true
        defer { isChangingPassword = false }
        do {
            let change = PasswordChange(password: old, newPassword: new)
            let token = try await authorized { try await $0.changePassword(change, token: $1) }.token
            engine.signIn(Session(api: session.api, token: token, device: session.device))
            try await store(token, of: username, on: page)
        } catch {
            throw BridgeProblem(error)
        }
    }

    /// Returns the privacy policy of the relay at an address; the phone's own for an invalid address.
    package func privacyPolicy(of server: String) -> URL? {
        if isDemonstration || relays.isOwn && server == relays.preset { return phone.privacyPolicy }
        return (try? ServerAddress(server))?.url.appending(path: "privacy") ?? phone.privacyPolicy
    }

    private static func normalized(_ server: String) -> String { (try? ServerAddress(server))?.text ?? server }

    /// True if the login asks for the name of this phone: neither the system nor an earlier login has given one.
    package var asksForDeviceName: Bool { saved.deviceName == nil && relays.deviceName == nil }

    /// Returns this phone's device in the account, registering one if there is none.
    private func ownDevice(_ api: RelayAPI, _ token: String, named typed: String) async throws -> Device.ID {
        devices = try await api.devices(token: token)
        if let known = saved.deviceID, devices.contains(where: { $0.id == known && $0.type == .client }) { return known }
        // The stored device no longer exists, so its pairings and its cursor are void.
        saved.pairedHost = nil
        saved.hosts = []
        (sims, knownSIMs) = ([], [])
        engine.resetCursor()
        let name = saved.deviceName ?? relays.deviceName ?? PhoneName.checked(typed) ?? PhoneName.unnamed
        let device = try await api.addDevice(.client, named: name, token: token)
        saved.deviceName = device.name
        return device.id
    }

    private func store(_ token: String, of account: String, on page: BridgePage?) async throws {
        guard isBiometricEnabled else { return try await tokens.save(token) }
        do {
            try await tokens(on: page).guardToken(token, account: account, reason: noticeWords.identity)
        } catch {
            // The password opens this page only. Every other page stays locked, and the next start requires the password.
            try await tokens.clear()
        }
    }

    /// Pairs this phone with the host that shows `code`.
    ///
    /// - Throws: ``BridgeProblem``.
    package func pair(code: String) async throws {
        guard PairingCode.isWellFormed(code) else { throw BridgeProblem.malformedCode }
        let session = try current()
        let paired: Paired
        do {
            paired = try await authorized { try await $0.confirmPairing(code: code, client: session.device, token: $1) }
        } catch {
            throw BridgeProblem(error)
        }
        await refreshDevices()
        var known = paired.hostDeviceId
        // The reply for an existing pairing does not name the host (contract, section 4). Older relays do not list pairings.
        if known == nil {
            let pairings = try? await authorized { try await $0.pairings(token: $1) }
            known = pairings?.first { $0.id == paired.pairingId }?.hostDeviceId ?? (hosts.count == 1 ? hosts.first?.id : nil)
        }
        guard self.session?.token == session.token else { throw BridgeProblem.sessionExpired }
        guard let known else { throw BridgeProblem.noHost }
        use(PairedHost(id: known, name: devices.first { $0.id == known }?.name ?? ""))
        phase = .ready
        // The relay forgets the settings of a device that lost its last pairing.
        registration.renew()
        await refreshSIMs()
        await refresh(history)
    }

    /// Uses this host from now on.
    package func use(_ host: PairedHost) {
        if host.id != self.host?.id { (sims, knownSIMs) = ([], []) }
        isUnpaired = false
        self.host = host
        saved.pairedHost = host
        saved.hosts = saved.hosts.filter { $0.id != host.id } + [host]
        isHostOnline = devices.first { $0.id == host.id }?.isOnline ?? false
        if isHostOnline, sims.isEmpty { engine.tasks.start { await self.refreshSIMs() } }
    }

    /// Opens the screen where another host is paired.
    package func beginPairing() { phase = .pairing }
    /// Closes the pairing screen if a host is selected.
    package func cancelPairing() { if host != nil { phase = .ready } }

    /// Requests permission for notifications from a user who has not decided yet. Must be called from a tap.
    package func requestNotifications() async { await registration.requestPermission() }

    /// Logs out and removes everything of the account from this phone. The relay ends this device's pairings, if it can be reached now.
    package func logOut() async {
        let left = session
        engine.signOut()
        async let removed: Void = remove(left)
        await forgetEverything()
        phase = .login
        await removed
    }

    private func remove(_ session: Session?) async {
        guard let session else { return }
        // If the relay cannot be reached, the device stays registered until its owner removes it elsewhere.
        _ = try? await withTimeout(Self.removalTimeout, clock: phone.clock) {
            try await session.api.removeDevice(session.device, token: session.token)
        }
    }
    static let removalTimeout: Duration = .seconds(5)

    /// Deletes the account with all its data from the relay and from this phone. Cannot be undone.
    ///
    /// - Throws: ``BridgeProblem``; nothing has changed then, unless the reply was lost.
    package func deleteAccount(password: String) async throws {
        let session = try current()
        do {
            _ = try await session.api.deleteAccount(AccountDeletion(password: password), token: session.token)
        } catch {
            let problem = BridgeProblem(error)
            // The line reported the deletion before the reply came, or another device deleted the account.
            if self.session != session, loginNotice == .accountDeleted { return }
            if problem == .accountDeleted { return await accountWasDeleted() }
            if problem == .sessionExpired, self.session == session { await expire() }
            throw problem
        }
        if self.session == session { await accountWasDeleted() }
    }

    /// Ends the session of a deleted account, and removes the account's data from this phone.
    func accountWasDeleted() async {
        guard session != nil else { return }
        engine.signOut()
        await forgetEverything()
        loginNotice = .accountDeleted
        phase = .login
    }

    private func forgetEverything() async {
        // Includes items that the outbox has not read yet: they would be sent in the next account's name.
        await engine.emptyOutbox(waiting)
        setBiometricEnabled(false)
        pushContent = nil
        registration.reset()
        saved.clear()
        forgetContent()
        loginNotice = nil
        wantedConversation = nil
        // A token that cannot be removed now is replaced at the next login; the relay has forgotten the ntfy topic.
        try? await tokens.clear()
        try? await NtfySubscription.store(nil, in: phone.keychain)
    }

    /// Ends a session whose token was refused. The account's data stays for the next login.
    func expire() async {
        guard session != nil else { return }
        engine.signOut()
        loginNotice = .sessionExpired
        phase = .login
        try? await tokens.forgetUnguarded()
    }

    // MARK: Calls of this session

    func current() throws(BridgeProblem) -> Session {
        guard let session else { throw .sessionExpired }
        return session
    }

    /// Runs `call` off the main actor with the session's token.
    ///
    /// - Throws: ``BridgeProblem``; `CancellationError`, also when the session has ended before the reply came.
    func authorized<Value: Sendable>(
        _ call: @escaping @Sendable @concurrent (RelayAPI, String) async throws -> Value
    ) async throws -> Value {
        let session = try current()
        var isCurrent: Bool { self.session?.token == session.token }
        do {
            let value = try await call(session.api, session.token)
            guard isCurrent else { throw CancellationError() }
            return value
        } catch let error as RelayError {
            // A password change voids the tokens of all devices, including this device's.
            if error.code == .tokenRefused, isCurrent, !isChangingPassword { await expire() }
            if error.code == .accountDeleted, isCurrent { await accountWasDeleted() }
            if error.code == .notPaired, isCurrent { isUnpaired = true }
            throw BridgeProblem(error)
        }
    }

    /// Fetches the devices of the account.
    package func refreshDevices() async {
        let reports = presenceReportCount
        guard session != nil, let devices = try? await authorized({ try await $0.devices(token: $1) }) else { return }
        // The list may be older than what the line has reported meanwhile.
        if reports != presenceReportCount { return await refreshDevices() }
        self.devices = devices
        guard let host, let device = devices.first(where: { $0.id == host.id }) else { return }
        if device.name != host.name { use(PairedHost(id: host.id, name: device.name)) }
        let wasOnline = isHostOnline
        isHostOnline = device.isOnline
        if isHostOnline, !wasOnline { await refreshSIMs() }
    }

    /// Refreshes the lists with queued commands, which the relay delivers now that the host is online.
    func hostDidConnect() {
        guard session != nil else { return }
        for list in openLists where list.hasQueued { refreshSoon(list) }
    }

    /// Requests the host's SIM cards, which arrive as an event.
    package func refreshSIMs() async {
        guard let host, isHostOnline else { return }
        // If this fails, the line repeats the request when it opens.
        _ = try? await authorized { try await $0.requestSIMs(of: host.id, token: $1) }
    }
}
