/// The labels of the library itself, in its languages.
struct SystemWords {
    var ok = "OK"
    var cancel = "Cancel"
    var back = "Back"
    var search = "Search"
    var clearText = "Clear text"
    var checkSpelling = "Check the spelling or try a new search."
    var noResults = "No Results"
    /// The title for a search without results; `%@` stands for the searched text.
    var noResultsFor = "No Results for “%@”"

    func noResults(for text: String) -> String {
        text.isEmpty ? noResults : noResultsFor.replacingOccurrences(of: "%@", with: text)
    }

    private static let tables = [
        "en": SystemWords(),
        "ko": SystemWords(
            ok: "확인", cancel: "취소", back: "뒤로", search: "검색", clearText: "텍스트 지우기",
            checkSpelling: "맞춤법을 확인하거나 새로 검색해 보십시오.", noResults: "결과 없음", noResultsFor: "‘%@’에 대한 결과 없음"),
        "zh-hant": SystemWords(
            ok: "好", cancel: "取消", back: "返回", search: "搜尋", clearText: "清除文字",
            checkSpelling: "請檢查拼字或嘗試新的搜尋。", noResults: "沒有結果", noResultsFor: "沒有「%@」的結果"),
    ]
}

extension SystemWords {
    init(languages: [String]) {
        self = languages.lazy.flatMap(languageNames).compactMap { Self.tables[$0] }.first ?? SystemWords()
    }
}

extension ViewHost {
    /// The labels in the language of the scene.
    var words: SystemWords { SystemWords(languages: scene.languages) }
}
