package import Foundation

/// Tries inputs that are almost right, and some that are.
///
/// The same seed gives the same inputs. An input that takes the process down is found, when it is gone, in a file in the temporary
/// folder, `switchboard-fuzz-<process>-<test>`: a line that names seed and number, and the input from byte 128 on.
///
/// - Parameters:
///   - corpus: Valid inputs, at least one. The first that are tried.
///   - count: How many inputs are tried.
///   - body: Throws when something does not hold that should.
/// - Throws: ``FuzzFinding`` at the first input for which `body` throws.
package func fuzz(
    _ corpus: [Data], count: Int, seed: UInt64 = Seed.current, file: String = #fileID, test: String = #function,
    _ body: (Data) async throws -> Void
) async throws {
    let mutator = Mutator(corpus.map { Array($0) })
    let current = try CurrentInput(of: "\(file)-\(test)")
    for index in 0..<count {
        let input = mutator.input(index, seed: seed)
        current.keep(input, "input \(index) of seed \(seed), \(input.count) bytes")
        // A body that never waits would keep one of the few threads from all other tests, for minutes.
        if index % 32 == 0 { await Task.yield() }
        do {
            try await body(Data(input))
        } catch {
            throw FuzzFinding(seed: seed, index: index, input: input, error: error)
        }
    }
}

/// An input for which something did not hold.
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

/// The input that is being tried, in a file that outlives the process. Memory that is mapped costs no call for each input.
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

    func keep(_ input: [UInt8], _ head: String) {
        let start = memory.baseAddress!
        memset(start, 0x20, Self.headSize - 1)
        var head = head
        head.withUTF8 { start.copyMemory(from: $0.baseAddress!, byteCount: min($0.count, Self.headSize - 1)) }
        input.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[Self.headSize...]).copyMemory(from: $0) }
    }
}
