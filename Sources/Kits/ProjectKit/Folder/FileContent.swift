/// The beginning of a file, or all of it.
public struct FileContent: Hashable, Sendable {
    public enum Encoding: String, Hashable, Sendable {
        /// Valid UTF-8 without NUL.
        case utf8
        case binary
    }

    /// The maximum number of bytes read without `full`: 1 MiB.
    public static let previewSize = 1 << 20
    /// The maximum number of bytes read with `full`: 20 MiB.
    public static let maximumSize = 20 << 20

    public var path: String
    /// The size of the whole file in bytes.
    public var size: Int64
    /// Decided by the bytes that were read.
    public var encoding: Encoding
    /// nil if the file is binary. Cut between two Unicode scalars if ``truncated``.
    public var content: String?
    /// True if the file has more bytes than were read.
    public var truncated: Bool
}
