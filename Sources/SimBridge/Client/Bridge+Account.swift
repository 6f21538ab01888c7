import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire

extension Bridge {
    /// Takes up what was kept.
    func restore() async {
        guard phase == .starting else { return }
        isBiometricAvailable = await phone.biometrics.isAvailable()
        isBiometricEnabled = preferences.biometricEnabled
        hidden = Set(preferences.hidden)
        host = preferences.pairedHost
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
            // Nobody looks any more: whoever looks next starts anew.
        } catch {
            loginNotice = .storage
            phase = .login
        }
    }

    /// Goes on with a token that was kept.
    func resume(_ token: String) {
        guard let text = preferences.serverURL, let device = preferences.deviceID else {
            phase = .login
            return
        }
        let relay: RemoteService
        do {
            relay = try relays.reach(ServerAddress.checked(text))
        } catch {
            // One that may not be reached any more.
            loginNotice = .address(error)
            phase = .login
            return
        }
        session = Session(api: RelayAPI(service: relay, clock: phone.clock), token: token, device: device)
        phase = host == nil ? .pairing : .ready
        sessionChanges?.yield()
    }

    /// Logs in, and makes this phone one of the account's devices where it is none yet.
    ///
    /// - Parameters:
    ///   - registers: The account is to be made first.
    ///   - page: Where the password was typed: it opens.
    /// - Throws: ``BridgeProblem``.
    public func logIn(
        server: String, username: String, password: String, registers: Bool = false, on page: BridgePage? = nil
    ) async throws {
        do {
            let relay = try relays.reach(ServerAddress.checked(server))
            let api = RelayAPI(service: relay, clock: phone.clock)
            if registers { try Self.check(newPassword: password, of: username) }
            let token = try await Self.enter(api, Credentials(username: username, password: password), registers: registers)
            // Another account or relay: what is kept here is of nobody any more.
            if preferences.username != username || preferences.serverURL.map(Self.normalized) != Self.normalized(server) {
                session = nil
                phase = .login
                page?.wantsPassword = false
                sessionChanges?.yield()
                await forgetEverything()
            }
            let device = try await ownDevice(api, token)
            try await keep(token, username, on: page)
            preferences.serverURL = relay.address.absoluteString == relays.preset ? relays.preset : Self.normalized(server)
            preferences.username = username
            preferences.deviceID = device
            loginNotice = nil
            page?.unlock()
            host = preferences.pairedHost
            session = Session(api: api, token: token, device: device)
            phase = host == nil ? .pairing : .ready
            isBiometricOffered = isBiometricAvailable && !isBiometricEnabled
            sessionChanges?.yield()
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

    /// Changes the password of the account. Its other devices are logged out.
    ///
    /// - Parameter page: Where the password was typed.
    /// - Throws: ``BridgeProblem``.
    public func changePassword(from old: String, to new: String, on page: BridgePage? = nil) async throws {
        let (session, username) = (try current(), preferences.username ?? "")
        try Self.check(newPassword: new, of: username)
        isChangingPassword = true
        defer { isChangingPassword = false }
        do {
            let change = PasswordChange(password: old, newPassword: new)
            let token = try await authorized { try await $0.changePassword(change, token: $1) }.token
            self.session = Session(api: session.api, token: token, device: session.device)
            sessionChanges?.yield()
            try await keep(token, username, on: page)
        } catch {
            throw BridgeProblem(error)
        }
    }

    /// - Returns: A token.
    private static func enter(_ api: RelayAPI, _ credentials: Credentials, registers: Bool) async throws -> String {
        guard registers else { return try await api.login(credentials).token }
        do {
            _ = try await api.register(credentials)
        } catch BridgeProblem.usernameTaken {
            // Perhaps by this phone, which never got the reply: then the password opens it.
            do {
                return try await api.login(credentials).token
            } catch BridgeProblem.invalidCredentials {
                throw BridgeProblem.usernameTaken
            }
        }
        return try await api.login(credentials).token
    }

    private static func normalized(_ server: String) -> String { (try? ServerAddress.checked(server))?.absoluteString ?? server }

    /// This phone among the devices of the account.
    private func ownDevice(_ api: RelayAPI, _ token: String) async throws -> Device.ID {
        devices = try await api.devices(token: token)
        if let known = preferences.deviceID, devices.contains(where: { $0.id == known && $0.type == .client }) { return known }
        // A device of another life is nobody's: neither its pairings nor its place on the line.
        preferences.pairedHost = nil
        preferences.hosts = []
        preferences.cursor = nil
        let name = preferences.deviceName ?? relays.deviceName
        let device = try await api.addDevice(named: name, token: token)
        preferences.deviceName = device.name
        return device.id
    }

    private func keep(_ token: String, _ account: String, on page: BridgePage?) async throws {
        guard isBiometricEnabled else { return try await tokens.save(token) }
        do {
            try await tokens(on: page).guardToken(token, account: account)
        } catch {
            // The password opens this page only. Every other page stays locked, and the next start asks for the password.
            try await tokens.clear()
        }
    }

    /// Pairs this phone with the host that shows `code`.
    ///
    /// - Throws: ``BridgeProblem``.
    public func pair(code: String) async throws {
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
        // The reply to a pair that existed does not name the host (contract, section 4). An older relay does not list pairings.
        if known == nil {
            let pairings = try? await authorized { try await $0.pairings(token: $1) }
            known = pairings?.first { $0.id == paired.pairingId }?.hostDeviceId ?? (hosts.count == 1 ? hosts.first?.id : nil)
        }
        guard self.session?.token == session.token else { throw BridgeProblem.sessionExpired }
        guard let known else { throw BridgeProblem.noHost }
        use(PairedHost(id: known, name: devices.first { $0.id == known }?.name ?? ""))
        phase = .ready
        await refreshSIMs()
        await refresh(history)
    }

    /// Controls this host from now on.
    public func use(_ host: PairedHost) {
        if host.id != self.host?.id { sims = [] }
        isUnpaired = false
        self.host = host
        preferences.pairedHost = host
        preferences.hosts = preferences.hosts.filter { $0.id != host.id } + [host]
        isHostOnline = devices.first { $0.id == host.id }?.isOnline ?? false
        if isHostOnline, sims.isEmpty { Task { await refreshSIMs() } }
    }

    /// Goes to the screen where another host is paired.
    public func beginPairing() { phase = .pairing }
    /// Leaves it again, where there is a host already.
    public func cancelPairing() { if host != nil { phase = .ready } }

    /// Asks for notifications where nobody was asked yet. To be called from what a tap started.
    public func requestNotifications() async { notificationPermission = await phone.notifications.requestPermission() }

    /// Ends the account on this phone: nothing of it stays. The relay ends this device's pairings, if it can be reached now.
    public func logOut() async {
        let left = session
        session = nil
        sessionChanges?.yield()
        async let removed: Void = remove(left)
        await forgetEverything()
        phase = .login
        await removed
    }

    private func remove(_ session: Session?) async {
        guard let session else { return }
        // Out of reach, the relay keeps the device until its owner removes it elsewhere.
        _ = try? await withTimeout(Self.removalTimeout, clock: phone.clock) {
            try await session.api.removeDevice(session.device, token: session.token)
        }
    }
    private static let removalTimeout: Duration = .seconds(5)

    private func forgetEverything() async {
        for item in waiting { try? await outbox?.remove(id: item.id) }
        // Also what an outbox has not read yet: it would go out in the next account's name.
        await emptyOutbox()
        waiting = []
        setBiometricEnabled(false)
        preferences.clear()
        forgetContent()
        loginNotice = nil
        wantedConversation = nil
        // What cannot be removed now is replaced at the next login.
        try? await tokens.clear()
    }

    /// The token counts no more: the person logs in again, and finds everything as it was.
    func expire() async {
        guard session != nil else { return }
        session = nil
        sessionChanges?.yield()
        loginNotice = .sessionExpired
        phase = .login
        try? await tokens.forgetUnguarded()
    }

    // MARK: Calls in somebody's name

    func current() throws(BridgeProblem) -> Session {
        guard let session else { throw .sessionExpired }
        return session
    }

    /// - Throws: ``BridgeProblem``; `CancellationError`, also when nobody, or somebody else, is logged in by the time the reply comes.
    func authorized<Value: Sendable>(_ body: @Sendable (RelayAPI, String) async throws -> Value) async throws -> Value {
        let session = try current()
        do {
            let value = try await body(session.api, session.token)
            guard self.session?.token == session.token else { throw CancellationError() }
            return value
        } catch BridgeProblem.sessionExpired {
            // Another login may have been faster.
            if self.session?.token == session.token { await expire() }
            throw BridgeProblem.sessionExpired
        } catch BridgeProblem.notPaired {
            if self.session?.token == session.token { isUnpaired = true }
            throw BridgeProblem.notPaired
        }
    }

    /// Fetches who is there.
    public func refreshDevices() async {
        guard session != nil, let devices = try? await authorized({ try await $0.devices(token: $1) }) else { return }
        self.devices = devices
        guard let host, let device = devices.first(where: { $0.id == host.id }) else { return }
        if device.name != host.name { use(PairedHost(id: host.id, name: device.name)) }
        let wasOnline = isHostOnline
        isHostOnline = device.isOnline
        if isHostOnline, !wasOnline { await refreshSIMs() }
    }

    /// It takes what waited for it.
    func hostCame() {
        guard session != nil else { return }
        for list in openLists where list.hasQueued { refreshSoon(list) }
    }

    /// Nothing tells that a host has come: it is asked for while somebody looks.
    func followHost() async {
        repeat {
            if isInFront || devices.isEmpty { await refreshDevices() }
            for list in openLists where list.isStale || isHostOnline && list.hasQueued { refreshSoon(list) }
        } while (try? await phone.clock.sleep(for: Self.hostInterval)) != nil
    }
    private static let hostInterval: Duration = .seconds(10)

    /// Asks the host for its SIM cards; they come as an event.
    public func refreshSIMs() async {
        guard let host, isHostOnline else { return }
        // Asked again when the line or the host comes back.
        _ = try? await authorized { try await $0.requestSIMs(of: host.id, token: $1) }
    }
}
