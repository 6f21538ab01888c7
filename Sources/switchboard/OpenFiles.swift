import Foundation

/// How many files and sockets the process may have open.
enum OpenFiles {
    /// More than a box needs; beyond that the kernel's memory for sockets is the limit.
    private static let enough: rlim_t = 65_536
    /// For databases, logs, listeners and what libraries keep open.
    private static let reserve = 64

    /// Raises the usual limit (1,024) as far as the system allows.
    ///
    /// - Returns: How many connections there is then room for, at least 16.
    static func makeRoom() -> Int {
        #if os(Linux)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return 16 }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, enough))
        setrlimit(files, &limit)
        return max(16, Int(min(limit.rlim_cur, enough)) - reserve)
    }
}
