package import Foundation

/// The start of an agent in a project.
package struct AgentLaunch: Sendable {
    /// The absolute path of the executable. See ``AgentProgram``.
    package var program: String
    /// Arguments before the driver's, such as the verb of a program that is more than an agent.
    package var verb: [String]
    /// The absolute path of the project's folder.
    package var folder: String
    package var conversation: Conversation
    /// Nil for the mode in the user's own settings of the agent.
    package var permissionMode: String?
    /// The environment of the agent, before ``AgentEnvironment`` sets `PWD` and removes variables that concern only the host.
    package var environment: [String: String]
    /// Arguments in addition to the driver's.
    package var arguments: [String]

    package enum Conversation: Hashable, Sendable {
        /// A new conversation, with an id for agents that accept one.
        case new(UUID)
        /// An earlier conversation, by its ``AgentReady/conversationID``.
        case resume(String)
    }

    package init(
        program: String, verb: [String] = [], folder: String, conversation: Conversation, permissionMode: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment, arguments: [String] = []
    ) {
        (self.program, self.verb, self.folder, self.conversation) = (program, verb, folder, conversation)
        (self.permissionMode, self.environment, self.arguments) = (permissionMode, environment, arguments)
    }
}

/// The end of an agent's process.
package struct AgentExit: Hashable, Sendable {
    package enum Status: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    package enum Reason: Hashable, Sendable {
        /// The host asked the agent to end. The status may be any.
        case asked
        /// The agent ended by itself outside a turn: after a result with any status, or before the first result with status 0.
        case betweenTurns
        /// The agent ended during a turn, or before the first result with a status other than 0. `CLI_CRASHED` on the wire.
        case crash
        /// The agent was not ready in time and was killed. Counts as a crash.
        case startTimedOut
        /// The agent does not have the conversation that it was to resume.
        case conversationNotFound
    }

    package var status: Status
    package var reason: Reason
    /// The last lines of the standard error, at most ``ErrorTail/maximumLength`` bytes.
    package var errorTail: String
    /// The time from start to end.
    package var lifetime: Duration

    package init(status: Status, reason: Reason, errorTail: String, lifetime: Duration) {
        (self.status, self.reason, self.errorTail, self.lifetime) = (status, reason, errorTail, lifetime)
    }
}
