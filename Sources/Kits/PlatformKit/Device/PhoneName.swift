/// The name by which other devices show this phone.
public enum PhoneName {
    /// The most characters of a name.
    package static let maximumLength = 64
    /// The name of a phone whose user has given none.
    package static let unnamed = "iPhone"

    /// The name that the system gives.
    ///
    /// - Parameter text: Since iOS 16 the model in place of the owner's name for the phone, unless Apple has granted an entitlement.
    /// - Returns: Nil for a name that every phone of the model has: the user is to be asked.
    public static func ofSystem(_ text: String) -> String? {
        guard let name = checked(text), !models.contains(name.lowercased()) else { return nil }
        return name
    }

    private static let models: Set = ["iphone", "ipad", "ipod touch", "localhost"]

    /// A name as a user has typed it, without control characters and spaces at its ends, and cut at ``maximumLength``.
    ///
    /// - Returns: Nil if nothing is left.
    package static func checked(_ text: String) -> String? {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        let name = words.map { String($0) }.joined(separator: " ").prefix(maximumLength)
        return name.isEmpty ? nil : String(name)
    }
}
