import Foundation
import TestKit
import WireKit

/// A private network on this machine, ended with the value.
final class PrivateNetwork: Sendable {
    let nodes: [Program]
    /// The options of a command that joins the network.
    let bootstrap: [String]

    init(nodes count: Int = 5) async throws {
        var nodes: [Program] = []
        let ports = Self.freePorts(count)
        let first = "127.0.0.1:\(ports[0])"
        for port in ports {
            let joining = port == ports[0] ? [] : ["--bootstrap", first]
            nodes.append(try await Program("switchboard", ["swarm", "node", "--listen", "127.0.0.1:\(port)"] + joining))
        }
        self.nodes = nodes
        bootstrap = ["--bootstrap", first]
    }

    deinit { for node in nodes { node.send(SIGKILL) } }

    /// Runs a command on this network with `input`, as `printf` writes it, as standard input.
    func pipe(_ input: String, into arguments: [String]) async throws -> Program.Ending {
        let program = Program.products.appending(path: "switchboard").path
        let words = (arguments + bootstrap).joined(separator: " ")
        return try await Program.tool("/bin/bash", ["-c", "printf '\(input)' | '\(program)' \(words)"])
    }

    /// Free ports, below those that the system gives to other tests.
    private static func freePorts(_ count: Int) -> [UInt16] {
        var ports: [UInt16] = []
        while ports.count < count {
            let port = UInt16.random(in: 10_000..<32_000)
            if !ports.contains(port), isFree(port) { ports.append(port) }
        }
        return ports
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Sockets.datagram, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
