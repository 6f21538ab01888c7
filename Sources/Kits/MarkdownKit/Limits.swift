/// The limits that keep hostile text harmless. Text over a limit stays visible, with less structure.
enum Limits {
    /// The longest paragraph, heading, table row, or line, in UTF-8 bytes. The rest becomes another paragraph. A line of code is not divided.
    static let textLength = 16 * 1024
    /// The length of a top-level block, in UTF-8 bytes, after which its next line begins another one.
    static let blockLength = 64 * 1024
    /// The same limit while a fence is open. Code costs less to show again than items and rows.
    static let codeLength = 1024 * 1024
    /// The number of blocks in a section.
    static let sectionLength = 32
    /// The deepest nesting of quotes and list items.
    static let depth = 16
    static let columnCount = 64
    static let runCount = 1000
    /// The longest language of a code block, in UTF-8 bytes.
    static let languageLength = 64
}
