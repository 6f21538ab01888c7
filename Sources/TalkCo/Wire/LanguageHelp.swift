/// The body of `POST /meaning`.
public struct MeaningRequest: Codable, Hashable, Sendable {
    /// The length of the word in Unicode scalar values.
    public static let wordLength = 1...60
    /// Maximum length of the sentence, in Unicode scalar values.
    public static let maximumSentenceLength = 2_000

    public var word: String
    /// The sentence that contains the word; nil if the client does not know the sentence.
    public var sentence: String?

    public init(word: String, sentence: String?) {
        self.word = word
        self.sentence = sentence
    }
}

/// The reply of `POST /meaning`.
public struct Meaning: Codable, Hashable, Sendable {
    public var word: String
    /// The meaning in Traditional Chinese.
    public var meaning: String

    public init(word: String, meaning: String) {
        self.word = word
        self.meaning = meaning
    }
}

/// The body of `POST /translation`.
public struct TranslationRequest: Codable, Hashable, Sendable {
    /// The length of the text in Unicode scalar values.
    public static let textLength = 1...4_000

    public var text: String

    public init(text: String) {
        self.text = text
    }
}

/// The reply of `POST /translation`.
public struct Translation: Codable, Hashable, Sendable {
    /// The translation into Traditional Chinese.
    public var translation: String

    public init(translation: String) {
        self.translation = translation
    }
}
