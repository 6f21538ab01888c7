import Foundation

/// The limit of open files and sockets of this process.
enum OpenFiles {
    /// Count of files that are reserved for databases, logs, listeners and libraries.
    private static let reserve = 64

    /// Maximum connections that fit, from 16 to 65,536.
    static var maximumConnections: Int {
        // -1 means no limit.
        let limit = Int(sysconf(Int32(_SC_OPEN_MAX)))
        return limit < 0 ? 65_536 : min(max(16, limit - reserve), 65_536)
    }
}
