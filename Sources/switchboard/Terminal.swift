import Foundation
import ServerKit
import WireKit

/// The terminal that a person sits at, beside whatever standard input and output are.
struct Terminal {
    private let file: Int32

    /// - Throws: `StartupError` when there is none. The text says what to do then.
    init(orElse advice: String) throws {
        file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw StartupError(advice) }
    }

    /// Asks for one line.
    ///
    /// - Parameter echoes: Whether what is typed is shown.
    /// - Throws: `CancellationError` when the task is cancelled, or by Ctrl-C.
    func ask(_ prompt: String, echoes: Bool) async throws -> String {
        StandardInput.isHeld.withLock { $0 = true }
        defer { StandardInput.isHeld.withLock { $0 = false } }
        // The terminal neither shows nor interprets what is typed: the few keys that matter are handled here. By functions
        // alone, since fields of C structures are not found in every build.
        var before = termios()
        guard tcgetattr(file, &before) == 0 else { throw StartupError("The terminal does not answer") }
        var raw = before
        cfmakeraw(&raw)
        guard tcsetattr(file, TCSAFLUSH, &raw) == 0 else { throw StartupError("The terminal does not answer") }
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

    /// A key, waited for without holding up a thread. Nil: the terminal is gone.
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

    /// Takes back the last character, which may have several bytes.
    private func erase(_ typed: inout [UInt8], echoes: Bool) {
        guard !typed.isEmpty else { return }
        while let last = typed.popLast(), last & 0xC0 == 0x80 {}
        if echoes { show("\u{8} \u{8}") }
    }

    private func show(_ text: String) { show(Array(text.utf8)) }

    // A terminal that cannot be written to cannot be complained to either.
    private func show(_ bytes: [UInt8]) { _ = write(file, bytes, bytes.count) }
}

/// What a person types, or a program writes, to standard input.
enum StandardInput {
    /// Nothing is read while a ``Terminal`` asks: it may be the same one.
    fileprivate static let isHeld = Locked(false)
    private static let longestLine = 65_536

    /// Its lines, to be iterated once. The thread that reads ends with the input or the program: reading cannot be called back.
    static var lines: AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(1000)) { continuation in
            Thread {
                var line: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4096)
                while true {
                    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    guard poll(&waiting, 1, -1) > 0 else {
                        if errno == EINTR { continue }
                        break
                    }
                    if isHeld.withLock({ $0 }) {
                        Thread.sleep(forTimeInterval: 0.05)
                        continue
                    }
                    let count = read(STDIN_FILENO, &piece, piece.count)
                    guard count > 0 else { break }
                    for byte in piece.prefix(count) {
                        if byte == UInt8(ascii: "\n") {
                            continuation.yield(String(decoding: line, as: UTF8.self))
                            line = []
                        } else if line.count < longestLine {
                            line.append(byte)
                        }
                    }
                }
                continuation.finish()
            }.start()
        }
    }
}
