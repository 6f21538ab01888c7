import Foundation
import NIOCore
import NIOPosix
import UDX

/// The two ends of a connection, both in this process.
protocol Pipe: Sendable {
    func write(_ bytes: ByteBuffer, at end: PipeEnd) async throws
    func read(at end: PipeEnd) async throws -> ByteBuffer?
    func finish(at end: PipeEnd) async
    func eventLoop(of end: PipeEnd) -> any EventLoop
}

enum PipeEnd: Sendable { case near, far }

/// The executor of the tasks that read and write.
public enum TaskPlacement: Sendable {
    /// The global executor, as for tasks without a preference.
    case global
    /// The event loop of each end.
    case eventLoops
    /// One event loop for both ends.
    case sharedEventLoop
}

/// The event loops of two ends.
struct EventLoops {
    let pair: [any EventLoop]

    init(areShared: Bool) {
        let first = MultiThreadedEventLoopGroup.singleton.next()
        pair = [first, areShared ? first : MultiThreadedEventLoopGroup.singleton.next()]
    }
}

/// The result of a transfer.
public struct Throughput: Sendable {
    public var megabytesPerSecond: Double
    /// Processor time of both ends together, in seconds per gigabyte.
    public var processorSecondsPerGigabyte: Double

    /// Sends `bytes` in equal parts over all pipes at once, from the near end to the far end.
    static func measure(bytes: Int, over pipes: [some Pipe]) async throws -> Throughput {
        let chunk = ByteBuffer(repeating: 7, count: 64 * 1024)
        let (start, before) = (ContinuousClock.now, ProcessUsage.processorTime)
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for pipe in pipes {
                group.addTask {
                    var left = bytes / pipes.count
                    while left > 0 {
                        try await pipe.write(chunk, at: .near)
                        left -= chunk.readableBytes
                    }
                    await pipe.finish(at: .near)
                    return 0
                }
                group.addTask {
                    var total = 0
                    while let bytes = try await pipe.read(at: .far) { total += bytes.readableBytes }
                    await pipe.finish(at: .far)
                    return total
                }
            }
            return try await group.reduce(0, +)
        }
        let (elapsed, used) = (ContinuousClock.now - start, ProcessUsage.processorTime - before)
        return Throughput(
            megabytesPerSecond: Double(total) / 1e6 / (elapsed / .seconds(1)),
            processorSecondsPerGigabyte: used / .seconds(1) / (Double(total) / 1e9))
    }
}

/// Messages to the far end and their echoes.
enum RoundTrips {
    /// Count of round trips before those that are measured.
    private static let warmUpCount = 200

    struct StreamEnded: Error {}

    static func measure(of size: Int, count: Int, over pipe: some Pipe, on placement: TaskPlacement) async throws -> [Duration] {
        async let echoing: Void = place(placement, at: pipe.eventLoop(of: .far)) {
            while let bytes = try await pipe.read(at: .far) { try await pipe.write(bytes, at: .far) }
            await pipe.finish(at: .far)
        }
        let times = try await place(placement, at: pipe.eventLoop(of: .near)) {
            let message = ByteBuffer(repeating: 1, count: size)
            var times: [Duration] = []
            for _ in 0..<warmUpCount + count {
                let start = ContinuousClock.now
                try await pipe.write(message, at: .near)
                var received = 0
                while received < size {
                    guard let bytes = try await pipe.read(at: .near) else { throw StreamEnded() }
                    received += bytes.readableBytes
                }
                times.append(.now - start)
            }
            await pipe.finish(at: .near)
            return Array(times.dropFirst(warmUpCount))
        }
        try await echoing
        return times
    }

    private static func place<Result: Sendable>(
        _ placement: TaskPlacement, at eventLoop: any EventLoop, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        if placement != .global, #available(macOS 15, iOS 18, *) {
            return try await withTaskExecutorPreference(EventLoopTaskExecutor(eventLoop), operation: body)
        }
        return try await body()
    }
}

/// Processor time and memory of this process.
enum ProcessUsage {
    /// The user and system time of all threads.
    static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The resident memory, in bytes; 0 on systems without `/proc`.
    static var residentSize: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
}
