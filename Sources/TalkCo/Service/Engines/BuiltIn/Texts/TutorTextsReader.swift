import Foundation
import TalkCoEnglish
import TalkCoWire
import WireKit

/// A reader of the tutor's text files, which collects their mistakes.
struct TutorTextsReader {
    /// Maximum length of a sentence to read aloud, in words.
    static let maximumChoiceWordCount = 20
    /// Maximum length of an easier question, in words.
    static let maximumEasyWordCount = 12

    let folder: URL
    var problems = TextProblems()
    private var texts = TutorTexts()

    init(folder: URL) { self.folder = folder }

    mutating func read() -> TutorTexts {
        for topic in Topic.all { readTopic(topic.id.rawValue) }
        for name in names(in: "Topics") where Topic.known(.init(String(name.dropLast(4)))) == nil {
            problems.add("there is no topic of this name", in: "Topics/\(name)")
        }
        readWords()
        readPhrases()
        readActs()
        readInquiries()
        readMeanings()
        readFollowUps()
        readDrills()
        readRephrasings()
        readFacts()
        readPatterns()
        texts.collectOffered()
        return texts
    }

    // MARK: Files

    /// Returns the names of the text files in a folder.
    private func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: self.folder.appendingPathComponent(folder).path)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }

    /// Returns the entries of a file. Entries with other keys are mistakes and are omitted.
    private mutating func entries(_ name: String, keys: Set<String>) -> [TextFile.Entry] {
        guard let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) else {
            problems.add("the file cannot be read", in: name)
            return []
        }
        guard data.count <= TextFile.maximumSize else {
            problems.add("the file has more than \(TextFile.maximumSize) bytes", in: name)
            return []
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            problems.add("the file is not UTF-8", in: name)
            return []
        }
        let file = TextFile(name: name, text: text, problems: &problems)
        return file.entries.filter { entry in
            if keys.contains(entry.key) { return true }
            problems.add(
                "unknown key “\(entry.key)”; the keys are \(keys.sorted().joined(separator: ", "))", in: name, line: entry.line)
            return false
        }
    }

    // MARK: Checks

    /// Checks and returns the sentences below an entry.
    private mutating func sentences(
        _ entry: TextFile.Entry, in file: String, count: ClosedRange<Int> = 1...200, names: Set<String> = [],
        areChoices: Bool = false
    ) -> [String] {
        if !count.contains(entry.items.count) {
            let wanted = count.lowerBound == count.upperBound ? "\(count.lowerBound)" : "at least \(count.lowerBound)"
            problems.add(
                "“\(entry.key): \(entry.value)” has \(entry.items.count) sentences below it, not \(wanted)", in: file,
                line: entry.line)
        }
        var seen: Set<String> = []
        for item in entry.items {
            check(item.text, in: file, line: item.line, names: names)
            if !seen.insert(item.text.lowercased()).inserted { problems.add("twice: “\(item.text)”", in: file, line: item.line) }
            let words = ChoiceGrammar.words(of: item.text).count
            if areChoices, words > Self.maximumChoiceWordCount {
                problems.add("\(words) words to read aloud, at most \(Self.maximumChoiceWordCount)", in: file, line: item.line)
            }
        }
        return entry.items.map(\.text)
    }

    /// Checks a sentence of the tutor or of the learner.
    private mutating func check(_ sentence: String, in file: String, line: Int, names: Set<String> = []) {
        if !sentence.contains(where: \.isLetter) { problems.add("a sentence without words", in: file, line: line) }
        if sentence.count > SpokenSentences.maximumLength {
            problems.add(
                "\(sentence.count) characters, more than the \(SpokenSentences.maximumLength) that are spoken at once", in: file,
                line: line)
        }
        if let odd = sentence.first(where: { !($0.isASCII || "“”’…".contains($0)) }) {
            problems.add("“\(odd)” cannot be spoken", in: file, line: line)
        }
        for name in sentence.namesInBraces.subtracting(names).sorted() {
            problems.add("nothing stands for “{\(name)}” here", in: file, line: line)
        }
    }

    /// Checks and returns the value of an entry.
    private mutating func value(_ entry: TextFile.Entry, in file: String, isEnglish: Bool = true, names: Set<String> = []) -> String
    {
        if entry.value.isEmpty {
            problems.add("nothing follows “\(entry.key):”", in: file, line: entry.line)
        } else if isEnglish {
            check(entry.value, in: file, line: entry.line, names: names)
        }
        return entry.value
    }

    private mutating func noItems(_ entry: TextFile.Entry, in file: String) {
        if let item = entry.items.first { problems.add("no sentence belongs to “\(entry.key):”", in: file, line: item.line) }
    }

    /// Splits a list at commas, or at another separator.
    private func list(_ text: String, separator: Character = ",") -> [String] {
        text.split(separator: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// Returns groups of entries, each by key: one with the first key, followed by one of each other key.
    private mutating func groups(
        _ file: String, _ first: String, _ others: [String], optional: Set<String> = []
    ) -> [[String: TextFile.Entry]] {
        var groups: [[String: TextFile.Entry]] = []
        for entry in entries(file, keys: Set([first] + others).union(optional)) {
            if entry.key == first {
                groups.append([first: entry])
            } else if groups.last?[first] == nil {
                problems.add("“\(entry.key):” needs “\(first):” above it", in: file, line: entry.line)
            } else if groups[groups.count - 1].updateValue(entry, forKey: entry.key) != nil {
                problems.add("a second “\(entry.key):”", in: file, line: entry.line)
            }
        }
        return groups.filter { group in
            guard let line = group[first]?.line else { return false }
            let missing = others.filter { group[$0] == nil }
            for key in missing { problems.add("“\(key):” is missing below this", in: file, line: line) }
            return missing.isEmpty
        }
    }

    // MARK: Topics

    private mutating func readTopic(_ id: String) {
        let file = "Topics/\(id).txt"
        var script = TopicScript(subject: "", questions: [])
        var asked: Set<String> = []
        var (isComplete, line) = (true, 0)
        func incomplete(_ problems: inout TextProblems) {
            if !isComplete { problems.add("the question has no “easier:” with answers", in: file, line: line) }
        }
        for entry in entries(file, keys: ["subject", "question", "known", "easier", "follow-up", "on"]) {
            if ["question", "easier", "follow-up"].contains(entry.key) {
                let question = value(entry, in: file)
                if !asked.insert(question.lowercased()).inserted {
                    problems.add("asked twice: “\(question)”", in: file, line: entry.line)
                }
            }
            if !["easier", "on"].contains(entry.key) { noItems(entry, in: file) }
            if entry.key != "subject", entry.key != "question", script.questions.isEmpty {
                problems.add("“\(entry.key):” needs “question:” above it", in: file, line: entry.line)
                continue
            }
            let last = script.questions.count - 1
            switch entry.key {
            case "subject":
                if !script.subject.isEmpty { problems.add("a second “subject:”", in: file, line: entry.line) }
                script.subject = value(entry, in: file)
            case "question":
                incomplete(&problems)
                (isComplete, line) = (false, entry.line)
                script.questions.append(Question(ask: entry.value, easier: "", answers: [], followUps: [], known: []))
            case "known":
                script.questions[last].known += list(entry.value).map { $0.lowercased() }
            case "easier":
                if isComplete { problems.add("a second “easier:”", in: file, line: entry.line) }
                let words = ChoiceGrammar.words(of: entry.value).count
                if words > Self.maximumEasyWordCount {
                    problems.add(
                        "\(words) words, too many for beginners; at most \(Self.maximumEasyWordCount)", in: file, line: entry.line)
                }
                script.questions[last].easier = entry.value
                script.questions[last].answers = sentences(entry, in: file, count: 3...3, areChoices: true)
                isComplete = true
            case "follow-up":
                incomplete(&problems)
                if let open = script.questions[last].followUps.last, open.answers.isEmpty {
                    problems.add("the follow-up above has no “on:”", in: file, line: entry.line)
                }
                script.questions[last].followUps.append(FollowUp(trigger: .init(), ask: entry.value, answers: []))
            default:
                let index = script.questions[last].followUps.count - 1
                guard index >= 0, script.questions[last].followUps[index].answers.isEmpty else {
                    problems.add("“on:” needs “follow-up:” above it", in: file, line: entry.line)
                    continue
                }
                script.questions[last].followUps[index].trigger = trigger(entry, in: file)
                script.questions[last].followUps[index].answers = sentences(entry, in: file, count: 3...3, areChoices: true)
            }
        }
        incomplete(&problems)
        if let open = script.questions.last?.followUps.last, open.answers.isEmpty {
            problems.add("the last follow-up has no “on:” with answers", in: file)
        }
        if script.subject.isEmpty { problems.add("“subject:” is missing", in: file) }
        if script.questions.count < 4 { problems.add("\(script.questions.count) questions, at least 4", in: file) }
        texts.topics[id] = script
    }

    private mutating func trigger(_ entry: TextFile.Entry, in file: String) -> FollowUp.Trigger {
        var trigger = FollowUp.Trigger()
        for word in entry.value.split(separator: " ").map(String.init) {
            switch word {
            case "yes": trigger.yes = true
            case "no": trigger.no = true
            case "anything": trigger.anything = true
            default:
                if ChoiceGrammar.words(of: word) != [word] {
                    problems.add("“\(word)” is no word in small letters", in: file, line: entry.line)
                }
                if !trigger.words.insert(word).inserted { problems.add("twice: “\(word)”", in: file, line: entry.line) }
            }
        }
        if trigger == FollowUp.Trigger() { problems.add("nothing follows “on:”", in: file, line: entry.line) }
        return trigger
    }

    // MARK: Words

    private mutating func readWords() {
        let file = "words.txt"
        for entry in entries(file, keys: ["words"]) {
            guard let kind = Detail(rawValue: entry.value), kind.isListed else {
                let kinds = Detail.allCases.filter(\.isListed).map(\.rawValue)
                problems.add(
                    "unknown kind “\(entry.value)”; the kinds are \(kinds.joined(separator: ", "))", in: file, line: entry.line)
                continue
            }
            for item in entry.items {
                for form in list(item.text).flatMap(Self.forms) {
                    // "the book" is a noun after a determiner; "the Philippines" is a name.
                    let needsDeterminer = form.hasPrefix("the ") && form.dropFirst(4).first?.isLowercase == true
                    let spelling = needsDeterminer ? String(form.dropFirst(4)) : form
                    let key = ChoiceGrammar.words(of: spelling).joined(separator: " ")
                    if key.isEmpty || key.split(separator: " ").count > LearnerTurn.maximumPhraseLength {
                        problems.add("“\(spelling)” is no word", in: file, line: item.line)
                    } else if let other = texts.words[key] {
                        // A word in several lists has the kind of the first list.
                        if other.kind == kind { problems.add("twice: “\(spelling)”", in: file, line: item.line) }
                    } else {
                        texts.words[key] = ListedWord(kind: kind, spelling: spelling, needsDeterminer: needsDeterminer)
                    }
                }
            }
        }
        // A file that cannot be read counts as one mistake.
        for kind in Detail.allCases
        where !texts.words.isEmpty && kind.isListed && !texts.words.values.contains(where: { $0.kind == kind }) {
            problems.add("there are no words of the kind “\(kind.rawValue)”", in: file)
        }
    }

    /// Expands "dog(s)" to "dog" and "dogs".
    private static func forms(_ word: String) -> [String] {
        word.hasSuffix("(s)") ? [String(word.dropLast(3)), word.dropLast(3) + "s"] : [word]
    }

    // MARK: Phrases

    private mutating func readPhrases() {
        let file = "phrases.txt"
        for entry in entries(file, keys: ["phrase"]) {
            guard let phrase = Phrase(rawValue: entry.value) else {
                problems.add("unknown phrase “\(entry.value)”", in: file, line: entry.line)
                continue
            }
            if texts.phrases[phrase] != nil { problems.add("a second list “\(entry.value)”", in: file, line: entry.line) }
            for item in entry.items {
                for name in phrase.required.subtracting(item.text.namesInBraces).sorted() {
                    problems.add("“{\(name)}” is missing", in: file, line: item.line)
                }
            }
            let count = phrase.isChoices ? 2...4 : 1...200
            texts.phrases[phrase] = sentences(
                entry, in: file, count: count, names: phrase.allowed, areChoices: phrase.isChoices)
        }
        for phrase in Phrase.allCases where !texts.phrases.isEmpty && texts.phrases[phrase] == nil {
            problems.add("“phrase: \(phrase.rawValue)” is missing", in: file)
        }
    }

    private mutating func readActs() {
        let file = "acts.txt"
        for entry in entries(file, keys: ["act"]) {
            guard let act = Act(rawValue: entry.value) else {
                problems.add("unknown act “\(entry.value)”", in: file, line: entry.line)
                continue
            }
            if texts.acts[act] != nil { problems.add("a second list “\(entry.value)”", in: file, line: entry.line) }
            texts.acts[act] = patterns(sentences(entry, in: file), in: file, line: entry.line)
        }
        for act in Act.allCases where !texts.acts.isEmpty && texts.acts[act] == nil {
            problems.add("“act: \(act.rawValue)” is missing", in: file)
        }
    }

    /// Checks that phrases are spelled like the words of a turn. A leading "=" stays.
    private mutating func patterns(_ phrases: [String], in file: String, line: Int) -> [String] {
        for phrase in phrases {
            let words = phrase.hasPrefix("=") ? String(phrase.dropFirst()) : phrase
            if ChoiceGrammar.words(of: words).joined(separator: " ") != words {
                problems.add("“\(phrase)” needs small letters without punctuation", in: file, line: line)
            }
        }
        return phrases
    }

    private mutating func readInquiries() {
        let file = "inquiries.txt"
        for group in groups(file, "inquiry", [], optional: ["phrase", "question"]) {
            let (phrase, question) = (group["phrase"], group["question"])
            guard let answers = [question, phrase].compactMap({ $0 }).max(by: { $0.line < $1.line }) else {
                problems.add("“phrase:” or “question:” is missing below this", in: file, line: group["inquiry"]?.line)
                continue
            }
            texts.inquiries.append(
                Inquiry(
                    phrases: patterns(list(phrase?.value ?? "", separator: ";"), in: file, line: answers.line),
                    questions: patterns(list(question?.value ?? "", separator: ";"), in: file, line: answers.line),
                    answers: sentences(answers, in: file)))
        }
        if texts.inquiries.isEmpty { problems.add("there are no entries", in: file) }
    }

    private mutating func readMeanings() {
        let file = "meanings.txt"
        for entry in entries(file, keys: ["meaning"]) {
            let word = value(entry, in: file).lowercased()
            guard let meaning = sentences(entry, in: file, count: 1...1).first else { continue }
            if texts.meanings.updateValue(meaning, forKey: word) != nil {
                problems.add("twice: “\(word)”", in: file, line: entry.line)
            }
        }
    }

    private mutating func readFollowUps() {
        let file = "follow-ups.txt"
        var kind: Detail?
        var asked: Set<String> = []
        for entry in entries(file, keys: ["kind", "follow-up"]) {
            if entry.key == "kind" {
                noItems(entry, in: file)
                kind = Detail(rawValue: entry.value)
                if kind == nil { problems.add("unknown kind “\(entry.value)”", in: file, line: entry.line) }
            } else if let kind {
                let ask = value(entry, in: file, names: ["it"])
                if !asked.insert("\(kind) \(ask)").inserted { problems.add("asked twice: “\(ask)”", in: file, line: entry.line) }
                texts.followUps[kind, default: []].append(
                    FollowUp(
                        trigger: .init(anything: true), ask: ask,
                        answers: sentences(entry, in: file, count: 3...3, areChoices: true)))
            } else {
                problems.add("“follow-up:” needs a known “kind:” above it", in: file, line: entry.line)
            }
        }
    }

    // MARK: The judge's texts

    private mutating func readDrills() {
        let file = "drills.txt"
        for group in groups(file, "wrong", ["right"]) {
            guard let wrong = group["wrong"], let right = group["right"] else { continue }
            let drill = Drill(wrong: value(wrong, in: file), correct: value(right, in: file))
            if ChoiceGrammar.words(of: drill.wrong) == ChoiceGrammar.words(of: drill.correct) {
                problems.add("the right sentence has the same words", in: file, line: right.line)
            }
            if texts.drills.contains(drill) { problems.add("twice: “\(drill.wrong)”", in: file, line: wrong.line) }
            texts.drills.append(drill)
        }
        if texts.drills.isEmpty { problems.add("there are no entries", in: file) }
    }

    private mutating func readRephrasings() {
        let file = "rephrasings.txt"
        for group in groups(file, "phrase", ["other"], optional: ["unless"]) {
            guard let phrase = group["phrase"], let other = group["other"] else { continue }
            let rephrasing = Rephrasing(
                phrase: value(phrase, in: file), other: value(other, in: file),
                unless: Set(list(group["unless"]?.value ?? "").map { $0.lowercased() }))
            if texts.rephrasings.contains(where: { $0.phrase == rephrasing.phrase }) {
                problems.add("twice: “\(rephrasing.phrase)”", in: file, line: phrase.line)
            }
            texts.rephrasings.append(rephrasing)
        }
    }

    private mutating func readFacts() {
        let file = "facts.txt"
        var phrase: TextFile.Entry?
        for entry in entries(file, keys: ["phrase", "fact", "end"]) {
            switch entry.key {
            case "end": texts.facts.ends.formUnion(entry.items.flatMap { list($0.text) })
            case "phrase":
                if let phrase { problems.add("“fact:” is missing below this", in: file, line: phrase.line) }
                phrase = entry
            default:
                guard let open = phrase else {
                    problems.add("“fact:” needs “phrase:” above it", in: file, line: entry.line)
                    continue
                }
                phrase = nil
                let words = ChoiceGrammar.words(of: value(open, in: file))
                texts.facts.phrases.append((words, value(entry, in: file)))
            }
        }
        if let phrase { problems.add("“fact:” is missing below this", in: file, line: phrase.line) }
    }

    private mutating func readPatterns() {
        let file = "patterns.txt"
        var open: (key: String, name: TextFile.Entry, title: String?)?
        for entry in entries(file, keys: ["rule", "family", "kind", "title", "english"]) {
            switch entry.key {
            case "title": open?.title = value(entry, in: file, isEnglish: false)
            case "english":
                guard let pattern = open, let title = pattern.title else {
                    problems.add("“english:” needs “rule:”, “family:” or “kind:” and “title:” above it", in: file, line: entry.line)
                    continue
                }
                open = nil
                let name = value(pattern.name, in: file)
                let added = texts.patterns.add(
                    RulePattern(title: title, english: value(entry, in: file)), pattern.key, name)
                if !added { problems.add("unknown or twice: “\(name)”", in: file, line: pattern.name.line) }
            default:
                if let open { problems.add("“title:” or “english:” is missing below this", in: file, line: open.name.line) }
                open = (entry.key, entry, nil)
            }
        }
        if let open { problems.add("“title:” or “english:” is missing below this", in: file, line: open.name.line) }
        for kind in [FindingKind.grammar, .naturalness, .vocabulary, .sentenceStructure] where texts.patterns.kinds[kind] == nil {
            problems.add("“kind: \(kind.rawValue)” is missing", in: file)
        }
    }
}
