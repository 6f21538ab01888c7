import NIOCore
import Testing

@testable import UDX

/// Streams that only one side has ended.
@Suite struct HalfCloseTests {
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private var ended = StreamState()
    private var open = StreamState()

    init() {
        ended.connect(remoteID: 1, at: now)
        open.connect(remoteID: 2, at: now)
        ended.finish()
        exchange()
    }

    /// Delivers what both sides have to send, until neither has anything.
    private mutating func exchange() {
        while true {
            let (first, second) = (ended.datagrams(at: now), open.datagrams(at: now))
            if first.isEmpty, second.isEmpty { return }
            for datagram in first { open.receive(datagram, at: now) }
            for datagram in second { ended.receive(datagram, at: now) }
        }
    }

    private mutating func advance() -> Bool {
        now = now + .seconds(1)
        ended.handleTimer(at: now)
        open.handleTimer(at: now)
        return ended.closure == nil
    }

    @Test mutating func peerThatIsGoneEndsTheStreamAfterHalfAMinute() {
        #expect(ended.isSendComplete && ended.closure == nil)
        var seconds = 0
        while seconds < 60, advance() {
            // The peer has destroyed its side, and its DESTROY was lost: nobody answers.
            _ = ended.datagrams(at: now)
            seconds += 1
        }
        #expect(ended.closure == .timedOut)
        #expect((25...35).contains(seconds))
    }

    @Test mutating func silentPeerThatIsThereKeepsTheStream() {
        for _ in 0..<600 {
            guard advance() else { break }
            exchange()
        }
        #expect(ended.closure == nil && open.closure == nil)
        open.write(ByteBuffer(string: "late"))
        open.finish()
        exchange()
        #expect(ended.readableBytes == 4 && ended.closure == .finished)
    }

    @Test mutating func streamThatNobodyHasEndedSendsNoHeartbeat() {
        for _ in 0..<600 {
            _ = advance()
            #expect(open.datagrams(at: now).isEmpty)
            exchange()
        }
    }
}
