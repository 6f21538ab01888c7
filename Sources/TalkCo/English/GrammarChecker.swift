package import Foundation

/// The checker of learners' English.
///
/// Rules and tables propose changes; Link Grammar's parser and a model of word sequences decide which make the sentence right.
/// If the parser or the model is not installed, nothing is found: see ``isAvailable``.
package struct GrammarChecker: Sendable {
    /// Maximum count of sentences that are checked in a text.
    package static let maximumSentenceCount = 60

    private let now: @Sendable () -> Date
    private let marker: Marker?

    /// True if the parser, its dictionary and the word model are installed and intact. The first call reads them.
    package static var isAvailable: Bool { Marker.installed != nil }

    /// The required Debian packages that are missing. Fast: only the existence of their files is checked.
    package static var missingPackages: [String] {
        [("/usr/share/link-grammar/en/4.0.dict", "link-grammar-dictionaries-en"), (WordModel.debianPath, "pocketsphinx-en-us")]
            .filter { !FileManager.default.isReadableFile(atPath: $0.0) }.map(\.1)
    }

    /// - Parameter now: Returns the current time; years before the current one are in the past.
    package init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(now: now, marker: .installed)
    }

    init(now: @escaping @Sendable () -> Date = { Date() }, marker: Marker?) {
        self.now = now
        self.marker = marker
    }

    /// Returns the findings in a text of one or more sentences, in the order of their ranges, which do not overlap.
    ///
    /// The text may be of any length and in any script. Sentences after the first ``maximumSentenceCount``, and those of more than 40 words, are
    /// not checked.
    package func findings(in text: String) -> [Finding] {
        guard let marker else { return [] }
        let year = Calendar(identifier: .gregorian).component(.year, from: now())
        return Sentence.sentences(of: text, in: year).prefix(Self.maximumSentenceCount).flatMap {
            SentenceCheck($0, marker).allFindings()
        }
    }
}

extension GrammarChecker {
    /// Returns the findings of the rules without the parser: fast, but too often wrong for learners. ``LevelEstimate`` counts them.
    func objections(in text: String) -> [Finding] {
        let year = Calendar(identifier: .gregorian).component(.year, from: now())
        return Sentence.sentences(of: text, in: year).flatMap { SentenceCheck($0, nil).objections() }
    }
}

/// The check of one sentence.
private struct SentenceCheck {
    private let sentence: Sentence
    private let units: [Unit]
    private let marker: Marker?

    init(_ sentence: Sentence, _ marker: Marker?) {
        (self.sentence, self.marker) = (sentence, marker)
        units = sentence.units
    }

    /// Returns the findings, each checked in the sentence in which the earlier ones are corrected.
    func allFindings() -> [Finding] {
        var draft = Draft(sentence)
        let deadline = Marker.deadline()
        while let marker, draft.findings.count < Self.maximumCount, let current = draft.sentence {
            guard
                let finding = SentenceCheck(current, marker).findings(until: deadline).lazy.compactMap({ draft.original($0) }).first
            else { break }
            draft.findings.append(finding)
        }
        return draft.findings.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Maximum count of findings in a sentence.
    private static let maximumCount = 5

    /// Returns the mistakes by the judgement of the parser and the word model, the clearest first.
    private func findings(until deadline: Duration) -> [Finding] {
        let matches = matches()
        let rules = matches.indices.compactMap { edit(of: matches[$0], number: $0) }
        return (marker?.verdicts(sentence, units, rules: rules, until: deadline) ?? []).compactMap { verdict in
            verdict.edit.rule.flatMap { finding(matches[$0].rule, matches[$0].match) } ?? finding(verdict)
        }
    }

    func objections() -> [Finding] {
        // Stable: of equal matches the earlier wins.
        let matches = matches().enumerated().sorted {
            ($1.element.rule.priority, $0.offset) < ($0.element.rule.priority, $1.offset)
        }
        var taken: [Range<Int>] = []
        var findings: [Finding] = []
        for (_, (rule, match)) in matches where !taken.contains(where: { $0.overlaps(match.tokens) }) {
            guard let finding = finding(rule, match) else { continue }
            taken.append(match.tokens)
            findings.append(finding)
        }
        return findings.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Rules

    private func matches() -> [(rule: Rule, match: Rule.Match)] {
        var matches: [(rule: Rule, match: Rule.Match)] = []
        for index in 0..<sentence.count where sentence[index].kind == .word || sentence[index].kind == .number {
            for rule in RuleSet.standard.rules(at: sentence[index].word) {
                guard let match = rule.find(sentence, index) else { continue }
                // "a girls' school": an apostrophe after the word makes it another word.
                let next = sentence[match.tokens.upperBound]
                if next.kind != .pause || !next.isAttached || !["'", "’"].contains(next.word) { matches.append((rule, match)) }
            }
        }
        return matches
    }

    /// Returns a rule's match as a change of units; nil if no unit is affected.
    private func edit(of found: (rule: Rule, match: Rule.Match), number: Int) -> Edit? {
        let match = found.match
        let inside = units.indices.filter { units[$0].tokens.overlaps(match.tokens) }
        guard let first = inside.first, let last = inside.last else { return nil }
        var words = match.replacement.replacing("?", with: "").replacing(",", with: " , ").words
        // The match is the second token of a contraction.
        if units[first].tokens.lowerBound < match.tokens.lowerBound {
            let head = sentence[units[first].tokens.lowerBound].word
            if let word = words.first, word.hasPrefix("'") { words[0] = head + word } else { words.insert(head, at: 0) }
        }
        let written = words.map { word in
            let lower = word.lowercased()
            return lower == "i" ? "I" : units.first { $0.word == lower }?.written ?? lower
        }
        return Edit(kind: .rule, units: first..<last + 1, words: written, rule: number, ruleName: found.rule.name)
    }

    private func finding(_ rule: Rule, _ match: Rule.Match) -> Finding? {
        var tokens = match.tokens
        var suggestion = match.replacement
        // The replacement of the "'m" of "I'm" is a separate word.
        if tokens.lowerBound > 0, sentence[tokens.lowerBound].word.hasPrefix("'"), !suggestion.hasPrefix("'") {
            tokens = tokens.lowerBound - 1..<tokens.upperBound
            suggestion = sentence.text(tokens.lowerBound..<tokens.lowerBound + 1) + " " + suggestion
        }
        if rule.name.hasPrefix("missing.it"), let short = Self.contractions[suggestion] { suggestion = short }
        let next = tokens.upperBound < sentence.count ? sentence.text(tokens.upperBound..<tokens.upperBound + 1) : ""
        return finding(rule.name, rule.kind, tokens, suggestion, rule.explanation(of: match, suggestion, next: next))
    }

    /// The usual contractions of suggestions.
    private static let contractions = [
        "it is": "it's", "I am": "I'm", "they are": "they're", "you are": "you're", "we are": "we're",
    ]

    // MARK: Changes from tables

    private func finding(_ verdict: Verdict) -> Finding? {
        let edit = verdict.edit
        guard let entry = EditTable.standard.entry(edit.kind) else { return nil }
        var (range, written) = (verdict.units, verdict.words)
        // Without a word to mark or to suggest, the next word is added to both, or the previous one at the end.
        let hasNext = range.upperBound < units.count && !units[range.upperBound].isPause
        let next = hasNext ? text(range.upperBound..<range.upperBound + 1) : ""
        let old = edit.units.isEmpty ? "" : text(edit.units)
        let new = edit.words.joined(separator: " ")
        if range.isEmpty || written.isEmpty {
            if hasNext {
                written.append(range.upperBound == 0 && units[0].written.first?.isLowercase == true ? units[0].written : next)
                range = range.lowerBound..<range.upperBound + 1
            } else if range.lowerBound > 0 {
                range = range.lowerBound - 1..<range.upperBound
                written.insert(text(range.lowerBound..<range.lowerBound + 1), at: 0)
            }
        }
        guard !range.isEmpty, !units[range].contains(where: \.isPause) else { return nil }
        var suggestion = written.joined(separator: " ")
        if [.insertIt, .insertPronoun].contains(edit.kind), let short = Self.contractions[suggestion] { suggestion = short }
        let explanation = entry.explanation.replacing("{old}", with: old.lowercased() == "i" ? "I" : old).replacing(
            "{new}", with: new
        )
        .replacing("{next}", with: next).replacing(
            "{phrase}", with: edit.kind == .articleSound ? suggestion + " " + next : suggestion)
        let tokens = units[range.lowerBound].tokens.lowerBound..<units[range.upperBound - 1].tokens.upperBound
        return finding(entry.rule, entry.type, tokens, suggestion, explanation)
    }

    private func text(_ range: Range<Int>) -> String {
        sentence.text(units[range.lowerBound].tokens.lowerBound..<units[range.upperBound - 1].tokens.upperBound)
    }

    private func finding(_ rule: String, _ kind: FindingKind, _ tokens: Range<Int>, _ suggestion: String, _ explanation: String)
        -> Finding?
    {
        let original = sentence.text(tokens)
        let first = sentence[tokens.lowerBound]
        var suggestion = suggestion
        if sentence.isInCapitals { suggestion = suggestion.uppercased() }
        if first.isCapitalized, first.word != "i" || tokens.lowerBound == 0, let letter = suggestion.first {
            suggestion = letter.uppercased() + suggestion.dropFirst()
        }
        guard !original.isEmpty, !suggestion.isEmpty, suggestion != original else { return nil }
        return Finding(
            rule: rule, kind: kind, range: first.range.lowerBound..<sentence[tokens.upperBound - 1].range.upperBound,
            original: original,
            suggestion: suggestion, explanation: explanation)
    }
}

/// A sentence with findings, each replaced by its suggestion.
private struct Draft {
    private let original: Sentence
    private let range: Range<String.Index>
    /// The findings, whose ranges do not touch each other.
    var findings: [Finding] = []

    init(_ sentence: Sentence) {
        original = sentence
        range = sentence[0].range.lowerBound..<sentence[sentence.count - 1].range.upperBound
    }

    /// The sentence with all suggestions; nil if no token remains.
    var sentence: Sentence? {
        guard !findings.isEmpty else { return original }
        var text = ""
        var place = range.lowerBound
        for finding in sorted {
            text += original.text[place..<finding.range.lowerBound] + finding.suggestion
            place = finding.range.upperBound
        }
        text += original.text[place..<range.upperBound]
        return original.with(text)
    }

    private var sorted: [Finding] { findings.sorted { $0.range.lowerBound < $1.range.lowerBound } }

    /// Translates a finding in ``sentence`` to the original sentence; nil if the finding touches a corrected part.
    func original(_ finding: Finding) -> Finding? {
        guard !findings.isEmpty, let text = sentence?.text else { return findings.isEmpty ? finding : nil }
        let new = text.utf8.distance(from: text.startIndex, to: finding.range.lowerBound)
        let length = text.utf8.distance(from: finding.range.lowerBound, to: finding.range.upperBound)
        let utf8 = original.text.utf8
        // The difference between offsets in the draft and in the original, after each corrected part.
        var (shift, end) = (0, 0)
        for mended in sorted {
            let start = utf8.distance(from: range.lowerBound, to: mended.range.lowerBound) + shift
            let newEnd = start + mended.suggestion.utf8.count
            if new + length < start { break }
            if new <= newEnd { return nil }
            shift += mended.suggestion.utf8.count - utf8.distance(from: mended.range.lowerBound, to: mended.range.upperBound)
            end = newEnd
        }
        guard new >= end, let lower = utf8.index(range.lowerBound, offsetBy: new - shift, limitedBy: range.upperBound),
            let upper = utf8.index(lower, offsetBy: length, limitedBy: range.upperBound),
            original.text[lower..<upper] == finding.original
        else { return nil }
        var finding = finding
        finding.range = lower..<upper
        return finding
    }
}
