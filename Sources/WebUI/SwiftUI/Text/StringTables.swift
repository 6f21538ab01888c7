import Synchronization

/// The `.strings` tables of bundles, read once.
///
/// Foundation's lookup on Linux uses the language of the process. Here each phone has its own language.
enum StringTables {
    private struct Place: Hashable {
        var folder: URL
        var table: String
    }
    private static let known = Mutex<[Place: [String: String]]>([:])
    private static let folders = Mutex<[URL: [String: URL]]>([:])

    private struct Request: Hashable {
        var bundle: URL
        var table: String
        var languages: [String]
    }
    /// The tables chosen for earlier requests, so that each text takes one look-up.
    private static let chosen = Mutex<[Request: [String: String]]>([:])
    /// Maximum requests in ``chosen``, since browsers choose the languages. At the limit all are removed.
    static let maximumChosenCount = 256
    static var chosenCount: Int { chosen.withLock { $0.count } }

    /// Returns the text for `key` in the first of `languages` that `bundle` has; nil if there is none.
    static func text(for key: String, table: String, bundle: Bundle?, languages: [String]) -> String? {
        guard let bundle else { return nil }
        let request = Request(bundle: bundle.bundleURL, table: table, languages: languages)
        if let known = chosen.withLock({ $0[request] }) { return known[key] }
        let strings = strings(request, in: languageFolders(of: bundle))
        chosen.withLock { chosen in
            if chosen.count >= maximumChosenCount { chosen = [:] }
            chosen[request] = strings
        }
        return strings[key]
    }

    /// Returns the table of the first requested language in `available`, else the English one; empty if there is neither.
    private static func strings(_ request: Request, in available: [String: URL]) -> [String: String] {
        let folder =
            request.languages.lazy.compactMap { find($0, in: available) }.first ?? available[fallbackLanguage] ?? available["base"]
        return folder.map { strings(Place(folder: $0, table: request.table)) } ?? [:]
    }

    /// The language for bundles that have none of the preferred languages.
    private static let fallbackLanguage = "en"

    /// Returns those of `languages` that `bundle` has, in order; if none, English with the region of the first, for dates.
    static func languages(_ languages: [String], of bundle: Bundle) -> [String] {
        let available = languageFolders(of: bundle)
        let common = languages.filter { find($0, in: available) != nil }
        guard common.isEmpty else { return common }
        let region = languages.first.flatMap { Locale(identifier: $0).region?.identifier }
        return [region.map { "\(fallbackLanguage)-\($0)" } ?? fallbackLanguage]
    }

    /// Returns the folder for a language, nil if there is none: `ko` also serves `ko-KR`, and `zh-Hant` serves `zh-TW`.
    private static func find(_ language: String, in available: [String: URL]) -> URL? {
        languageNames(language).lazy.compactMap { available[$0] }.first
    }

    /// Returns the `.lproj` folders by lower-case language. Some builds change the case of folder names.
    private static func languageFolders(of bundle: Bundle) -> [String: URL] {
        let root = bundle.bundleURL
        return folders.withLock { folders in
            if let known = folders[root] { return known }
            // The folder of one language, as a bundle of its own.
            if root.pathExtension.lowercased() == "lproj" { return ["base": root] }
            let contents = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
            let found = Dictionary(
                contents.filter { $0.pathExtension.lowercased() == "lproj" }
                    .map { ($0.deletingPathExtension().lastPathComponent.lowercased(), $0) },
                uniquingKeysWith: { first, _ in first })
            folders[root] = found
            return found
        }
    }

    private static func strings(_ place: Place) -> [String: String] {
        known.withLock { known in
            if let strings = known[place] { return strings }
            let file = place.folder.appendingPathComponent(place.table + ".strings")
            let data = try? Data(contentsOf: file)
            let list = data.flatMap { try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil) }
            let strings = list as? [String: String] ?? [:]
            known[place] = strings
            return strings
        }
    }
}
