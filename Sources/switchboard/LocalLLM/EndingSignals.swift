import Foundation
import UnixSignals

/// The signals that end a command in order.
enum EndingSignals {
    /// SIGTERM, SIGINT and, unless the caller has set it to be ignored as `nohup` does, SIGHUP: the end of the terminal.
    static var all: [UnixSignal] {
        // The only way to see a handler without the fields of C structures. It is put back at once.
        let handler = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, handler)
        let isIgnored = unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return [.sigterm, .sigint] + (isIgnored ? [] : [.sighup])
    }
}
