/// A service of this program, announced on the local network.
package struct ServiceAnnouncement: Sendable {
    package enum Event: Hashable, Sendable {
        /// The service is visible under this name, which differs from the requested name if another service has it.
        case announced(name: String)
        /// The service is not visible. The announcement retries with a backoff of up to 60 s.
        case interrupted(DiscoveryError)
    }

    /// Maximum length of a name, in bytes.
    package static let maximumNameLength = 63

    package let name: String
    package let type: ServiceType
    package let port: UInt16
    package let attributes: TXTRecord

    /// - Parameters:
    ///   - name: 1 to ``maximumNameLength`` bytes without control characters.
    ///   - port: The port of the service on this machine, from 1.
    /// - Throws: ``DiscoveryError`` `invalid`.
    package init(name: String, type: ServiceType, port: Int, attributes: TXTRecord = TXTRecord()) throws(DiscoveryError) {
        guard (1...Self.maximumNameLength).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
        else { throw DiscoveryError(.invalid, "\"\(name)\" is not a name of a service: use 1 to \(Self.maximumNameLength) bytes") }
        guard (1...65_535).contains(port) else { throw DiscoveryError(.invalid, "\(port) is not a port") }
        self.name = name
        self.type = type
        self.port = UInt16(port)
        self.attributes = attributes
    }

    /// Announces the service until the task is cancelled, then withdraws it and returns.
    ///
    /// - Parameter report: Receives each change, in order. Equal interruptions are reported once.
    package func run(clock: any Clock<Duration> = ContinuousClock(), report: @Sendable (Event) async -> Void = { _ in }) async {
        var pause = RetryPause()
        var last: Event?
        while !Task.isCancelled {
            do {
                try await announce { name in
                    pause = RetryPause()
                    let event = Event.announced(name: name)
                    if event != last { await report(event) }
                    last = event
                }
                // The replies ended because the task was cancelled.
                return
            } catch {
                let event = Event.interrupted(error as? DiscoveryError ?? DiscoveryError(.failed, "\(error)"))
                if event != last { await report(event) }
                last = event
            }
            guard await pause.wait(clock) else { return }
        }
    }

    private func announce(_ didAnnounce: (String) async -> Void) async throws {
        for attempt in 1... {
            do {
                return try await Operation.run(
                    .register(name: alternative(attempt), type: type, port: port, attributes: attributes)
                ) { replies in
                    for try await case .registered(let name) in replies { await didAnnounce(name) }
                }
            } catch let error as DiscoveryError where error.code == .nameConflict && attempt < 100 {
                // Avahi renames a service if another machine has its name, but not if this machine has it.
                continue
            }
        }
    }

    /// Returns the name, with a number from the second attempt on, cut to the maximum length.
    private func alternative(_ attempt: Int) -> String {
        guard attempt > 1 else { return name }
        let suffix = " (\(attempt))"
        var stem = name
        while stem.utf8.count + suffix.utf8.count > Self.maximumNameLength { stem.removeLast() }
        return stem + suffix
    }
}

/// The backoff between attempts: 1 s, 2 s, 4 s, up to 60 s.
struct RetryPause {
    private static let maximum = Duration.seconds(60)
    private var next = Duration.seconds(1)

    /// - Returns: True after the pause; false if the task was cancelled.
    mutating func wait(_ clock: any Clock<Duration>) async -> Bool {
        defer { next = min(next * 2, Self.maximum) }
        return (try? await clock.sleep(for: next)) != nil
    }
}
