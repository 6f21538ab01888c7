import Foundation
import Testing
import WireKit

@Suite struct SocketsTests {
    @Test func pairIsConnectedAndClosedInPrograms() throws {
        let ends = try #require(Sockets.pair())
        defer { close(ends.0) }
        for end in [ends.0, ends.1] { #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0) }
        var byte: UInt8 = 7
        #expect(send(ends.0, &byte, 1, Sockets.sendFlags) == 1)
        var received: UInt8 = 0
        #expect(read(ends.1, &received, 1) == 1 && received == 7)
        // An error, and no signal, which would end the tests.
        close(ends.1)
        #expect(send(ends.0, &byte, 1, Sockets.sendFlags) == -1 && errno == EPIPE)
    }
}
