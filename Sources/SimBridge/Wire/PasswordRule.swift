/// The rule for new passwords, at registration and at a change. Login accepts any password.
public struct PasswordRule: Hashable, Sendable {
    /// The reason why a password is refused.
    public enum Problem: Hashable, Sendable {
        case tooShort(minimum: Int)
        /// More than ``Account/maximumPasswordLength`` bytes.
        case tooLong
        /// One of the passwords that attackers try first.
        case common
    }

    /// Default minimum length of the relay and the app, in characters. Common passwords are refused at this or a greater minimum.
    public static let standardMinimum = 8
    /// The app's rule, and the relay's unless the operator changes it.
    public static let standard = PasswordRule(minimumLength: standardMinimum)

    /// Minimum length, in characters (Unicode scalar values).
    public var minimumLength: Int

    public init(minimumLength: Int) {
        self.minimumLength = minimumLength
    }

    /// Checks a new password.
    ///
    /// - Parameter username: The user's name, which is refused like a common password.
    /// - Returns: nil for an allowed password.
    public func problem(with password: String, of username: String) -> Problem? {
        if password.unicodeScalars.count < minimumLength { return .tooShort(minimum: minimumLength) }
        if password.utf8.count > Account.maximumPasswordLength { return .tooLong }
        guard minimumLength >= Self.standardMinimum else { return nil }
        let plain = password.lowercased()
        return plain == username.lowercased() || Self.isCommon(plain) ? .common : nil
    }

    /// True for listed passwords, a single repeated character, and ascending or descending sequences such as `23456789`.
    private static func isCommon(_ password: String) -> Bool {
        if common.contains(password) { return true }
        // In `password1` and `password123!`, the word before the suffix decides.
        let word = String(password.prefix(while: \.isLetter))
        if words.contains(word), password.dropFirst(word.count).allSatisfy({ !$0.isLetter }) { return true }
        let scalars = password.unicodeScalars.map { Int64($0.value) }
        guard let first = scalars.first else { return false }
        let steps = Set(zip(scalars, scalars.dropFirst()).map { $1 - $0 })
        return scalars.allSatisfy { $0 == first } || steps == [1] || steps == [-1]
    }

    private static let common: Set<String> = [
        "1234567890", "0987654321", "12341234", "12121212", "11223344", "12344321", "123123123", "147258369", "159357159",
        "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "1qazxsw2", "qazwsxedc", "q1w2e3r4", "qwer1234", "asdf1234", "abcd1234", "a1b2c3d4",
        "abc12345", "1234qwer", "1234abcd", "zaq12wsx", "pass1234", "p@ssw0rd", "p@ssword", "passw0rd", "letmein1", "iloveyou1",
        "trustno1", "dkssudgktpdy", "rkskekfk", "tkfkdgo1",
    ]

    private static let words: Set<String> = [
        "password", "passwort", "passphrase", "qwerty", "qwertyui", "qwertyuiop", "qwertz", "qwertzui", "azertyui", "asdfgh",
        "asdfghjk",
        "asdfghjkl", "zxcvbn", "zxcvbnm", "iloveyou", "letmein", "welcome", "sunshine", "princess", "football", "baseball",
        "basketball",
        "superman", "batman", "starwars", "whatever", "computer", "internet", "samsung", "michelle", "jennifer", "jessica",
        "charlie",
        "dragon", "monkey", "shadow", "master", "admin", "administrator", "changeme", "secret", "default", "summer", "winter",
        "spring",
        "autumn", "liverpool", "chocolate", "butterfly", "trustno", "freedom", "abc", "abcd", "test", "testtest", "hello",
        "hellohello",
        "simbridge", "switchboard", "saranghae",
    ]
}
