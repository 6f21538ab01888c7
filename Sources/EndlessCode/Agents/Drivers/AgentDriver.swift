/// The protocol of one kind of agent, as a value without processes and clocks: lines and commands in, actions out.
///
/// `ClaudeDriver` speaks Claude Code's `stream-json`, `ACPDriver` the Agent Client Protocol.
package protocol AgentDriver: Sendable {
    /// True once the agent has answered its start.
    var isReady: Bool { get }
    /// True from a prompt, or a turn that the agent began by itself, to the result; also while prompts wait in the agent's queue and while
    /// its sub-agents work in the background.
    var isInTurn: Bool { get }
    /// True after the first result.
    var hasFinishedTurn: Bool { get }

    /// Returns the command-line arguments of the agent's program.
    func arguments(for launch: AgentLaunch) throws(AgentError) -> [String]
    /// Returns the first lines to the agent. Called once, before the other methods.
    mutating func start(_ launch: AgentLaunch) -> [AgentAction]
    /// - Parameter time: The time since the start.
    mutating func receive(_ line: AgentLine, at time: Duration) -> [AgentAction]
    /// - Parameter time: The time since the start.
    mutating func perform(_ command: AgentCommand, at time: Duration) throws(AgentError) -> [AgentAction]
    /// Returns the events of the agent's end, which withdraw its open prompts.
    mutating func end() -> [AgentEvent]
    /// Returns true if the agent ended because it does not have the conversation that it was to resume.
    ///
    /// - Parameter errorTail: The last lines of its standard error.
    func hasLostConversation(errorTail: String) -> Bool
}

extension AgentDriver {
    package func hasLostConversation(errorTail: String) -> Bool { false }
}

/// An action that a driver asks for.
package enum AgentAction: Hashable, Sendable {
    /// Writes a line to the agent. JSON text without a line break.
    case write(String)
    case event(AgentEvent)
    /// Kills the agent, which cannot be used.
    ///
    /// - Parameter reason: Words for the user.
    case fail(_ reason: String)
}

extension AgentAction {
    /// The action with its event flagged as large; unchanged for a receipt, which has no text.
    var flaggedLarge: AgentAction {
        guard case .event(var event) = self else { return self }
        if case .promptTaken = event.content { return self }
        event.isLarge = true
        return .event(event)
    }
}
