package import Foundation

/// Runs `body` with valid inputs and with mutations of them.
///
/// A seed always gives the same inputs. When an input crashes the process, it remains in a file in the temporary folder,
/// `switchboard-fuzz-<process>-<test>`: a line with seed and number, and the input from byte 128 on.
///
/// - Parameters:
///   - corpus: Valid inputs, at least one. They are tried first.
///   - count: The number of inputs.
///   - body: Throws when a property does not hold.
/// - Throws: ``FuzzFinding`` at the first input for which `body` throws.
package func fuzz(
    _ corpus: [Data], count: Int, seed: UInt64 = Seed.current, file: String = #fileID, test: String = #function,
    _ body: (Data) async throws -> Void
) async throws {
    let mutator = Mutator(corpus.map { Array($0) })
    let current = try CurrentInput(of: "\(file)-\(test)")
    for index in 0..<count {
        let input = mutator.input(index, seed: seed)
        current.store(input, "input \(index) of seed \(seed), \(input.count) bytes")
        // A body that never suspends would occupy a thread of the pool, and delay all other tests, for minutes.
        if index % 32 == 0 { await Task.yield() }
        do {
            try await body(Data(input))
        } catch {
            throw FuzzFinding(seed: seed, index: index, input: input, error: error)
        }
    }
}

/// An input that violates a property.
package struct FuzzFinding: Error, CustomStringConvertible {
    package var seed: UInt64
    package var index: Int
    package var input: [UInt8]
    package var error: any Error

    package var description: String {
        let hex = input.prefix(512).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let rest = input.count > 512 ? "… (\(input.count) bytes)" : ""
        let text = String(decoding: input.prefix(512), as: UTF8.self).debugDescription
        return "\(error)\ninput \(index) of seed \(seed): \(hex)\(rest)\n\(text)"
    }
}

/// The current input in a file that outlives the process. The file is memory-mapped, so an input costs no system call.
private final class CurrentInput {
    private static let headSize = 128

    private let path: String
    private let memory: UnsafeMutableRawBufferPointer

    init(of test: String) throws {
        let name = test.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }
        let process = ProcessInfo.processInfo.processIdentifier
        path = FileManager.default.temporaryDirectory.appending(path: "switchboard-fuzz-\(process)-\(String(name))").path
        let size = Self.headSize + Mutator.maximumSize
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, ftruncate(file, off_t(size)) == 0,
            let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), start != MAP_FAILED
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        memory = UnsafeMutableRawBufferPointer(start: start, count: size)
        memory[Self.headSize - 1] = UInt8(ascii: "\n")
    }

    deinit {
        munmap(memory.baseAddress!, memory.count)
        unlink(path)
    }

    func store(_ input: [UInt8], _ head: String) {
        let start = memory.baseAddress!
        memset(start, 0x20, Self.headSize - 1)
        var head = head
        head.withUTF8 { start.copyMemory(from: $0.baseAddress!, byteCount: min($0.count, Self.headSize - 1)) }
        input.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[Self.headSize...]).copyMemory(from: $0) }
    }
}
