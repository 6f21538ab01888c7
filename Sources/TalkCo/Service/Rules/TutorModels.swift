import LocalLLMCalls
import LocalLLMWire
import StorageKit
import TalkCoWire
import WireKit

/// The models that learners choose for the tutor.
struct TutorModels: Sendable {
    let store: Database
    /// Nil for a service without a way to such models.
    let hosts: ModelHosts?
    let engines: Engines
    let now: @Sendable () -> Timestamp

    /// The learner's model, and the state of its connection. Begins to connect, unless it is open or under way.
    ///
    /// - Throws: ``TalkError``.
    func model(of user: Learner.ID, from network: CallerNetwork) async throws -> TutorModel {
        let hosts = try available()
        guard let choice = try await store.read({ try $0.modelChoice(of: user, from: network) }) else { return none }
        return try await state(of: choice, at: hosts)
    }

    /// Chooses a host, or none.
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
        if let invitation = link.invitation {
            do { _ = try await hosts.caller(for: choice, invitation: invitation) } catch let error as EngineError {
                throw TalkError(.unavailable, error.description)
            }
        }
        return try await state(of: choice, at: hosts)
    }

    private func available() throws(TalkError) -> ModelHosts {
        guard let hosts else { throw TalkError(.notImplemented, "This service does not reach models of learners") }
        return hosts
    }

    private func set(_ host: ServerID?, for user: Learner.ID) async throws {
        let time = now()
        try await store.write { try $0.setModelHost(host, of: user, at: time) }
    }

    private var none: TutorModel { TutorModel(serverId: nil, state: .none, engine: engines.info) }

    private func state(of choice: ModelChoice, at hosts: ModelHosts) async throws -> TutorModel {
        let caller: HostCaller
        do { caller = try await hosts.caller(for: choice) } catch let error as EngineError {
            throw TalkError(.unavailable, error.description)
        }
        // Before the next attempt, whose outcome a later call tells.
        let state = await caller.state
        await caller.beginConnecting()
        let name = await caller.ownName
        var model = TutorModel(
            serverId: choice.host.text, state: .connecting, caller: name.isEmpty ? nil : name,
            engine: LearnersModelEngine.info("your model", standard: engines))
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
