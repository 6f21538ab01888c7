/// The environment of an agent.
package enum AgentEnvironment {
    /// The variable that marks an agent and all that it starts, with a value unique to the run. See ``AgentRecords``.
    package static let mark = "SWITCHBOARD_AGENT"

    /// Variables that concern the host only: an agent inside which the host runs, and what a service manager hands to it.
    private static let removed: Set<String> = [
        "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "OLDPWD", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "INVOCATION_ID", "JOURNAL_STREAM", "CREDENTIALS_DIRECTORY",
    ]
    /// The settings of a host. Those of other systems in the same program are removed by the host, which knows them.
    private static let removedPrefixes = ["SWITCHBOARD_", "ENDLESSCODE_"]

    /// `environment` without what an agent must not inherit, with `PWD` and the mark of the run.
    package static func inherited(from environment: [String: String], folder: String, mark: String) -> [String: String] {
        var own = environment.filter { name, _ in
            !removed.contains(name) && !removedPrefixes.contains { name.hasPrefix($0) }
        }
        own["PWD"] = folder
        own[self.mark] = mark
        return own
    }
}
