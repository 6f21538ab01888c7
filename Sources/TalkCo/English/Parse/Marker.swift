import Foundation
import WireKit

/// A proposal with the judgements of the parser and the word model.
struct Verdict: Sendable {
    /// The parser's judgement on a change.
    enum Parse: String, Sendable, Decodable, CodingKeyRepresentable {
        /// All words fit, unlike before.
        case mends
        /// More words fit, not yet all.
        case improves
        /// Both sentences parse, with the change at a lower cost.
        case cheaper
        case equal
        /// Both sentences parse, with the change at a higher cost.
        case dearer
        /// Words do not fit, with and without the change.
        case unparsed
        /// Fewer words fit.
        case worse
    }

    var edit: Edit
    /// The replaced units and, as `words`, their replacement: the change, with an article that depends on it.
    var units: Range<Int>
    var words: [String]
    /// The gain in the logarithm of the sentence's probability, minus the usual gain of changes of this kind.
    var worth: Double
    var parse = Parse.worse
    /// The rank among proposals; the highest wins.
    var score = 0.0
}

/// The judge of changes of a sentence, by the parser and the word model.
final class Marker: Sendable {
    /// The marker of this machine; nil if the parser's dictionary or the word model is not installed.
    static let installed: Marker? = {
        guard let parser = LinkParser(), let model = try? WordModel(path: WordModel.debianPath) else { return nil }
        return Marker(parser, model)
    }()

    /// Maximum count of a sentence's changes that are parsed, without those of rules.
    private static let maximumParseCount = 12
    /// Maximum count of words that fit nowhere in a parsed sentence.
    private static let maximumMisfits = 2
    /// Maximum count of rules' changes of a sentence.
    private static let maximumRuleCount = 6
    /// Minimum difference between the scores of an article and of another change that would correct the sentence.
    private static let articleMargin = 1.0
    /// The CPU time for a sentence after which no further change is parsed.
    private static let maximumTime = Duration.milliseconds(600)
    /// Maximum difference between the costs of two parses that are equally good.
    private static let costStep = 0.9

    private let parser: LinkParser
    private let model: WordModel
    private let table: EditTable
    /// The cached verdicts of the last sentences, which a review requests several times.
    private let known = Locked<[Key: [Verdict]]>([:])
    private static let maximumKnownCount = 500

    private struct Key: Hashable {
        var units: [Unit]
        var isQuestion: Bool
        var rules: [Edit]
    }

    init(_ parser: LinkParser, _ model: WordModel, _ table: EditTable = .standard) {
        (self.parser, self.model, self.table) = (parser, model, table)
    }

    /// Returns the deadline for the changes of a sentence that is begun now, in CPU time of the calling thread.
    static func deadline() -> Duration { processorTime() + maximumTime }

    /// Returns the right proposals for a sentence, of tables and of rules.
    ///
    /// - Parameter deadline: See ``deadline()``.
    func verdicts(_ sentence: Sentence, _ units: [Unit], rules: [Edit], until deadline: Duration) -> [Verdict] {
        let key = Key(units: units, isQuestion: sentence.isQuestion, rules: rules)
        if let verdicts = known.withLock({ $0[key] }) { return verdicts }
        let verdicts = newVerdicts(sentence, units, rules: rules, until: deadline)
        known.withLock {
            if $0.count >= Self.maximumKnownCount { $0.removeAll() }
            $0[key] = verdicts
        }
        return verdicts
    }

    private func newVerdicts(_ sentence: Sentence, _ units: [Unit], rules: [Edit], until deadline: Duration) -> [Verdict] {
        let right = tried(sentence, units, rules: rules, until: deadline).filter { isRight($0) }
        func result(_ verdict: Verdict) -> [String] {
            units[..<verdict.units.lowerBound].map(\.written) + verdict.words + units[verdict.units.upperBound...].map(\.written)
        }
        // A rule explains a change better than a table.
        let verdicts = right.compactMap { verdict in
            let same = right.filter { result($0) == result(verdict) }
            guard same.contains(where: { $0.edit.kind == .rule }) else { return Optional(verdict) }
            guard verdict.edit.kind == .rule else { return nil }
            var best = verdict
            best.score = same.map(\.score).max() ?? verdict.score
            return best
        }
        return clear(verdicts.sorted { $0.score > $1.score })
    }

    /// Returns the likeliest changes, with the parser's judgements.
    func tried(_ sentence: Sentence, _ units: [Unit], rules: [Edit], until deadline: Duration) -> [Verdict] {
        guard (2...LinkParser.maximumWordCount - 1).contains(units.count), Self.processorTime() < deadline else { return [] }
        let spoken = model.words(units.filter { !$0.isPause }.map { isUnknownName($0) ? Self.name : $0.word })
        // The index of each unit without counting commas, and the count of units without commas.
        var places: [Int] = []
        for unit in units { places.append((places.last ?? -1) + (unit.isPause ? 0 : 1)) }
        places = units.indices.map { units[$0].isPause ? places[$0] + 1 : places[$0] } + [spoken.count]
        let written = units.map(\.written)
        let ending = sentence.isQuestion ? ["?"] : ["."]
        guard let before = fit(of: written + ending, misfits: Self.maximumMisfits) else { return [] }
        var tried: [Verdict] = []
        for edit in Editor(units, sentence, model, table, knows: parser.knows).edits() + rules.prefix(Self.maximumRuleCount) {
            let change = Self.change(units, edit)
            let entry = table.entry(edit.kind)
            let new = model.words(change.words.filter { $0 != "," }.map { $0.lowercased() })
            let gain = model.gain(
                in: spoken, replacing: places[change.units.lowerBound]..<places[change.units.upperBound], with: new)
            let worth = gain - (entry?.cost ?? 0)
            let least = entry.map { self.least($0, before.misfits) } ?? -5
            guard worth >= least else { continue }
            tried.append(Verdict(edit: edit, units: change.units, words: change.words, worth: worth, score: worth - least))
        }
        tried.sort { $0.score > $1.score }
        tried =
            Array(tried.filter { $0.edit.kind != .rule }.prefix(Self.maximumParseCount)) + tried.filter { $0.edit.kind == .rule }
        for index in tried.indices where Self.processorTime() < deadline {
            let range = tried[index].units
            let changed = written[..<range.lowerBound] + tried[index].words + written[range.upperBound...] + ending
            let after = fit(of: Array(changed), misfits: min(before.misfits, Self.maximumMisfits))
            tried[index].parse = Self.parse(before, after)
            tried[index].score = score(tried[index])
        }
        return tried
    }

    /// Removes changes of nouns that both an article and the plural would correct: the learner's intention is then not clear.
    private func clear(_ verdicts: [Verdict]) -> [Verdict] {
        func rivals(_ verdict: Verdict, _ isRival: (Edit) -> Bool) -> Bool {
            verdicts.contains {
                $0.edit != verdict.edit && $0.parse == verdict.parse && $0.score > verdict.score - Self.articleMargin
                    && isRival($0.edit)
            }
        }
        return verdicts.filter { verdict in
            let edit = verdict.edit
            if edit.kind == .insertArticle || edit.ruleName == "article.missing" {
                return !rivals(verdict) {
                    $0.kind == .insertArticle && edit.kind == .insertArticle && $0.units == edit.units
                        || $0.kind == .nounPlural && (0...2).contains($0.units.lowerBound - edit.units.lowerBound)
                }
            }
            return edit.kind != .nounPlural
                || !rivals(verdict) { $0.kind == .insertArticle && (0...2).contains(edit.units.lowerBound - $0.units.lowerBound) }
        }
    }

    /// Parses with "an" before nouns such as "university" and "user": the parser's dictionary chooses the article by the letter.
    private func fit(of words: [String], misfits: Int) -> LinkParser.Fit? {
        var words = words
        for index in words.indices.dropLast(2) where words[index] == "a" {
            let noun = words[index + 1].lowercased()
            let (entry, next) = (
                Lexicon.standard.entry(noun, isCapitalized: false), Lexicon.standard.entry(words[index + 2], isCapitalized: false)
            )
            guard let letter = noun.first, "aeiou".contains(letter), noun != "one", !Rule.startsWithVowelSound(noun),
                !entry.tags.has(.adjective) || entry.tags.has([.noun, .language]), !next.tags.has([.noun, .adjective])
            else { continue }
            words[index] = "an"
        }
        return parser.fit(of: words, misfits: misfits)
    }

    /// A name that the word model has, in place of names that it lacks.
    private static let name = "john"

    private func isUnknownName(_ unit: Unit) -> Bool { unit.written.first?.isUppercase == true && model.word(unit.word) == nil }

    /// Returns the CPU time of the calling thread.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func parse(_ before: LinkParser.Fit, _ after: LinkParser.Fit?) -> Verdict.Parse {
        guard let after else { return .worse }
        if before.misfits > 0 {
            if after.misfits > before.misfits { return .worse }
            return after.misfits == 0 ? .mends : after.misfits < before.misfits ? .improves : .unparsed
        }
        if after.misfits > 0 { return .worse }
        if abs(after.cost - before.cost) <= costStep { return .equal }
        return after.cost < before.cost ? .cheaper : .dearer
    }

    private func isRight(_ verdict: Verdict) -> Bool {
        guard let entry = table.entry(verdict.edit.kind) else {
            let name = verdict.edit.ruleName ?? ""
            if let least = table.exemption(name) { return verdict.parse != .worse && verdict.worth >= least }
            if table.strictRules.contains(name), verdict.parse != .improves, verdict.parse != .mends { return false }
            return switch verdict.parse {
            case .mends, .improves, .unparsed: verdict.worth > -3
            case .cheaper: verdict.worth > 0.5
            case .equal: verdict.worth > 2
            case .dearer: verdict.worth > 5
            case .worse: false
            }
        }
        return verdict.worth >= entry.least[verdict.parse] ?? .infinity
    }

    /// Returns the minimum gain of a right change, over all possible judgements of the parser.
    private func least(_ entry: EditTable.Entry, _ misfits: Int) -> Double {
        let judgements: [Verdict.Parse] = misfits > 0 ? [.mends, .improves, .unparsed] : [.cheaper, .equal]
        return judgements.compactMap { entry.least[$0] }.min() ?? .infinity
    }

    /// Returns the gain above the required one, with a bonus for a better parse.
    private func score(_ verdict: Verdict) -> Double {
        let bonus: Double =
            switch verdict.parse {
            case .mends: 3
            case .improves: 2.5
            case .cheaper: 1
            case .unparsed: 0.5
            case .equal: 0
            case .dearer: -1
            case .worse: -9
            }
        let entry = table.entry(verdict.edit.kind)
        return verdict.worth + bonus + (entry?.preference ?? 0) - (entry?.least[.mends] ?? 1)
    }

    /// Returns the units that a change replaces and their new words, with an article before them whose form depends on the change.
    static func change(_ units: [Unit], _ edit: Edit) -> (units: Range<Int>, words: [String]) {
        let (range, words) = (edit.units, edit.words)
        guard range.lowerBound > 0, edit.kind != .swap, case let article = units[range.lowerBound - 1].word,
            article == "a" || article == "an",
            let next = words.first ?? (range.upperBound < units.count ? units[range.upperBound].word : nil), next != ","
        else { return (range, words) }
        let fitting = Rule.startsWithVowelSound(next.lowercased()) ? "an" : "a"
        return fitting == article ? (range, words) : (range.lowerBound - 1..<range.upperBound, [fitting] + words)
    }
}
