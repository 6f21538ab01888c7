import Foundation
import UnixSignals

/// The signals that end a command in order.
enum EndingSignals {
    /// SIGTERM, SIGINT and, unless the caller has set it to be ignored as `nohup` does, SIGHUP: the end of the terminal.
    static var all: [UnixSignal] {
        // Setting a handler is the only way to read the current one without the fields of C structures. The next call restores it.
        let handler = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, handler)
        let isIgnored = unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return [.sigterm, .sigint] + (isIgnored ? [] : [.sighup])
    }
}
