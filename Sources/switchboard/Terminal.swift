import Foundation
import ServerKit
import WireKit

/// The controlling terminal of the process, independent of standard input and output.
struct Terminal {
    private let file: Int32

    /// - Throws: `StartupError` with `advice` if there is no terminal.
    init(orElse advice: String) throws {
        file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw StartupError(advice) }
    }

    /// Prompts for one line.
    ///
    /// - Parameter echoes: True if the terminal shows the characters as they are typed.
    /// - Throws: `CancellationError` if the task is cancelled, or the user types Ctrl-C.
    func prompt(_ prompt: String, echoes: Bool) async throws -> String {
        StandardInput.isPaused.withLock { $0 = true }
        defer { StandardInput.isPaused.withLock { $0 = false } }
        // In raw mode the terminal neither echoes nor interprets keys; the loop below handles the few that matter. Only C
        // functions set the mode, because not every build finds the fields of C structures.
        var before = termios()
        guard tcgetattr(file, &before) == 0 else { throw StartupError("Cannot read from the terminal") }
        var raw = before
        cfmakeraw(&raw)
        guard tcsetattr(file, TCSAFLUSH, &raw) == 0 else { throw StartupError("Cannot read from the terminal") }
        defer {
            tcsetattr(file, TCSAFLUSH, &before)
            show("\r\n")
        }
        show(prompt)
        var typed: [UInt8] = []
        while true {
            guard let byte = try await next() else { throw CancellationError() }
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return String(decoding: typed, as: UTF8.self)
            // Ctrl-C, and Ctrl-D on an empty line.
            case 3: throw CancellationError()
            case 4 where typed.isEmpty: throw CancellationError()
            case 8, 127: erase(&typed, echoes: echoes)
            case ..<32: continue
            default:
                guard typed.count < 4096 else { continue }
                typed.append(byte)
                if echoes { show([byte]) }
            }
        }
    }

    func close() { Foundation.close(file) }

    /// Returns the next byte that the user types, without blocking a thread; nil if the terminal is closed.
    private func next() async throws -> UInt8? {
        while true {
            var byte: UInt8 = 0
            switch read(file, &byte, 1) {
            case 1: return byte
            case 0: return nil
            default: if errno != EAGAIN && errno != EINTR { return nil }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Deletes the last character, of one or more bytes.
    private func erase(_ typed: inout [UInt8], echoes: Bool) {
        guard !typed.isEmpty else { return }
        while let last = typed.popLast(), last & 0xC0 == 0x80 {}
        if echoes { show("\u{8} \u{8}") }
    }

    private func show(_ text: String) { show(Array(text.utf8)) }

    // A failure to write to the terminal cannot be reported anywhere.
    private func show(_ bytes: [UInt8]) { _ = write(file, bytes, bytes.count) }
}

/// The room for a block of text on standard output.
enum TerminalFit {
    /// The block fits, or standard output is a pipe or a file.
    case fits
    /// A terminal without cursor and colours.
    case unable
    /// - Parameter size: The columns and rows of the terminal, in words.
    case tooSmall(_ size: String)

    init(columns: Int, rows: Int) {
        self = .fits
        guard isatty(STDOUT_FILENO) == 1 else { return }
        let type = ProcessInfo.processInfo.environment["TERM"] ?? ""
        guard !type.isEmpty, type != "dumb" else {
            self = .unable
            return
        }
        var size = winsize()
        // A terminal that does not know its size reports 0.
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return }
        if Int(size.ws_col) < columns || Int(size.ws_row) < rows { self = .tooSmall("\(size.ws_col) and \(size.ws_row)") }
    }
}

/// Standard input.
enum StandardInput {
    /// True while a ``Terminal`` prompts: standard input may be the same terminal, so nothing is read meanwhile.
    fileprivate static let isPaused = Locked(false)
    private static let maximumLineLength = 65_536

    /// The lines of standard input, for one iteration. A thread reads until the input ends, since a blocking read cannot be
    /// cancelled. The thread pauses while the consumer takes no lines.
    static var lines: AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(100)) { continuation in
            /// - Returns: False if the consumer has ended the iteration.
            @Sendable func yield(_ line: [UInt8]) -> Bool {
                while true {
                    switch continuation.yield(String(decoding: line, as: UTF8.self)) {
                    case .dropped: Thread.sleep(forTimeInterval: 0.05)
                    case .terminated: return false
                    default: return true
                    }
                }
            }
            Thread {
                var line: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while true {
                    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    guard poll(&input, 1, -1) > 0 else {
                        if errno == EINTR { continue }
                        break
                    }
                    if isPaused.withLock({ $0 }) {
                        Thread.sleep(forTimeInterval: 0.05)
                        continue
                    }
                    // In the background of a shell, reading from the terminal would stop the process.
                    let foreground = tcgetpgrp(STDIN_FILENO)
                    if foreground >= 0, foreground != getpgrp() {
                        Thread.sleep(forTimeInterval: 0.5)
                        continue
                    }
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    guard count > 0 else { break }
                    for byte in buffer.prefix(count) {
                        if byte == UInt8(ascii: "\n") {
                            guard yield(line) else { return }
                            line = []
                        } else if line.count < maximumLineLength {
                            line.append(byte)
                        }
                    }
                }
                // The last line may lack its newline.
                if !line.isEmpty { _ = yield(line) }
                continuation.finish()
            }.start()
        }
    }
}
