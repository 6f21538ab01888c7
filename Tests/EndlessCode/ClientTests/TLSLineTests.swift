import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import NIOTransport
import NetworkingKit
import PhoneTestKit
import PlatformKit
import ServerKit
import TestKit
import Testing
import WireKit

/// Pinned certificates over real sockets. The server of one test may get the port of another that has ended, so they run beside few others.
@MainActor
@Suite struct TLSLineTests {
    private func phone(_ device: TestPhone = TestPhone()) -> AgentPhone {
        let network = ServerNetwork(phoneName: "Test phone", transports: NIOTransports())
        return AgentPhone(device, AgentClient(phone: device.phone(), network: network))
    }

    @Test func codeOfTheTerminalConnectsAndPinsTheCertificate() async throws {
        let box = try await AgentBox()
        let folder = try TemporaryFolder()
        let (one, two) = (
            try ServerCertificate.stored(in: folder.url.appending(path: "one.pem")),
            try ServerCertificate.stored(in: folder.url.appending(path: "two.pem"))
        )
        let phone = phone()
        try await phone.until { $0.isReady }
        let port = try await box.serve(tls: one) { @MainActor port in
            let link = ServerLink(
                host: .ip(IPAddress([127, 0, 0, 1])!), port: UInt16(port), token: box.token,
                fingerprint: one.fingerprint)
            try await phone.client.addServer(link: link.text)
            try await phone.until { $0.status == .connected && $0.projects.count == 1 }
            let conversation = try await phone.startSession()
            try await phone.turn("hello", in: conversation)
            #expect(conversation.outline.last == "result: success")
            return port
        }
        try await phone.until { $0.status != .connected }
        let other = try await AgentBox()
        try await other.serve(tls: two) { @MainActor port in
            // Another server at the same address: the phone's pin stays.
            let form = phone.client.makeForm()
            form.address = "https://127.0.0.1:\(port)"
            form.token = box.token.text
            await form.test()
            #expect(form.phase == .asksCertificate(two.fingerprint))
            let link = ServerLink(
                host: .ip(IPAddress([127, 0, 0, 1])!), port: UInt16(port), token: box.token,
                fingerprint: one.fingerprint)
            try await phone.client.addServer(link: link.text)
            let (expected, found) = (one.fingerprint, two.fingerprint)
            try await phone.until {
                if case .certificateChanged(let a, let b) = $0.hold { a == expected && b == found } else { false }
            }
            await phone.client.refreshProjects()
            #expect(
                phone.client.projectsPhase
                    == .failed(.certificateChanged(expected: expected, found: found)))
            #expect(phone.client.server?.fingerprint == expected)
        }
        _ = port
    }

    @Test func typedAddressAsksForTheFingerprintBeforeTheTokenIsSent() async throws {
        let box = try await AgentBox()
        let folder = try TemporaryFolder()
        let certificate = try ServerCertificate.stored(in: folder.url.appending(path: "one.pem"))
        let device = TestPhone()
        let phone = phone(device)
        try await phone.until { $0.isReady }
        try await box.serve(tls: certificate) { @MainActor port in
            try await phone.client.addServer(address: "https://127.0.0.1:\(port)", token: box.token.text)
            let found = certificate.fingerprint
            try await phone.until { if case .certificate(let asked) = $0.hold { asked == found } else { false } }
            try await phone.client.acceptCertificate(false)
            #expect(phone.client.hold == .certificateDeclined && phone.client.server?.isPinned == false)
            await phone.client.refreshProjects()
            #expect(phone.client.projectsPhase == .failed(.notConnected))
            phone.client.reconnect()
            try await phone.until { if case .certificate = $0.hold { true } else { false } }
            try await phone.client.acceptCertificate(true)
            try await phone.until { $0.status == .connected && $0.projects.count == 1 }
            // Kept over a restart of the app.
            await phone.quit()
            let second = self.phone(device)
            try await second.until { $0.status == .connected }
            #expect(second.client.server?.fingerprint == found)
        }
    }

    @Test func testOfTheConnectionNamesTheStepThatFails() async throws {
        let box = try await AgentBox()
        let folder = try TemporaryFolder()
        let certificate = try ServerCertificate.stored(in: folder.url.appending(path: "one.pem"))
        let phone = phone()
        try await phone.until { $0.isReady }
        let form = phone.client.makeForm()
        form.address = "no address"
        await form.test()
        #expect(form.phase == .failed(.address, .address(.invalidHost)) && !form.canSave)
        let port = try await box.serve(tls: nil) { $0 }
        form.address = "127.0.0.1:\(port)"
        form.token = box.token.text
        #expect(form.phase == .idle && form.canSave)
        await form.test()
        #expect(form.phase == .failed(.network, .network))
        try await box.serve(tls: nil) { @MainActor port in
            form.address = "https://127.0.0.1:\(port)"
            await form.test()
            #expect(form.phase == .failed(.tls, .tls))
            form.address = "http://127.0.0.1:\(port)/elsewhere"
            await form.test()
            guard case .failed(.server, _) = form.phase else { throw NotThere() }
            form.address = "http://127.0.0.1:\(port)"
            form.token = ""
            await form.test()
            #expect(form.phase == .failed(.token, .tokenMissing))
            form.token = "wrong"
            await form.test()
            #expect(form.phase == .failed(.token, .tokenRefused))
            form.token = box.token.text
            await form.test()
            guard case .works(let stats) = form.phase else { throw NotThere() }
            #expect(stats.isRunning && phone.client.servers.isEmpty)
        }
        try await box.serve(tls: certificate) { @MainActor port in
            form.address = "127.0.0.1:\(port)"
            await form.test()
            guard case .failed = form.phase else { throw NotThere() }
            form.address = "https://127.0.0.1:\(port)"
            await form.test()
            guard case .asksCertificate = form.phase else { throw NotThere() }
            await form.answer(true)
            guard case .works = form.phase else { throw NotThere() }
            try await form.save()
            try await phone.until { $0.status == .connected }
            #expect(phone.client.server?.fingerprint?.description == certificate.fingerprint.description)
        }
    }
}
