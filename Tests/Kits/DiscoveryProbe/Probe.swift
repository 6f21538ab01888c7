import DiscoveryKit
import Foundation
import PlatformKit

/// Announces or finds services for the tests of DiscoveryKit, which run it with the message bus of a network namespace.
///
///     discovery-probe announce NAME TYPE PORT [KEY=VALUE ...]    until its standard input ends; NAME*COUNT announces NAME1, NAME2 ...
///     discovery-probe browse TYPE                                until its standard input ends
///     discovery-probe servers TYPE                               searches twice as an app does, each time until there is a server
///
/// Writes one line for each event: JSON, except that of a failed command.
@main
struct Probe {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let task: Task<Void, Never>
        do {
            switch (arguments.popFirst(), arguments.count) {
            case ("announce", 3...):
                let announcements = try announcements(Array(arguments))
                task = Task {
                    await withTaskGroup { group in
                        for announcement in announcements {
                            group.addTask { await announcement.run(clock: QuickClock()) { write(Line($0)) } }
                        }
                    }
                }
            case ("browse", 1):
                let type = try serviceType(arguments.first)
                task = Task { for await event in ServiceBrowser(type: type, clock: QuickClock()) { write(Line(event)) } }
            case ("servers", 1):
                let type = try serviceType(arguments.first)
                return await search(type)
            default: throw DiscoveryError(.invalid, "usage: discovery-probe announce|browse|servers ...")
            }
        } catch {
            write("\(error)")
            exit(1)
        }
        await endOfInput()
        task.cancel()
        await task.value
    }

    private static func search(_ type: ServiceType) async {
        let discovery = LocalDiscovery(clock: QuickClock())
        for _ in 0..<2 {
            for await found in discovery.servers(of: type.description) {
                if let problem = found.problem { write(Line(problem)) }
                guard let server = found.servers.first else { continue }
                write(Line(server))
                break
            }
        }
    }

    private static func announcements(_ arguments: [String]) throws -> [ServiceAnnouncement] {
        let name = arguments[0].split(separator: "*").map(String.init)
        let names = name.count == 2 ? (1...(Int(name[1]) ?? 1)).map { "\(name[0])\($0)" } : [arguments[0]]
        return try names.map { try announcement([$0] + arguments.dropFirst()) }
    }

    private static func announcement(_ arguments: [String]) throws -> ServiceAnnouncement {
        let attributes = arguments.dropFirst(3).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return try ServiceAnnouncement(
            name: arguments[0], type: serviceType(arguments[1]), port: Int(arguments[2]) ?? 0,
            attributes: TXTRecord(Dictionary(attributes.map { ($0[0], $0.dropFirst().first ?? "") }) { $1 }))
    }

    private static func serviceType(_ text: String?) throws -> ServiceType {
        guard let type = text.flatMap(ServiceType.init) else { throw DiscoveryError(.invalid, "not a type: \(text ?? "")") }
        return type
    }

    private static func endOfInput() async {
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                while readLine() != nil {}
                ended.resume()
            }
        }
    }

    private static func write(_ line: Line) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        write((try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }

    private static func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// A clock whose pauses take a tenth of their time.
private struct QuickClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: (deadline - now) / 10, tolerance: tolerance)
    }
}

/// An event as the tests read it.
private struct Line: Encodable {
    var event: String
    var name: String?
    var host: String?
    var port: UInt16?
    var attributes: [String: String]?
    var addresses: [String]?
    var error: String?

    init(_ event: ServiceAnnouncement.Event) {
        switch event {
        case .announced(let name): self.init(event: "announced", name: name)
        case .interrupted(let error): self.init(event: "interrupted", error: error.description)
        }
    }

    init(_ event: ServiceEvent) {
        switch event {
        case .found(let service): self.init("found", service)
        case .updated(let service): self.init("updated", service)
        case .lost(let service): self.init("lost", service)
        case .interrupted(let error): self.init(event: "interrupted", error: error.description)
        case .resumed: self.init(event: "resumed")
        }
    }

    init(_ problem: PhoneError) { self.init(event: "problem", error: "\(problem)") }

    init(_ server: DiscoveredServer) {
        self.init(event: "server", name: server.name)
        host = server.host
        port = UInt16(clamping: server.port)
        attributes = server.attributes
        addresses = server.addresses
    }

    private init(event: String, name: String? = nil, error: String? = nil) {
        (self.event, self.name, self.error) = (event, name, error)
    }

    private init(_ event: String, _ service: DiscoveredService) {
        self.init(event: event, name: service.name)
        host = service.host
        port = service.port
        attributes = service.attributes.values.mapValues { String(decoding: $0, as: UTF8.self) }
        addresses = service.addresses.map { "\($0)" }
    }
}
