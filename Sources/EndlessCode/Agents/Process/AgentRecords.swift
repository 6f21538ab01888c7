package import Foundation
import WireKit

/// Records of a host's running agents, as files in a folder. The next start of the host kills what a killed host left.
///
/// The file of an agent has its mark (``AgentEnvironment/mark``), its process id and the start of that process. On Linux a process
/// belongs to an agent if its environment contains the mark, in whatever process group it is. Elsewhere the process group is killed
/// if its leader still is the recorded process.
package struct AgentRecords: Sendable {
    private struct Record: Codable {
        var mark: String
        var process: Int32?
        /// The start time of the process, in the system's own unit.
        var start: Int64?
    }

    private let folder: URL

    /// - Parameter folder: The folder of one host. Created if missing, for its owner only.
    package init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Kills the agents that an earlier host left, and all that they started. Call before the first start of an agent.
    ///
    /// - Returns: Count of agents that had running processes.
    @discardableResult
    package func killLeftovers() throws -> Int {
        var count = 0
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "agent" {
            // A record that cannot be read was not completely written: its process was not started.
            if let data = try? OwnFile.contents(of: file.path, limit: 65_536),
                let record = try? WireJSON.decode(Record.self, from: data)
            {
                count += Self.kill(record) ? 1 : 0
            }
            try? FileManager.default.removeItem(at: file)
        }
        return count
    }

    func add(_ mark: String, process: pid_t? = nil) throws {
        let record = Record(mark: mark, process: process, start: process.flatMap(Self.start(of:)))
        let file = file(mark)
        try OwnFile.replace(file.path, with: WireJSON.encode(record))
    }

    func remove(_ mark: String) { try? FileManager.default.removeItem(at: file(mark)) }

    private func file(_ mark: String) -> URL { folder.appending(path: "\(mark).agent") }

    #if os(Linux)
        private static func kill(_ record: Record) -> Bool { killAll(marked: record.mark) > 0 }

        /// Kills all processes with a mark.
        ///
        /// - Returns: Count of killed processes.
        @discardableResult
        static func killAll(marked mark: String) -> Int {
            guard !mark.isEmpty else { return 0 }
            var killed: Set<pid_t> = []
            // A process may start another one while the list is read.
            for _ in 0..<20 {
                let found = processes(marked: mark)
                if found.isEmpty { break }
                for process in found { _ = Foundation.kill(process, SIGKILL) }
                killed.formUnion(found)
            }
            return killed.count
        }

        private static func processes(marked mark: String) -> [pid_t] {
            let wanted = Data("\(AgentEnvironment.mark)=\(mark)\0".utf8)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap { pid_t($0) }.filter { process in
                guard process != getpid(), let environment = contents("/proc/\(process)/environ") else { return false }
                return environment.starts(with: wanted) || environment.range(of: Data([0]) + wanted) != nil
            }
        }

        /// Reads a file of /proc, whose size is not known in advance; nil if it cannot be read.
        private static func contents(_ path: String) -> Data? {
            guard let file = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? file.close() }
            return try? file.readToEnd()
        }

        private static func start(of process: pid_t) -> Int64? {
            // proc(5): the 22nd field, counted from the 3rd behind the name in parentheses.
            guard let data = contents("/proc/\(process)/stat") else { return nil }
            let text = String(decoding: data, as: UTF8.self)
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            return fields.count > 20 ? Int64(fields[20]) : nil
        }
    #else
        private static func kill(_ record: Record) -> Bool {
            guard let process = record.process, process > 1, let start = record.start, Self.start(of: process) == start,
                getpgid(process) == process
            else { return false }
            return Foundation.kill(-process, SIGKILL) == 0
        }

        /// Does nothing: this system cannot find processes by their environment.
        @discardableResult
        static func killAll(marked mark: String) -> Int { 0 }

        private static func start(of process: pid_t) -> Int64? {
            var information = kinfo_proc()
            var length = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
            guard sysctl(&name, 4, &information, &length, nil, 0) == 0, length > 0 else { return nil }
            let start = information.kp_proc.p_un.__p_starttime
            return Int64(start.tv_sec) * 1_000_000 + Int64(start.tv_usec)
        }
    #endif
}
