/// The constants that separate the uses of hashes and signatures on the network.
///
/// Each is `BLAKE2b-256(BLAKE2b-256(name) || index)`. Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`,
/// section "Keys and targets".
public enum Namespace {
    /// Derives the constant with number `index` of a protocol.
    ///
    /// - Parameter name: The protocol's name in ASCII, such as `hyperswarm/dht`.
    public static func derive(_ name: String, index: UInt8) -> [UInt8] {
        BLAKE2b.hash(BLAKE2b.hash(Array(name.utf8)), [index])
    }

    /// The name of the distributed hash table's protocol. The index of its constants is the number of the command.
    public static let distributedHashTable = "hyperswarm/dht"
    /// The name of the encrypted stream's protocol.
    public static let secretStream = "hyperswarm/secret-stream"

    public static let peerHandshake = derive(distributedHashTable, index: 0)
    public static let peerHolepunch = derive(distributedHashTable, index: 1)
    public static let announce = derive(distributedHashTable, index: 4)
    public static let unannounce = derive(distributedHashTable, index: 5)
    public static let mutablePut = derive(distributedHashTable, index: 6)

    public static let streamInitiator = derive(secretStream, index: 0)
    public static let streamResponder = derive(secretStream, index: 1)
    public static let streamSend = derive(secretStream, index: 2)
}
