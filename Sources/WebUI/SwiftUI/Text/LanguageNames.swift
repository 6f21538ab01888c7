/// Returns the names under which the texts for a language may be stored, best first and in lower case: `ko-kr`, `ko`.
///
/// Chinese has two scripts, which do not replace each other. A tag without a script stands for the script of its region:
/// traditional in Taiwan, Hong Kong and Macau, otherwise simplified, as for plain `zh`.
package func languageNames(_ tag: String) -> [String] {
    let tag = tag.lowercased().replacing("_", with: "-")
    let parts = tag.split(separator: "-")
    guard parts.first == "zh" else { return prefixes(of: parts) }
    let isTraditional = parts.contains("hant") || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
    let script: Substring = isTraditional ? "hant" : "hans"
    let names = prefixes(of: ["zh", script] + parts.dropFirst().filter { $0 != script }).dropLast()
    return [tag] + names + (isTraditional ? [] : ["zh"])
}

/// Returns the name with all parts, then the shorter names without the last parts.
private func prefixes(of parts: [Substring]) -> [String] {
    (0..<parts.count).map { parts.dropLast($0).joined(separator: "-") }
}
