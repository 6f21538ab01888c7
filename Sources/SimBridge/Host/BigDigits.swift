/// Digits five lines high, for a code that is readable across a room.
enum BigDigits {
    /// The rows of each digit, with three cells each. A cell is two characters wide.
    private static let shapes: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    ]

    /// Returns the digits of `code` in large type, and as plain text for screen readers and copying.
    static func text(_ code: String) -> String {
        let rows = (0..<5).map { row in
            "    "
                + code.compactMap { shapes[$0]?[row] }
                .map { $0.map { $0 == "#" ? "██" : "  " }.joined() }
                .joined(separator: "   ")
        }
        return (rows + ["", "    \(code.map(String.init).joined(separator: " "))"]).joined(separator: "\n")
    }
}
