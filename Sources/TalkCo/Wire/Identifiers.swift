public import WireKit

/// A learner. The app generates the identifier; there are no accounts.
public enum Learner {
    public typealias ID = Identifier<Learner>
    /// The length of an identifier in Unicode scalar values.
    public static let idLength = 1...128
    /// Maximum length of a name, in Unicode scalar values. Longer names are cut.
    public static let maximumNameLength = 100
    /// Maximum length of a learning goal, in Unicode scalar values.
    public static let maximumGoalLength = 500
}

/// A turn. The app generates the identifier; a repeated identifier replays the first answer. `Docs/Protocols/TalkCo.md`, section 2.
public enum Turn {
    public typealias ID = Identifier<Turn>
    /// The length of an identifier in Unicode scalar values.
    public static let idLength = 1...64
    /// Maximum length of a typed turn, in Unicode scalar values.
    public static let maximumTextLength = 4_000
}
