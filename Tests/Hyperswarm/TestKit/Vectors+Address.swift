package import CompactEncoding

extension Vectors {
    /// The address in the members `host` and `port`.
    package var address: PeerAddress {
        get throws {
            guard let host = self["host"].string, let port = self["port"].integer.flatMap(UInt16.init(exactly:)),
                let address = PeerAddress(host: host, port: port)
            else { throw Missing() }
            return address
        }
    }
}
