package import EndlessCodeAgents
import Foundation

/// One run of an agent: EndlessCodeAgents's ``Agent``, or in tests a scripted one.
package protocol SessionAgent: Sendable {
    /// Runs the agent to its end. See ``Agent/run(_:)``.
    func run(_ handle: @escaping @Sendable (AgentEvent) async -> Void) async throws -> AgentExit
    func send(_ command: AgentCommand) async throws
    func end(timeout: Duration) async
}

extension Agent: SessionAgent {}

/// Makes agents for sessions.
package struct AgentLauncher: Sendable {
    /// - Throws: ``AgentError/programNotFound(_:)``.
    package var check: @Sendable () throws -> Void
    /// Makes an agent for a folder, which does not run yet.
    package var make: @Sendable (_ folder: String, _ conversation: AgentLaunch.Conversation) throws -> any SessionAgent
    /// Kills the agents that a killed server left, and returns their number. Called once, before the first start of an agent.
    package var killLeftovers: @Sendable () throws -> Int

    package init(
        check: @escaping @Sendable () throws -> Void = {}, killLeftovers: @escaping @Sendable () throws -> Int = { 0 },
        make: @escaping @Sendable (_ folder: String, _ conversation: AgentLaunch.Conversation) throws -> any SessionAgent
    ) {
        (self.check, self.killLeftovers, self.make) = (check, killLeftovers, make)
    }
}
