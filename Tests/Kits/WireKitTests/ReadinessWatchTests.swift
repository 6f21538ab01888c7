import Foundation
import Testing

@testable import WireKit

@Suite struct ReadinessWatchTests {
    private let reader: CInt
    private let writer: CInt

    init() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
    }

    private func put() {
        var byte: UInt8 = 1
        #expect(write(writer, &byte, 1) == 1)
    }

    /// Waits until the descriptor is readable.
    private func readable() async {
        await withCheckedContinuation { continuation in _ = ReadinessWatch.shared.add(reader) { continuation.resume() } }
    }

    private func closeBoth() {
        close(reader)
        close(writer)
    }

    @Test func bytesAreReportedOnceForEachWatch() async throws {
        defer { closeBoth() }
        let calls = Locked(0)
        _ = ReadinessWatch.shared.add(reader) { calls.withLock { $0 += 1 } }
        put()
        // The watches of one descriptor are served by one thread, the first one at the latest with this one.
        await readable()
        await readable()
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func theEndIsReported() async throws {
        close(writer)
        await readable()
        close(reader)
    }

    @Test func aCancelledWatchIsSilentAndItsDescriptorMayBeClosed() async throws {
        let calls = Locked(0)
        let id = ReadinessWatch.shared.add(reader) { calls.withLock { $0 += 1 } }
        ReadinessWatch.shared.cancel(id)
        ReadinessWatch.shared.cancel(id)
        closeBoth()
        // The next descriptor may have the same number.
        let next = try ReadinessWatchTests()
        defer { next.closeBoth() }
        next.put()
        await next.readable()
        #expect(calls.withLock { $0 } == 0)
    }

    /// What libdispatch does not survive.
    @Test func watchesComeAndGoOnManyThreads() async throws {
        closeBoth()
        await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for round in 0..<100 {
                        let pipe = try ReadinessWatchTests()
                        let other = ReadinessWatch.shared.add(pipe.reader) {}
                        if round % 2 == 0 { pipe.put() } else { close(pipe.writer) }
                        await pipe.readable()
                        ReadinessWatch.shared.cancel(other)
                        close(pipe.reader)
                        if round % 2 == 0 { close(pipe.writer) }
                    }
                }
            }
        }
    }
}
