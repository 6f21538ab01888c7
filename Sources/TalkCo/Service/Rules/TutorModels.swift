import LocalLLMCalls
import LocalLLMWire
import StorageKit
import TalkCoWire
import WireKit

/// The models that learners choose for the tutor.
struct TutorModels: Sendable {
    let store: Database
    /// The connections to the hosts of learners; nil for a service that does not connect to such models.
    let hosts: ModelHosts?
    /// Returns the current engines of the service.
    let current: @Sendable () -> Engines
    let now: @Sendable () -> Timestamp

    /// Returns the learner's model and the state of its connection. Begins to connect if that was not tried before.
    ///
    /// - Throws: ``TalkError``.
    func model(of user: Learner.ID, from network: CallerNetwork) async throws -> TutorModel {
        let hosts = try available()
        guard let choice = try await store.read({ try $0.modelChoice(of: user, from: network) }) else { return none }
        let caller = try await caller(for: choice, at: hosts)
        if await caller.state == .idle { await caller.beginConnecting() }
        return await state(of: caller)
    }

    /// Chooses a host, or none. Begins to connect, unless the connection is open or under way.
    ///
    /// - Parameter text: A Server ID or a link; blank or nil for none.
    /// - Throws: ``TalkError`` for another text.
    func choose(_ text: String?, for user: Learner.ID, from network: CallerNetwork) async throws -> TutorModel {
        let hosts = try available()
        guard let text = text?.trimmed, !text.isEmpty else {
            try await set(nil, for: user)
            await hosts.remove(user)
            return none
        }
        guard let link = HostLink(text: text) else {
            throw TalkError(.badRequest, "This is not a Server ID of LocalLLM. Copy it from the computer with the model.")
        }
        try await set(link.serverID, for: user)
        let choice = ModelChoice(learner: user, host: link.serverID, network: network)
        let caller = try await caller(for: choice, invitation: link.invitation, at: hosts)
        await caller.beginConnecting()
        return await state(of: caller)
    }

    private func available() throws(TalkError) -> ModelHosts {
        guard let hosts else { throw TalkError(.notImplemented, "This service does not reach models of learners") }
        return hosts
    }

    private func set(_ host: ServerID?, for user: Learner.ID) async throws {
        let time = now()
        try await store.write { try $0.setModelHost(host, of: user, at: time) }
    }

    private var none: TutorModel { TutorModel(serverId: nil, state: .none, engine: current().info) }

    private func caller(
        for choice: ModelChoice, invitation: Invitation? = nil, at hosts: ModelHosts
    ) async throws -> HostCaller {
        do {
            return try await hosts.caller(for: choice, invitation: invitation)
        } catch let error as EngineError {
            throw TalkError(.unavailable, error.description, retryAfter: .seconds(60))
        }
    }

    private func state(of caller: HostCaller) async -> TutorModel {
        let (state, name) = (await caller.state, await caller.ownName)
        var model = TutorModel(
            serverId: caller.serverID.text, state: .connecting, caller: name.isEmpty ? nil : name,
            engine: LearnersModelEngine.info("your model", standard: current()))
        switch state {
        case .idle, .connecting: break
        case .awaitingApproval(let hasInvalidInvitation):
            model.state = TutorModel.State.approval.rawValue
            if hasInvalidInvitation { model.detail = "The invitation was used already, or is too old." }
        case .open(let info):
            model.state = TutorModel.State.ready.rawValue
            model.hostName = info.hostName
            if !info.model.isEmpty {
                model.model = info.model
                model.engine.name = info.model
            }
        case .failed(let problem):
            model.state = TutorModel.State.failed.rawValue
            model.detail = EngineError(problem, caller: name).description
        }
        return model
    }
}
