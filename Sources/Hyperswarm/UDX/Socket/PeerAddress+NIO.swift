import CompactEncoding
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// The fields are read and written by their offsets: which module a field of `sockaddr_in` belongs to depends on what else is built.
extension PeerAddress {
    /// The address of an IPv4 socket; `nil` for any other family.
    init?(_ address: SocketAddress?) {
        guard case .v4(let address) = address else { return nil }
        self = withUnsafeBytes(of: address.address) { bytes in
            PeerAddress(
                octets: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
                port: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    var socketAddress: SocketAddress { SocketAddress(systemAddress) }

    /// The address as the system's calls take it.
    var systemAddress: sockaddr_in {
        // Family, port, address, and zeros: one tuple instead of an array, because this runs for each datagram.
        var bytes: (UInt64, UInt64) = (0, 0)
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            #if canImport(Darwin)
                bytes[0] = UInt8(MemoryLayout<sockaddr_in>.size)
                bytes[1] = UInt8(AF_INET)
            #else
                bytes.storeBytes(of: UInt16(AF_INET), as: UInt16.self)
            #endif
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            bytes.storeBytes(of: octets.bigEndian, toByteOffset: 4, as: UInt32.self)
            return bytes.load(as: sockaddr_in.self)
        }
    }
}
