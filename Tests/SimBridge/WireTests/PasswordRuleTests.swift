import SimBridgeWire
import Testing

@Suite struct PasswordRuleTests {
    private func problem(_ password: String, _ rule: PasswordRule = .standard) -> PasswordRule.Problem? {
        rule.problem(with: password, of: "ada.lovelace")
    }

    @Test(arguments: [
        "password", "Password1", "password123!", "12345678", "87654321", "aaaaaaaa", "abcdefgh", "qwertyuiop", "iloveyou2",
        "1q2w3e4r",
        "Ada.Lovelace", "Switchboard1",
    ]) func commonPasswordsAreRefused(_ password: String) {
        #expect(problem(password) == .common)
        // With a shorter minimum set by the operator, only the length is checked.
        #expect(problem(password, PasswordRule(minimumLength: 1)) == nil)
    }

    @Test(arguments: ["correct horse", "12345679", "passwordless-box", "비밀번호입니다요", "ada.lovelace9"])
    func uncommonPasswordsAreAllowed(_ password: String) {
        #expect(problem(password) == nil)
    }

    @Test func lengthIsChecked() {
        #expect(problem("k7#mQ!w") == .tooShort(minimum: 8))
        #expect(problem("k7#mQ!w9") == nil)
        #expect(problem("", PasswordRule(minimumLength: 1)) == .tooShort(minimum: 1))
        #expect(problem("x", PasswordRule(minimumLength: 1)) == nil)
        #expect(problem(String(repeating: "ab", count: 513)) == .tooLong)
    }
}
