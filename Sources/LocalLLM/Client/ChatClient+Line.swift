import ClientKit
import Foundation
import LocalLLMCalls
import LocalLLMWire
import NetworkingKit
import PlatformKit

extension ChatClient {
    /// The host to connect to. Every tap creates a new target.
    struct Target: Hashable, Sendable {
        let id: ServerID
        let number: Int
    }

    /// Maximum time from the tap on Connect to the stream.
    static let connectTimeout = Duration.seconds(30)
    /// Maximum time of the one attempt that is made from the Chat screen.
    static let recoveryTimeout = Duration.seconds(10)
    private static let maximumAttempts = 20
    private static let maximumHosts = 20
    private static let maximumTrust = 1_000
    /// Count of the characters of a phone's key by which hosts name the phone.
    nonisolated static let nameLength = 8

    // MARK: Commands

    /// Connects to the host of ``address``. The result is a change of ``screen`` or ``problem``.
    package func connect() { connect(to: address) }

    /// Connects to a host, in place of an earlier one.
    ///
    /// - Parameter text: A Server ID or a link, as it was pasted or scanned.
    package func connect(to text: String) {
        guard let host = HostLink(text: text) else {
            disconnect()
            problem = ChatProblem(.invalidServerID)
            return
        }
        let id = host.serverID
        // The field does not show the invitation, which therefore stays for the next attempt.
        if let invitation = host.invitation { self.invitation = (id, invitation) }
        address = id.text
        leave()
        problem = nil
        link = .connecting(.lookup)
        connectionCount += 1
        setTarget(Target(id: id, number: connectionCount))
    }

    /// Ends the connection, and the attempts to restore it. A host that can resume answers continues them.
    package func disconnect() {
        leave()
        problem = nil
        link = .idle
        setTarget(nil)
    }

    private func leave() {
        lostConnection()
        (screen, wasConnected, isRecovering) = (.connect, false, false)
        (info, lastProblem) = (nil, nil)
        keyAnswer?.finish()
    }

    /// Answers ``keyQuestion``. Until then nothing was sent to the host.
    package func acceptKey(_ isAccepted: Bool) { keyAnswer?.yield(isAccepted) }

    /// Decides about a new phone that waits for an approval: an element of the host's ``ServerInfo/waiting``.
    package func decide(about phone: String, isApproved: Bool) {
        guard link == .open, info?.waiting.contains(phone) == true else { return }
        info?.waiting.removeAll { $0 == phone }
        post(.approval(ApprovalDecision(phone: phone, isApproved: isApproved)))
    }

    /// Removes a host and its transcript. The known key of the host stays.
    package func removeHost(_ id: SavedHost.ID) {
        hosts.removeAll { $0.id == id }
        saveHosts()
        if let id = ServerID(text: id), id != target?.id { forgetConversation(with: id) }
    }

    // MARK: Line

    private func setTarget(_ target: Target?) {
        self.target = target
        targetChange?.finish()
    }

    /// Runs the line to each target, from the tap on Connect to the end of the target.
    func followTarget() async {
        // The app was closed on the Chat screen, and its process went on.
        if target != nil, screen == .chat { isRecovering = true }
        while !Task.isCancelled {
            let current = target
            await withTaskGroup { group in
                if let current { group.addTask { await self.runLine(to: current) } }
                await self.waitForTarget(otherThan: current)
                group.cancelAll()
            }
        }
        guard link == .open else { return }
        lostConnection()
        link = .connecting(.lookup)
    }

    private func waitForTarget(otherThan current: Target?) async {
        while target == current, !Task.isCancelled {
            let (change, continuation) = AsyncStream.makeStream(of: Never.self)
            targetChange = continuation
            for await _ in change {}
        }
    }

    private func runLine(to target: Target) async {
        let runner = LineRunner<Message, Message>(
            line: Line(random: random), clock: phone.clock, heartbeatInterval: .seconds(3_600)
        ) { [weak self] in
            guard let self else { throw CancellationError() }
            return try await self.open(target)
        }
        self.runner = runner
        let failure = await runner.run(
            onState: { [weak self] in await self?.lineDidChange($0, of: target) },
            onMessage: { [weak self] in await self?.received($0, of: target) })
        if self.runner === runner { self.runner = nil }
        if failure != nil, target == self.target { setTarget(nil) }
    }

    private func lineDidChange(_ state: Line.State, of target: Target) {
        guard target == self.target else { return }
        let isOpen = connection != nil && link == .open
        switch state {
        case .waiting, .closed(.some):
            if isOpen { streamDidEnd() } else { dialDidFail() }
            if case .closed = state {
                screen = .connect
                problem = lastProblem ?? problem
                link = .idle
            }
        default: break
        }
    }

    private func streamDidEnd() {
        let ended = connection?.problem
        lastProblem = ended ?? ChatProblem(.hostDisconnected)
        note("stream ended: \(lastProblem?.code.rawValue ?? "")")
        lostConnection()
        let recent = networkChangedAt.map { elapsed() - $0 < Self.recoveryTimeout } ?? false
        isRecovering = ended == nil && (!isInFront || !host.isOnline || recent)
        guard isRecovering else { return showDisconnected() }
        link = .connecting(.lookup)
        runner?.wake()
    }

    private func dialDidFail() {
        if isRecovering {
            // In the background, attempts continue behind the Chat screen.
            guard isInFront else { return }
            isRecovering = false
        }
        showDisconnected()
    }

    private func showDisconnected() {
        screen = .connect
        problem = ChatProblem(.hostDisconnected)
        link = .waiting(lastProblem ?? ChatProblem(.hostDisconnected))
    }

    /// Clears the state of a lost connection.
    private func lostConnection() {
        guard connection != nil else { return }
        connection = nil
        requestsDidLoseConnection()
        saveSoon()
    }

    // MARK: Connection attempts

    /// Opens a stream, checks its key, and waits for the introduction.
    private func open(_ target: Target) async throws -> any LineConnection<Message, Message> {
        guard target == self.target else { throw CancellationError() }
        beginAttempt()
        do {
            let connection = try await dial(target)
            endAttempt(nil)
            return connection
        } catch is CancellationError {
            endAttempt(nil)
            throw CancellationError()
        } catch PhoneError.locked {
            endAttempt(nil)
            // The app is in the background. The line retries, at once when the app comes to the front.
            throw LineFailure(.service, "the phone is locked")
        } catch {
            let problem = error as? ChatProblem ?? ChatProblem(.connectFailed, .network, message: "\(error)")
            guard target == self.target else { throw CancellationError() }
            endAttempt(problem)
            lastProblem = problem
            throw LineFailure(.service, problem.code.rawValue, isFinal: !wasConnected || problem.isFinal)
        }
    }

    private func dial(_ target: Target) async throws -> HostConnection {
        step(.lookup, of: target)
        let dialler: any ByteStreamDialler
        do {
            dialler = try await network.dialler(for: target.id, on: phone)
        } catch let error as DialError {
            throw ChatProblem(error)
        } catch let error as PhoneError where error != .locked {
            throw ChatProblem(.connectFailed, .keychain, message: "\(error)")
        }
        let name = String(dialler.ownKey.description.prefix(Self.nameLength))
        if phoneName != name { phoneName = name }
        let (hops, hopQueue) = AsyncStream.makeStream(of: DialHop.self)
        let dial = HostDial(id: target.id, dialler: dialler, clock: phone.clock) { hopQueue.yield($0) }
        async let following: Void = follow(hops, of: target)
        let stream = try await dial.run(within: isRecovering ? Self.recoveryTimeout : Self.connectTimeout)
        hopQueue.finish()
        await following
        let connection = HostConnection(stream, log: noteLater)
        do {
            try await checkKey(connection.hostKey, of: target)
            step(.introduction, of: target)
            let isProved = Array(connection.hostKey.bytes) == target.id.bytes
            // A peer that has not proved to be the host does not get the invitation.
            let invitation = isProved && self.invitation?.id == target.id ? self.invitation?.invitation : nil
            try await connection.introduction(clock: phone.clock, inviting: invitation) { [weak self] isRefused in
                await self?.awaitApproval(of: target, hasInvalidInvitation: isRefused)
            }
            guard target == self.target else { throw CancellationError() }
            // The invitation is used, or was not needed.
            if isProved, self.invitation?.id == target.id { self.invitation = nil }
            acceptedKey(connection.hostKey, of: target)
        } catch {
            connection.close()
            throw error
        }
        connectionCount += 1
        self.connection = connection
        return connection
    }

    private func follow(_ hops: AsyncStream<DialHop>, of target: Target) async {
        for await hop in hops { step(Step(hop), of: target) }
    }

    private func awaitApproval(of target: Target, hasInvalidInvitation: Bool) {
        guard target == self.target else { return }
        if hasInvalidInvitation { invitation = nil }
        step(hasInvalidInvitation ? .approvalWithoutInvitation : .approval, of: target)
    }

    private func step(_ step: Step, of target: Target) {
        guard target == self.target, let index = attempts.indices.last, attempts[index].duration == nil else { return }
        // Hops are reported from another task, and may come late.
        if step.isHop, attempts[index].steps.contains(where: { !$0.step.isHop }) { return }
        guard attempts[index].steps.last?.step != step else { return }
        attempts[index].steps.append(ConnectAttempt.Step(step: step, start: elapsed() - attemptStart))
        if case .waiting = link, !isRecovering, wasConnected { return }
        link = .connecting(step)
    }

    private func beginAttempt() {
        attemptStart = elapsed()
        attempts.append(ConnectAttempt(id: (attempts.last?.id ?? 0) + 1))
        if attempts.count > Self.maximumAttempts { attempts.removeFirst() }
        if case .waiting = link { link = .connecting(.lookup) }
    }

    private func endAttempt(_ problem: ChatProblem?) {
        guard let index = attempts.indices.last, attempts[index].duration == nil else { return }
        attempts[index].duration = elapsed() - attemptStart
        attempts[index].problem = problem
        note(problem.map { "attempt failed: \($0.code.rawValue) \($0.cause?.rawValue ?? "") \($0.message)" } ?? "attempt ended")
    }

    // MARK: Keys

    /// Returns once the key may be used: it is the Server ID itself, the known one, the first one, or accepted by the user.
    ///
    /// - Throws: ``ChatProblem``; `CancellationError`.
    private func checkKey(_ key: PeerKey, of target: Target) async throws {
        guard Array(key.bytes) != target.id.bytes else { return }
        // Without the database, the keys accepted before are unknown.
        guard host.store != nil, (try? phone.folder()) != nil else { throw ChatProblem(.connectFailed, .keychain) }
        let trust = trust(in: target.id)
        guard trust?.wasVerified != true else { throw ChatProblem(.hostOffline, .impostor) }
        guard let pinned = trust?.pinnedKey, pinned != key.description else { return }
        // The first answer counts.
        let (answers, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        keyAnswer = continuation
        keyQuestion = KeyQuestion(id: target.id, knownKey: pinned, newKey: key.description)
        screen = .connect
        isRecovering = false
        step(.key, of: target)
        defer { (keyQuestion, keyAnswer) = (nil, nil) }
        for await isAccepted in answers {
            guard isAccepted else { break }
            return
        }
        try Task.checkCancellation()
        throw ChatProblem(.connectFailed, .keyRefused)
    }

    private func acceptedKey(_ key: PeerKey, of target: Target) {
        isVerified = Array(key.bytes) == target.id.bytes
        var all: [String: HostTrust] = saved.value(for: Key.trust.rawValue) ?? [:]
        var trust = all[target.id.text] ?? HostTrust(lastUse: now())
        trust.lastUse = now()
        if isVerified { trust.wasVerified = true } else { trust.pinnedKey = key.description }
        all[target.id.text] = trust
        // Proved hosts are removed last: without the proof, another peer could be accepted in place of the host.
        if all.count > Self.maximumTrust, let oldest = all.min(by: { $0.value < $1.value }) { all[oldest.key] = nil }
        set(all, for: .trust)
    }

    private func trust(in id: ServerID) -> HostTrust? {
        let all: [String: HostTrust]? = saved.value(for: Key.trust.rawValue)
        return all?[id.text]
    }

    // MARK: Introduction

    func received(_ info: ServerInfo, of target: Target) {
        let isFirst = link != .open
        let info = info.shown
        self.info = info
        guard isFirst else { return saveHost(info, target.id) }
        note("connected: \(isVerified ? "verified" : "unverified"), features \(info.features.map(\.rawValue))")
        (problem, lastProblem) = (nil, nil)
        (wasConnected, isRecovering) = (true, false)
        link = .open
        let conversation = conversation(with: target.id)
        self.conversation = conversation
        screen = .chat
        saveHost(info, target.id)
        resume(conversation)
    }

    private func saveHost(_ info: ServerInfo, _ id: ServerID) {
        let host = SavedHost(id: id.text, name: info.hostName, model: info.model, lastUse: now(), isVerified: isVerified)
        let known = [host] + hosts.filter { $0.id != host.id }
        hosts = Array(known.prefix(Self.maximumHosts))
        saveHosts()
        for id in known.dropFirst(Self.maximumHosts).compactMap(\.serverID) { forgetConversation(with: id) }
    }

    private func saveHosts() { set(hosts, for: .hosts) }
}

extension ChatProblem {
    /// True if another attempt would fail in the same way.
    fileprivate var isFinal: Bool {
        cause == .keyRefused || code == .approvalRefused || code == .unsupportedVersion || code == .invalidServerID
    }
}
