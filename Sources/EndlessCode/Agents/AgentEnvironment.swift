/// The environment of an agent.
package enum AgentEnvironment {
    /// The variable that marks an agent and its descendants, with a value unique to the run. See ``AgentRecords``.
    package static let mark = "SWITCHBOARD_AGENT"

    /// Variables that concern only the host: those of an agent that the host runs in, and those of a service manager.
    private static let removed: Set<String> = [
        "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "OLDPWD", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "INVOCATION_ID", "JOURNAL_STREAM", "CREDENTIALS_DIRECTORY",
    ]
    /// Prefixes of a host's settings. The host itself removes the settings of other systems in the same program.
    private static let removedPrefixes = ["SWITCHBOARD_", "ENDLESSCODE_"]

    /// Returns `environment` without the variables that an agent must not inherit, with `PWD` and the run's mark.
    package static func inherited(from environment: [String: String], folder: String, mark: String) -> [String: String] {
        var own = environment.filter { name, _ in
            !removed.contains(name) && !removedPrefixes.contains { name.hasPrefix($0) }
        }
        own["PWD"] = folder
        own[self.mark] = mark
        return own
    }
}
