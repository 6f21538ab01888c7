import Foundation

/// The sentences that a recognizer listens for, as a finite state grammar for pocketsphinx, and a dictionary of their words.
///
/// ```
///              i        live      alone
///  start ▶ 0 ─────▶ 4 ──────▶ 5 ─────────▶ 1 ▶ end
///          │        │ ▲       │ ▲          ▲
///          └──▶ 2 ◀─┘ └───────┼─┴──── 3 ───┘
///               ▲ ◀───────────┘       │
///               ├───── any sound ────▶│
///               └─────────────────────┘
/// ```
///
/// Other speech leaves a sentence at any word, for a loop of single sounds, and may return at any word. So a sentence with one
/// other word has a path too, which does not match it. Each way out costs ``wayOutProbability``, each sound ``soundProbability``.
struct ChoiceGrammar: Sendable {
    /// The pronunciations of words, in the sounds of ``sounds``.
    typealias Pronunciations = [String: [String]]

    /// A recognized sentence.
    struct Hypothesis: Hashable, Sendable {
        /// The index of the sentence; nil if the speech matches no sentence.
        var sentence: Int?
        /// The share of the time that belongs to words, 0 to 1; the rest is silence or noise.
        var coverage: Double
    }

    /// The sounds of American English in cmudict.
    static let sounds = [
        "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH", "K", "L", "M",
        "N",
        "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH",
    ]
    /// The probability of each sound of other speech: the smaller, the more a bad match counts as the sentence.
    ///
    /// `Docs/Hearing.md` has the measurements.
    static let soundProbability = 1e-13
    /// The probability of leaving a sentence, in addition to ``soundProbability`` for each sound.
    static let wayOutProbability = 1e-15

    let sentences: [[String]]
    private let pronunciations: Pronunciations

    /// - Parameter pronunciations: The pronunciations of the words. A word without one matches any sounds.
    init(_ sentences: [String], pronunciations: Pronunciations) {
        self.sentences = sentences.map { Self.words(of: $0) }
        self.pronunciations = pronunciations
    }

    /// Returns the words of a sentence in the form of the dictionary: lowercase, with apostrophes.
    static func words(of sentence: String) -> [String] {
        sentence.replacing("’", with: "'").lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'") }
            .map { String($0) }.filter { word in word.contains { $0 != "'" } }
    }

    /// The grammar in the format of Sphinx.
    var grammar: String {
        var transitions: [String] = []
        let (start, end, wayOut, sound) = (0, 1, 2, 3)
        var stateCount = 4
        func add(_ from: Int, _ to: Int, _ probability: Double = 1, _ word: String = "") {
            transitions.append("TRANSITION \(from) \(to) \(probability) \(word)")
        }
        func addSounds(_ from: Int, _ to: Int) {
            for sound in Self.sounds { add(from, to, Self.soundProbability, Self.word(of: sound)) }
        }
        addSounds(wayOut, sound)
        add(sound, wayOut)
        add(start, wayOut, Self.wayOutProbability)
        add(sound, end)
        for words in sentences where !words.isEmpty {
            var state = start
            for (index, word) in words.enumerated() {
                if index > 0 {
                    add(state, wayOut, Self.wayOutProbability)
                    add(sound, state)
                }
                let next = index == words.count - 1 ? end : stateCount
                if next != end { stateCount += 1 }
                if pronunciations[word] == nil {
                    let loop = stateCount
                    stateCount += 1
                    addSounds(state, loop)
                    addSounds(loop, loop)
                    add(loop, next)
                } else {
                    add(state, next, 1, word)
                }
                state = next
            }
        }
        let head = ["FSG_BEGIN choices", "NUM_STATES \(stateCount)", "START_STATE \(start)", "FINAL_STATE \(end)"]
        return (head + transitions + ["FSG_END", ""]).joined(separator: "\n")
    }

    /// The dictionary of the words and of the single sounds.
    var dictionary: String {
        let words = Set(sentences.joined()).sorted().flatMap { word in
            (pronunciations[word] ?? []).enumerated().map { index, sounds in
                index == 0 ? "\(word) \(sounds)" : "\(word)(\(index + 1)) \(sounds)"
            }
        }
        return (words + Self.sounds.map { "\(Self.word(of: $0)) \($0)" } + [""]).joined(separator: "\n")
    }

    private static func word(of sound: String) -> String { "_\(sound.lowercased())" }

    /// Parses pocketsphinx's segmentation of an utterance: `name S … T … A … L … start {score score word end}`.
    func hypothesis(_ line: String) -> Hypothesis {
        let nothing = Hypothesis(sentence: nil, coverage: 0)
        let parts = line.split(separator: " ")
        guard let mark = parts.firstIndex(of: "L"), mark + 2 < parts.count, let start = Self.frame(parts[mark + 2]) else {
            return nothing
        }
        var (words, covered, time): ([String], Int, Int) = ([], 0, start)
        var index = mark + 3
        while index + 3 < parts.count, let end = Self.frame(parts[index + 3]) {
            // `read(2)` is another pronunciation of the same word; `<sil>` and `[NOISE]` are not words.
            let word = parts[index + 2].prefix { $0 != "(" }
            if let first = word.first, first != "<", first != "[" {
                words.append(String(word))
                covered += max(end - time, 0)
            }
            time = end
            index += 4
        }
        guard time > start else { return nothing }
        let coverage = Double(covered) / Double(time - start)
        return Hypothesis(sentence: sentences.firstIndex { matches($0, words[...]) }, coverage: coverage)
    }

    /// Parses a time in frames of 10 ms; nil for an invalid one.
    private static func frame(_ text: Substring) -> Int? { Int(text).flatMap { 0...1_000_000 ~= $0 ? $0 : nil } }

    private func matches(_ sentence: [String], _ heard: ArraySlice<String>) -> Bool {
        var heard = heard
        for word in sentence {
            if pronunciations[word] != nil {
                guard heard.popFirst() == word else { return false }
            } else {
                guard heard.first?.hasPrefix("_") == true else { return false }
                heard = heard.drop { $0.hasPrefix("_") }
            }
        }
        return heard.isEmpty && !sentence.isEmpty
    }
}
