import Foundation

/// The system's sockets. Glibc and Darwin declare the constants with different types, and have different ways to avoid `SIGPIPE`.
package enum Sockets {
    #if os(Linux)
        /// `SOCK_STREAM`.
        package static let stream = CInt(SOCK_STREAM.rawValue)
        /// `SOCK_DGRAM`.
        package static let datagram = CInt(SOCK_DGRAM.rawValue)
        /// The flags of `send` to an end of ``pair()``.
        package static let sendFlags = CInt(MSG_NOSIGNAL)
    #else
        /// `SOCK_STREAM`.
        package static let stream = SOCK_STREAM
        /// `SOCK_DGRAM`.
        package static let datagram = SOCK_DGRAM
        /// The flags of `send` to an end of ``pair()``.
        package static let sendFlags: CInt = 0
    #endif

    /// Creates two connected stream sockets, which child programs do not inherit. Unlike a write to a pipe, a `send` with
    /// ``sendFlags`` to a closed other end fails without a signal.
    ///
    /// - Returns: nil on failure, with the code in `errno`.
    package static func pair() -> (CInt, CInt)? {
        var ends: [CInt] = [0, 0]
        #if os(Linux)
            guard socketpair(AF_UNIX, stream | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
        #else
            guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return nil }
            var on: CInt = 1
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
            }
        #endif
        return (ends[0], ends[1])
    }
}
