/// The limits that keep hostile text harmless. Text over a limit stays visible, with less structure.
enum Limits {
    /// Maximum length of a paragraph, heading, table row or line, in UTF-8 bytes. The rest becomes a paragraph; code stays whole.
    static let textLength = 16 * 1024
    /// Maximum length of a top-level block, in UTF-8 bytes; the next line then begins another block.
    static let blockLength = 64 * 1024
    /// Maximum length of a block while a fence is open, in UTF-8 bytes. Code costs less to show again than items and rows.
    static let codeLength = 1024 * 1024
    /// Count of blocks in a full section.
    static let sectionLength = 32
    /// Maximum nesting of quotes and list items.
    static let depth = 16
    static let columnCount = 64
    static let runCount = 1000
    /// Maximum length of the language of a code block, in UTF-8 bytes.
    static let languageLength = 64
}
