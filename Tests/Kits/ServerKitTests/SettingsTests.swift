import Testing

@testable import ServerKit

@Suite struct SettingsTests {
    private enum Colour: String, CaseIterable { case red, blue }

    private func settings(_ file: String, known: Set<String> = ["PORT", "A_B"]) throws -> Settings {
        try Settings(file: ("box.env", file), known: known)
    }

    @Test func commandLineOverridesEnvironmentOverridesFile() throws {
        let settings = try Settings(
            options: ["a": "1"], environment: ["A": "2", "B": "2"], file: ("f", "A=3\nB=3\nC=3"), known: ["A", "B", "C"])

        #expect(settings.string("a") == "1")
        #expect(settings.string("b") == "2")
        #expect(settings.string("c") == "3")
        #expect(settings.string("d") == nil)
    }

    @Test func systemSettingsArePrefixed() throws {
        let settings = try Settings(environment: ["PAGER2077_DB_PATH": "x", "DB_PATH": "y"]).scoped(to: "pager2077")

        #expect(settings.string("db.path") == "x")
        #expect(settings.name(of: "db.path") == "PAGER2077_DB_PATH")
    }

    @Test func singleSystemAcceptsNamesWithAndWithoutPrefix() throws {
        let settings = try Settings(environment: ["PAGER2077_DB_PATH": "x", "DB_PATH": "y", "JWT_SECRET": "z"])
            .scoped(to: "pager2077", orPlain: true)

        #expect(settings.string("db.path") == "x")
        #expect(settings.string("jwt.secret") == "z")
        #expect(settings.name(of: "jwt.secret") == "JWT_SECRET")
        #expect(settings.name(of: "other") == "PAGER2077_OTHER")
    }

    @Test func optionsAreNamedAsOnTheCommandLine() throws {
        let settings = try Settings(options: ["switchboard.log.level": "loud"]).scoped(to: "switchboard")
        #expect(settings.name(of: "log.level") == "--log-level")
        #expect(settings.name(of: "port") == "SWITCHBOARD_PORT")
    }

    @Test func emptyValueMeansUnset() throws {
        #expect(try Settings(environment: ["A": ""]).string("a") == nil)
    }

    @Test func fileMayContainCommentsBlankLinesAndEqualsSigns() throws {
        #expect(try settings("# a comment\n; another\n\n  A_B = x=y \n").string("a.b") == "x=y")
        #expect(try settings("PORT=1\r\nA_B=x\r\n").string("a.b") == "x")
        #expect(try settings("PORT=\"1\"\nA_B='x y'").string("a.b") == "x y")
    }

    @Test func invalidNumberErrorNamesSettingAndRange() throws {
        let settings = try Settings(environment: ["PORT": "eighty"])
        #expect(throws: StartupError("PORT is \"eighty\"; expected a whole number from 0 to 65535")) {
            try settings.integer("port", in: 0...65_535, default: 1)
        }
        #expect(throws: StartupError.self) {
            try Settings(environment: ["PORT": "70000"]).integer("port", in: 0...65_535, default: 1)
        }
    }

    @Test func invalidChoiceErrorNamesTheChoices() throws {
        #expect(throws: StartupError("INK is \"green\"; expected one of red, blue")) {
            try Settings(environment: ["INK": "green"]).choice("ink", default: Colour.red)
        }
    }

    @Test func repeatedNameIsRefused() {
        #expect(throws: StartupError("box.env, line 3: PORT is already set on line 1")) { try settings("PORT=1\nA_B=x\nPORT = 2") }
    }

    @Test(arguments: ["\"80", "'", "\"80'"]) func unterminatedQuoteIsRefused(value: String) {
        #expect(throws: StartupError("box.env, line 2: the value of PORT has no closing quote")) {
            try settings("A_B=x\nPORT=\(value)")
        }
    }

    @Test func unknownNameInFileIsRefused() {
        #expect(throws: StartupError("box.env, line 2: unknown setting PROT")) { try settings("PORT=1\nPROT=2") }
        #expect(throws: StartupError("box.env, line 1: expected NAME=value")) { try settings("PORT 1") }
    }
}
