/// The name by which other devices show this phone.
public enum PhoneName {
    /// Maximum length of a name, in characters.
    package static let maximumLength = 64
    /// The name of a phone whose user has given none.
    package static let unnamed = "iPhone"

    /// Returns the name that the system gives the phone.
    ///
    /// - Parameter text: The system's name: since iOS 16 the model, or with an entitlement of Apple the owner's name for the phone.
    /// - Returns: The name; nil if every phone of the model has it, so that the app asks the user.
    public static func ofSystem(_ text: String) -> String? {
        guard let name = checked(text), !models.contains(name.lowercased()) else { return nil }
        return name
    }

    private static let models: Set = ["iphone", "ipad", "ipod touch", "localhost"]

    /// Returns a typed name without control characters and spaces at its ends, cut at ``maximumLength``.
    ///
    /// - Returns: Nil if nothing is left.
    package static func checked(_ text: String) -> String? {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let name = words.map { String($0) }.joined(separator: " ").prefix(maximumLength)
        return name.isEmpty ? nil : String(name)
    }
}
