import ArgumentParser
import EndlessCodeProjects
import Foundation
import NetworkingKit
import ServerKit
import WireKit

/// `switchboard endlesscode allow`.
struct EndlessCodeAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let the browsers of a box connect to an EndlessCode host elsewhere.",
        discussion: """
            A box connects for its browsers to hosts on its own machine, and to those that
            you name: here, or with 'serve --allow-server'. A running box notices it at
            once. Every browser that the box lets in can use the address; the host still
            asks for its token. Without an address this lists what is allowed.

              switchboard endlesscode allow https://192.168.0.7:8180
            """)

    @Argument(help: ArgumentHelp("The address of the host.", valueName: "URL"))
    var address: String?

    @Flag(help: "Do not allow the address any more.")
    var remove = false

    @Option(
        help: ArgumentHelp(
            "The data folder of the box. [env: SWITCHBOARD_DATA, default: \(ServeConfiguration.standardDataFolder.path)]",
            valueName: "folder"))
    var data: String?

    func run() async throws {
        if data?.isEmpty == true { throw ValidationError("--data has no value") }
        let named = data ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATA"].flatMap { $0.isEmpty ? nil : $0 }
        let folder = named.map { URL(filePath: $0) } ?? ServeConfiguration.standardDataFolder
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw StartupError(
                "There is no box in \(folder.path); start one with 'switchboard serve', or name its folder with --data")
        }
        let list = OwnerList(file: folder.appending(path: ServerGate.fileName))
        guard let address else {
            if remove { throw ValidationError("--remove needs an address") }
            return list.entries.forEach { print($0) }
        }
        guard AllowedServer(address) != nil else {
            throw ValidationError("\"\(address)\" is no address of a server; expected one such as https://192.168.0.7:8180")
        }
        if remove {
            guard try list.remove(address) else { throw StartupError("\(address) was not allowed here") }
            print("Browsers of the box can no longer connect to \(address).")
        } else {
            try list.add([address])
            print("Browsers of the box can connect to \(address).")
        }
    }
}

/// `switchboard endlesscode projects`.
struct EndlessCodeProjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "projects", abstract: "List the folders of Claude Code's history, and show some to phones.",
        discussion: """
            Claude Code's files name the folders in which it has been used. Agents write
            those files, so a folder in them becomes a project only after you have shown it
            once: here, or with 'endlesscode host --project'. That covers the folders inside
            of it. A running host notices it at once.

              switchboard endlesscode projects --show ~/shop --show ~/notes
            """)

    @Option(help: ArgumentHelp("Show this folder to phones; may be repeated.", valueName: "folder"))
    var show: [String] = []

    @Flag(help: "Show every folder that is in the history now.")
    var showAll = false

    @Option(help: ArgumentHelp("Do not show this folder any more; may be repeated.", valueName: "folder"))
    var hide: [String] = []

    @Option(
        help: ArgumentHelp("The data folder of the host. [default: \(EndlessCodeCommand.standardFolder.path)]", valueName: "folder")
    )
    var data: String?

    func run() async throws {
        if data?.isEmpty == true { throw ValidationError("--data has no value") }
        let folder = data.map { URL(filePath: $0) } ?? EndlessCodeCommand.standardFolder
        try PrivateFiles.ensureFolder(folder)
        let confirmed = HostProjects.confirmed(in: folder)
        var new = try show.map { path throws(StartupError) in try HostProjects.checked(path, option: "--show") }
        let catalog = try HostProjects.catalog([], secretsIn: folder)
        if showAll { new += try await catalog.unconfirmed().map(\.path) }
        try confirmed.add(new)
        for path in hide {
            let known = (try? HostProjects.checked(path, option: "--hide")) ?? path
            guard try confirmed.remove(known) else { throw StartupError("\(known.printableInOneRow) was not shown") }
        }
        for path in confirmed.entries { print("shown   \(path.printableInOneRow)") }
        for folder in try await catalog.unconfirmed() { print("hidden  \(folder.path.printableInOneRow)") }
    }
}
