import CompactEncoding

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The descriptor of a datagram channel, through which datagrams are sent without NIO.
///
/// NIO closes a datagram channel when a send fails with most errors: one unreachable address, one interface that went
/// down, or one packet that a firewall refuses would end a node. Here a failed send is a lost packet.
struct DatagramDescriptor: Sendable {
    enum Outcome: Hashable, Sendable {
        case sent
        /// The system's buffer is full; the datagram was not sent.
        case wouldBlock
        /// The datagram is lost. The value is the system's error number.
        case failed(CInt)
    }

    /// The time to live of ordinary datagrams, in hops.
    static let defaultTimeToLive = 64

    let descriptor: CInt

    /// Forbids fragmentation if `isOn`, so that probes find the packet size of the path. Returns true if the system complied.
    func setDontFragment(_ isOn: Bool) -> Bool {
        #if os(Linux)
            // Always set the bit and ignore the kernel's estimate of the path; the stream measures the path itself.
            return setOption(IP_MTU_DISCOVER, isOn ? IP_PMTUDISC_PROBE : IP_PMTUDISC_DONT)
        #else
            // IP_DONTFRAG in <netinet/in.h>.
            return setOption(28, isOn ? 1 : 0)
        #endif
    }

    /// Keeps programs that this process starts from inheriting the socket. A program that another thread starts between the socket's
    /// creation and this call still inherits it.
    func setCloseOnExec() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// The buffers of a socket.
    enum Buffer: CaseIterable { case receiving, sending }

    /// Sets the size of a buffer, in bytes, to the largest that the system takes.
    ///
    /// - Returns: False if the system takes none; the buffer has the system's own size then.
    func setBufferSize(_ buffer: Buffer, atMost size: Int) -> Bool {
        Self.largestAccepted(atMost: size) { size in
            var value = CInt(clamping: size)
            let name = buffer == .receiving ? SO_RCVBUF : SO_SNDBUF
            return setsockopt(descriptor, SOL_SOCKET, name, &value, socklen_t(MemoryLayout<CInt>.size)) == 0
        } != nil
    }

    /// Minimum size of a requested buffer, in bytes: about the systems' default.
    private static let minimumBufferSize = 64 * 1024

    /// Returns the first accepted size of `size`, its half, its quarter and so on; nil if all are refused. Darwin refuses a
    /// buffer over its limit, which differs between phones and Macs; Linux accepts any size and uses its limit.
    static func largestAccepted(atMost size: Int, _ accepts: (Int) -> Bool) -> Int? {
        var size = size
        while size >= minimumBufferSize {
            if accepts(size) { return size }
            size /= 2
        }
        return nil
    }

    func setTimeToLive(_ hops: Int) -> Bool {
        setOption(IP_TTL, CInt(clamping: hops))
    }

    private func setOption(_ name: CInt, _ value: CInt) -> Bool {
        var value = value
        return setsockopt(descriptor, CInt(IPPROTO_IP), name, &value, socklen_t(MemoryLayout<CInt>.size)) == 0
    }

    /// Sends `bytes` as one datagram, or as datagrams of `segmentSize` bytes where the system splits them.
    ///
    /// - Parameter segmentSize: Equal to the size of `bytes` for one datagram; smaller needs segmentation offload.
    func send(_ bytes: UnsafeRawBufferPointer, segmentSize: Int, to address: PeerAddress) -> Outcome {
        var target = address.systemAddress
        var vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &target) { target in
            withUnsafeMutablePointer(to: &vector) { vector in
                var message = msghdr()
                message.msg_name = UnsafeMutableRawPointer(target)
                message.msg_namelen = socklen_t(MemoryLayout<sockaddr_in>.size)
                message.msg_iov = vector
                message.msg_iovlen = 1
                guard segmentSize < bytes.count else { return call(&message) }
                #if os(Linux)
                    // One control message: UDP_SEGMENT with 16 bits.
                    return withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { control in
                        control.initializeMemory(as: UInt8.self, repeating: 0)
                        control.storeBytes(of: MemoryLayout<cmsghdr>.size + 2, toByteOffset: 0, as: Int.self)
                        control.storeBytes(of: CInt(IPPROTO_UDP), toByteOffset: 8, as: CInt.self)
                        control.storeBytes(of: 103, toByteOffset: 12, as: CInt.self)
                        control.storeBytes(of: UInt16(clamping: segmentSize), toByteOffset: 16, as: UInt16.self)
                        message.msg_control = control.baseAddress
                        message.msg_controllen = 24
                        return call(&message)
                    }
                #else
                    return .failed(EINVAL)
                #endif
            }
        }
    }

    private func call(_ message: inout msghdr) -> Outcome {
        while true {
            #if os(Linux)
                let result = sendmsg(descriptor, &message, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
            #else
                let result = sendmsg(descriptor, &message, 0)
            #endif
            if result >= 0 { return .sent }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS: return .wouldBlock
            default: return .failed(errno)
            }
        }
    }
}
