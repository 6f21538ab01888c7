import Foundation
import TestKit
import WireKit

/// A terminal of a given size, and the program that runs in it.
///
/// `@unchecked Sendable`: the descriptor and the program do not change.
final class PseudoTerminal: @unchecked Sendable {
    private struct CannotOpen: Error {}

    // Linux's TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let descriptor: Int32
    private let written = Locked(Data())
    private let isClosed = Locked(false)
    private(set) var program: Program!

    /// Starts `switchboard` with a terminal as standard input and output.
    ///
    /// - Parameters:
    ///   - setUp: A command of the shell before the program.
    ///   - input: The command whose output is the standard input instead of the terminal.
    init(
        _ arguments: [String], columns: UInt16 = 100, rows: UInt16 = 40, type: String = "xterm", setUp: String = "true",
        input: String? = nil
    ) async throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked) = (Int32(0), Int32(0))
        guard descriptor >= 0, ioctl(descriptor, Self.setLock, &isLocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw CannotOpen() }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw CannotOpen() }
        let path = "/dev/pts/\(number)"
        let command = ([Program.products.appending(path: "switchboard").path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let line = "\(setUp); export TERM=\(type); \(input.map { "\($0) | " } ?? "exec <\(path); exec ")\(command) >\(path)"
        program = try await Program(executable: "/bin/bash", ["-c", line])
        let (descriptor, written, isClosed) = (descriptor, written, isClosed)
        Thread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            // The thread closes the descriptor itself: another terminal may get its number.
            defer { close(descriptor) }
            while !isClosed.withLock({ $0 }) {
                let count = read(descriptor, &buffer, buffer.count)
                // Nobody has the other side open: the program has ended, or not begun.
                if count < 0, errno == EIO || errno == EINTR {
                    Thread.sleep(forTimeInterval: 0.02)
                    continue
                }
                guard count > 0 else { return }
                written.withLock { $0 += buffer.prefix(count) }
            }
        }.start()
    }

    deinit { isClosed.withLock { $0 = true } }

    /// Everything that the program has written, with the echo of what was typed. A read may end inside a character.
    var text: String { String(decoding: written.withLock { $0 }, as: UTF8.self) }

    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }

    /// Types a line, and waits for an answer to it.
    func type(_ line: String, until answer: String) async throws {
        let before = text.count
        type(line + "\n")
        try await eventually { [self] in text.dropFirst(before).contains(answer) }
    }

    /// Waits for a text of the program.
    func until(_ text: String) async throws { try await eventually { [self] in self.text.contains(text) } }
}
