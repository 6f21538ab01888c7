/// The labels of the library itself, in its languages.
struct SystemWords {
    var ok = "OK"
    var cancel = "Cancel"
    var back = "Back"

    private static let tables = ["en": SystemWords(), "ko": SystemWords(ok: "확인", cancel: "취소", back: "뒤로")]

    init(ok: String = "OK", cancel: String = "Cancel", back: String = "Back") {
        self.ok = ok
        self.cancel = cancel
        self.back = back
    }

    init(languages: [String]) {
        self = languages.lazy.compactMap { Self.tables[String($0.prefix(2))] }.first ?? SystemWords()
    }
}

extension ViewHost {
    /// The labels in the language of the scene.
    var words: SystemWords { SystemWords(languages: scene.languages) }
}
