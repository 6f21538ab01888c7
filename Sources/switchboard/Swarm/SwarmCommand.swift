import ArgumentParser

/// `switchboard swarm`: the peer-to-peer network by itself.
struct SwarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swarm", abstract: "Find peers by key or topic, and connect to them without a server in between.",
        discussion: """
            The network is Hyperswarm's. A topic is 32 bytes that both ends know; a key is
            32 bytes too, and belongs to one peer. Both are written in hexadecimal, base58
            or z-base-32. On one machine:

              switchboard swarm node --listen 127.0.0.1:49737
              switchboard swarm announce <topic> --echo --bootstrap 127.0.0.1:49737
              switchboard swarm connect <topic> --bootstrap 127.0.0.1:49737

            Standard output carries the peer's bytes only; everything else goes to standard
            error.
            """,
        subcommands: [
            SwarmNodeCommand.self, SwarmAnnounceCommand.self, SwarmConnectCommand.self, SwarmLookupCommand.self,
            SwarmDoctorCommand.self,
        ])
}
