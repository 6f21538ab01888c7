import Foundation

#if os(Linux)
    import CLinkGrammar
    import WireKit

    /// The parser of English sentences: Link Grammar with the dictionary of Debian's `link-grammar-dictionaries-en`.
    ///
    /// One sentence at a time: the dictionary and the options are used under a lock.
    final class LinkParser: Sendable {
        /// The quality of a sentence's best parse; the smaller the better.
        struct Fit: Hashable, Sendable, Comparable {
            /// Count of words that fit nowhere; one above the parser's limit if there are more.
            var misfits: Int
            /// The cost of the rare uses of words in the best parse.
            var cost: Double

            static func < (one: Fit, other: Fit) -> Bool { (one.misfits, one.cost) < (other.misfits, other.cost) }
        }

        /// Maximum length of a sentence, in words.
        static let maximumWordCount = 40
        /// Maximum length of a word, in bytes.
        static let maximumWordLength = 40
        private static let maximumSeconds: CInt = 1
        private static let maximumLinkages: CInt = 100

        // The pointers are used under the lock only, and freed once, when the parser is released.
        private struct State: @unchecked Sendable {
            var dictionary: Dictionary
            var options: Parse_Options
        }
        private typealias Dictionary = CLinkGrammar.Dictionary
        private let state: Locked<State>

        /// Creates the parser; nil if the dictionary is not installed.
        init?() {
            // The library writes to standard error otherwise.
            lg_error_set_handler(nil, nil)
            guard let dictionary = dictionary_create_lang("en") else { return nil }
            guard let options = parse_options_create() else {
                dictionary_delete(dictionary)
                return nil
            }
            parse_options_set_verbosity(options, 0)
            parse_options_set_max_parse_time(options, Self.maximumSeconds)
            parse_options_set_linkage_limit(options, Self.maximumLinkages)
            parse_options_set_spell_guess(options, 0)
            parse_options_set_repeatable_rand(options, true)
            parse_options_set_islands_ok(options, false)
            state = Locked(State(dictionary: dictionary, options: options))
        }

        deinit {
            state.withLock {
                parse_options_delete($0.options)
                dictionary_delete($0.dictionary)
            }
        }

        /// Parses a sentence: words of ASCII letters, digits, apostrophes and hyphens, commas, and a mark at the end.
        ///
        /// - Parameter misfits: The maximum count of words that fit nowhere.
        /// - Returns: Nil for a sentence that is too long, or takes too long.
        func fit(of words: [String], misfits: Int) -> Fit? {
            guard !words.isEmpty, words.count <= Self.maximumWordCount, words.allSatisfy(Self.isPlain) else { return nil }
            return state.withLock { state in
                guard let sentence = sentence_create(words.joined(separator: " "), state.dictionary) else { return nil }
                defer { sentence_delete(sentence) }
                parse_options_reset_resources(state.options)
                guard sentence_split(sentence, state.options) == 0 else { return nil }
                parse_options_set_min_null_count(state.options, 0)
                parse_options_set_max_null_count(state.options, CInt(misfits))
                let count = sentence_parse(sentence, state.options)
                if parse_options_resources_exhausted(state.options) || count < 0 { return nil }
                guard count > 0, sentence_num_valid_linkages(sentence) > 0 else {
                    return Fit(misfits: misfits + 1, cost: 0)
                }
                return Fit(
                    misfits: Int(sentence_null_count(sentence)), cost: Double(sentence_disjunct_cost(sentence, 0)))
            }
        }

        /// Returns true for a word of the dictionary itself, not of one of its patterns.
        func knows(_ word: String) -> Bool {
            guard Self.isPlain(word) else { return false }
            return state.withLock { state in
                guard let nodes = dictionary_lookup_list(state.dictionary, word) else { return false }
                free_lookup_list(state.dictionary, nodes)
                return true
            }
        }

        /// Returns true for a word that the parser may get: the C library gets outside text as short words of harmless bytes only.
        private static func isPlain(_ word: String) -> Bool {
            word.utf8.count <= maximumWordLength && !word.isEmpty
                && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "'-,.?!:%".utf8.contains($0) }
        }
    }
#else
    /// The parser on other platforms, which is never available.
    final class LinkParser: Sendable {
        struct Fit: Hashable, Sendable, Comparable {
            var misfits: Int
            var cost: Double

            static func < (one: Fit, other: Fit) -> Bool { (one.misfits, one.cost) < (other.misfits, other.cost) }
        }

        static let maximumWordCount = 40

        init?() { nil }

        func fit(of words: [String], misfits: Int) -> Fit? { nil }

        func knows(_ word: String) -> Bool { false }
    }
#endif
