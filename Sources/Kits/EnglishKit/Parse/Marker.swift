import Foundation
import Synchronization

/// A proposal with what the parser and the word model say of it.
struct Verdict: Sendable {
    /// The parser's judgement on a change.
    enum Parse: Sendable {
        /// More words fit.
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
    /// The replaced words and those in their place: the change, with an article that follows it.
    var units: Range<Int>
    var words: [String]
    /// The gain in the logarithm of the sentence's probability, without what changes of this kind gain anyway.
    var worth: Double
    var parse = Parse.worse
    /// Decides between proposals.
    var score = 0.0
}

/// Weighs changes of a sentence with the parser and the word model.
final class Marker: Sendable {
    /// The marker of this machine; nil where the parser's dictionary or the word model is not installed.
    static let installed: Marker? = {
        guard let parser = LinkParser(), let model = try? WordModel(path: WordModel.debianPath) else { return nil }
        return Marker(parser, model)
    }()

    /// Most changes of a sentence that are parsed, rules' apart.
    private static let maximumParseCount = 8
    /// Of rules.
    private static let maximumRuleCount = 6
    /// The least difference between the scores of an article and what else would mend the sentence.
    private static let articleMargin = 1.0
    /// The processor time for a sentence after which no further change is parsed.
    private static let maximumTime = Duration.milliseconds(600)
    /// A cost of the parse that differs by less is as good.
    private static let costStep = 0.9

    private let parser: LinkParser
    private let model: WordModel
    private let table: EditTable
    /// The verdicts of the last sentences: a review asks for the same ones several times.
    private let known = Mutex<[Key: [Verdict]]>([:])
    private static let maximumKnownCount = 500

    private struct Key: Hashable {
        var units: [Unit]
        var isQuestion: Bool
        var rules: [Edit]
    }

    init(_ parser: LinkParser, _ model: WordModel, _ table: EditTable = .standard) {
        (self.parser, self.model, self.table) = (parser, model, table)
    }

    /// The proposals for a sentence: the changes that tables give, and those of rules.
    func verdicts(_ sentence: Sentence, _ units: [Unit], rules: [Edit]) -> [Verdict] {
        let key = Key(units: units, isQuestion: sentence.isQuestion, rules: rules)
        if let verdicts = known.withLock({ $0[key] }) { return verdicts }
        let verdicts = newVerdicts(sentence, units, rules: rules)
        known.withLock {
            if $0.count >= Self.maximumKnownCount { $0.removeAll() }
            $0[key] = verdicts
        }
        return verdicts
    }

    private func newVerdicts(_ sentence: Sentence, _ units: [Unit], rules: [Edit]) -> [Verdict] {
        guard (2...LinkParser.maximumWordCount - 1).contains(units.count) else { return [] }
        let spoken = model.words(units.filter { !$0.isPause }.map(\.word))
        // The index of each unit among those that are no commas, and the number of these.
        var places: [Int] = []
        for unit in units { places.append((places.last ?? -1) + (unit.isPause ? 0 : 1)) }
        places = units.indices.map { units[$0].isPause ? places[$0] + 1 : places[$0] } + [spoken.count]
        let written = units.map(\.written)
        let ending = sentence.isQuestion ? ["?"] : ["."]
        let deadline = Self.processorTime() + Self.maximumTime
        guard let before = parser.fit(of: written + ending, misfits: 1) else { return [] }
        var tried: [Verdict] = []
        for edit in Editor(units, sentence, model, table).edits() + rules.prefix(Self.maximumRuleCount) {
            let change = Self.change(units, edit)
            let entry = table.entry(edit.kind)
            let new = model.words(change.words.filter { $0 != "," }.map { $0.lowercased() })
            let gain = model.gain(
                in: spoken, replacing: places[change.units.lowerBound]..<places[change.units.upperBound], with: new)
            let worth = gain - (entry?.cost ?? 0)
            // Without a better parse, a change needs a higher gain.
            let least = entry.map { before.misfits > 0 ? $0.least : min($0.least + table.cheaperMargin, $0.alone ?? .infinity) }
            if worth >= least ?? -5 { tried.append(Verdict(edit: edit, units: change.units, words: change.words, worth: worth)) }
        }
        tried.sort { $0.worth > $1.worth }
        tried =
            Array(tried.filter { $0.edit.kind != .rule }.prefix(Self.maximumParseCount)) + tried.filter { $0.edit.kind == .rule }
        for index in tried.indices where Self.processorTime() < deadline {
            let range = tried[index].units
            let changed = written[..<range.lowerBound] + tried[index].words + written[range.upperBound...] + ending
            let after = parser.fit(of: Array(changed), misfits: before.misfits > 1 ? 1 : 0)
            tried[index].parse = Self.parse(before, after)
            tried[index].score = score(tried[index])
        }
        return clear(tried.filter { isRight($0) }.sorted { $0.score > $1.score })
    }

    /// Without missing articles that a plural, or the other article, mends as well: what the learner wanted to say is then not clear.
    private func clear(_ verdicts: [Verdict]) -> [Verdict] {
        verdicts.filter { verdict in
            guard verdict.edit.kind == .insertArticle else { return true }
            return !verdicts.contains {
                $0.edit != verdict.edit && $0.parse == verdict.parse && $0.score > verdict.score - Self.articleMargin
                    && ($0.edit.kind == .insertArticle && $0.edit.units == verdict.edit.units
                        || $0.edit.kind == .nounPlural
                            && (0...2).contains($0.edit.units.lowerBound - verdict.edit.units.lowerBound))
            }
        }
    }

    /// Of the calling thread.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func parse(_ before: LinkParser.Fit, _ after: LinkParser.Fit?) -> Verdict.Parse {
        guard let after else { return .worse }
        if before.misfits > 0 { return after.misfits < before.misfits ? .improves : .unparsed }
        if after.misfits > 0 { return .worse }
        if abs(after.cost - before.cost) <= costStep { return .equal }
        return after.cost < before.cost ? .cheaper : .dearer
    }

    private func isRight(_ verdict: Verdict) -> Bool {
        guard let entry = table.entry(verdict.edit.kind) else {
            let name = verdict.edit.ruleName ?? ""
            if let least = table.exemptRules[name] { return verdict.parse != .worse && verdict.worth >= least }
            if table.strictRules.contains(name), verdict.parse != .improves { return false }
            return switch verdict.parse {
            case .improves, .unparsed: verdict.worth > -3
            case .cheaper: verdict.worth > 2
            case .equal: verdict.worth > 4.5
            case .dearer: verdict.worth > 6
            case .worse: false
            }
        }
        return switch verdict.parse {
        case .improves: verdict.worth >= entry.least
        case .unparsed: entry.needsParse != true && verdict.worth >= entry.least + table.unparsedMargin
        case .cheaper: entry.needsParse != true && verdict.worth >= min(entry.least + table.cheaperMargin, entry.alone ?? .infinity)
        case .equal: verdict.worth >= entry.alone ?? .infinity
        case .dearer, .worse: false
        }
    }

    private func score(_ verdict: Verdict) -> Double {
        let bonus: Double =
            switch verdict.parse {
            case .improves: 3
            case .cheaper: 1
            case .unparsed: 0.5
            case .equal: 0
            case .dearer: -1
            case .worse: -9
            }
        return verdict.worth + bonus - (table.entry(verdict.edit.kind)?.least ?? 1)
    }

    /// The units that a change replaces, and the words in their place: with the article before them, if it follows the sound of the next word.
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
