import Foundation

/// How many files and sockets the process may have open.
enum OpenFiles {
    /// For databases, logs, listeners and what libraries keep open.
    private static let reserve = 64

    /// How many connections there is room for: at least 16, at most 65,536.
    static var roomForConnections: Int {
        // Without a limit the answer is -1.
        let limit = Int(sysconf(Int32(_SC_OPEN_MAX)))
        return limit < 0 ? 65_536 : min(max(16, limit - reserve), 65_536)
    }
}
