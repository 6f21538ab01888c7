import Testing

@testable import switchboard

/// The settings that agents do not inherit.
@Suite struct AgentVariableTests {
    private func inherited(_ environment: [String: String], keepsModelKeys: Bool = true, systems: [System] = System.all) -> Set<
        String
    > {
        Set(AgentVariables.inherited(from: environment, keepsModelKeys: keepsModelKeys, systems: systems).keys)
    }

    @Test func settingsOfEverySystemAreLeftOut() {
        for system in System.all {
            for setting in system.settings {
                #expect(inherited(["\(system.prefix)\(setting.name)": "x", "KEPT": "x"]) == ["KEPT"])
                #expect(inherited([setting.name: "x"], keepsModelKeys: false).isEmpty)
            }
            // One that a later version may have.
            #expect(inherited(["\(system.prefix)LATER": "x"]).isEmpty)
        }
        #expect(inherited(["SWITCHBOARD_TLS_KEY": "x", "PATH": "/bin", "LANG": "C"]) == ["PATH", "LANG"])
    }

    @Test func sixthSystemIsCoveredByItself() {
        let sixth = System(name: "sixth", settings: [(name: "SIXTH_SECRET_WORD", meaning: "a secret")], service: nil)
        let environment = ["SIXTH_OTHER": "x", "SIXTH_SECRET_WORD": "x", "SIXTH_SIXTH_SECRET_WORD": "x", "KEPT": "x"]
        #expect(inherited(environment, systems: System.all + [sixth]) == ["KEPT"])
    }

    @Test func userAgentsKeepTheKeyOfTheirOwnModel() {
        let environment = ["OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "x", "TALKCO_OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x"]
        #expect(inherited(environment) == ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"])
        #expect(inherited(environment, keepsModelKeys: false) == ["ANTHROPIC_API_KEY"])
    }
}
