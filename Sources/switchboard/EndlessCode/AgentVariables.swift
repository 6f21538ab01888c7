/// The environment that agents inherit from this program.
enum AgentVariables {
    /// Settings of this package that agents of the user read as well, for their own model.
    private static let modelNames: Set<String> = ["OPENAI_API_KEY", "OPENAI_BASE_URL"]

    /// Returns `environment` without the settings of the box and of any system, with or without its prefix.
    ///
    /// - Parameters:
    ///   - keepsModelKeys: True to keep the names, without a prefix, by which agents find their own model.
    ///   - systems: The systems whose settings are left out.
    static func inherited(
        from environment: [String: String], keepsModelKeys: Bool, systems: [System] = System.all
    ) -> [String: String] {
        let prefixes = ["SWITCHBOARD_"] + systems.map(\.prefix)
        let names = Set(systems.flatMap { $0.settings.map(\.name) }).subtracting(keepsModelKeys ? modelNames : [])
        return environment.filter { name, _ in !names.contains(name) && !prefixes.contains { name.hasPrefix($0) } }
    }
}
