import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import EndlessCodeApp

/// The tab Settings on the real service.
@MainActor
@Suite struct SettingsTests {
    private func opened(
        _ device: TestPhone = TestPhone(), languages: [String] = ["en"], clock: any Clock<Duration> = ContinuousClock(),
        usesTLS: Bool = false
    ) async throws -> AgentHand {
        let hand = AgentHand(try await AgentBox(), device: device, languages: languages, clock: clock, usesTLS: usesTLS)
        try await hand.until { $0.isReady }
        try await hand.screen.wait { (try? hand.screen.find(languages == ["en"] ? "Settings" : "설정", .tabitem)) != nil }
        try hand.show(languages == ["en"] ? "Settings" : "설정")
        try await hand.screen.wait(for: "address")
        return hand
    }

    // MARK: By hand

    @Test func formOfTheAddressIsCheckedBeforeItIsSaved() async throws {
        let hand = try await opened()
        #expect(try !hand.isEnabled("Save and Connect") && !hand.isEnabled("Test Connection"))
        try hand.screen.type("ftp://example.com", into: "address")
        #expect(hand.screen.has("The address must begin with https:// or http://."))
        #expect(try !hand.isEnabled("Save and Connect"))
        try hand.screen.type("example.com:99999", into: "address")
        #expect(hand.screen.has("The port must be a number from 1 to 65535."))
        try hand.screen.type("192.168.0.7", into: "address")
        #expect(!hand.screen.has("hint"))
        #expect(try hand.isEnabled("Save and Connect"))
        try hand.screen.type("not a token!", into: "token")
        #expect(hand.screen.has("This is not a token. Copy it again from the server’s terminal."))
        #expect(try !hand.isEnabled("Save and Connect"))
        #expect(hand.client.servers.isEmpty)
    }

    @Test func tokenIsASecureField() async throws {
        let hand = try await opened()
        #expect(try hand.screen.find("token", .field).attributes[.fieldType]?.text == "password")
    }

    @Test func returnInTheTokenSavesAndConnects() async throws {
        let hand = try await opened()
        try hand.screen.submit("token")
        #expect(hand.client.servers.isEmpty)
        try hand.screen.type(AgentBox.address.text, into: "address")
        try hand.screen.submit("address")
        try hand.screen.type(hand.box.token.text, into: "token")
        try hand.screen.submit("token")
        try await hand.until { $0.status == .connected }
    }

    @Test func testNamesTheStepThatFailedAndSavingConnects() async throws {
        let hand = try await opened()
        try hand.screen.type(AgentBox.address.text, into: "address")
        try hand.screen.type("wrong", into: "token")
        try await hand.tap("Test Connection")
        try await hand.screen.wait(for: "Failed: the token")
        #expect(hand.screen.has("The server refused the token. Scan its QR code again."))
        try hand.screen.type(hand.box.token.text, into: "token")
        #expect(!hand.screen.has("Failed: the token"))
        try await hand.tap("Test Connection")
        try await hand.screen.wait(for: "The connection works")
        // Nothing is saved by a test.
        #expect(hand.client.servers.isEmpty)
        try await hand.tap("Save and Connect")
        try await hand.until { $0.status == .connected }
        try await hand.screen.wait(for: "Saved Servers")
        #expect(hand.screen.has("Connected"))
        hand.box.network.cut()
        try await hand.until { $0.status != .connected }
        try await hand.tap("Test Connection")
        try await hand.screen.wait(for: "Failed: the network")
    }

    // MARK: The QR code

    @Test func pastedTextOfTheCodeConnects() async throws {
        let hand = try await opened()
        hand.device.copied = "https://example.com"
        try await hand.tap("Paste QR Text")
        try await hand.screen.wait(for: "This is not the QR code of an EndlessCode server.")
        hand.device.copied = "endlesscode://localhost:80?token=\(hand.box.token.text)"
        try await hand.tap("Paste QR Text")
        try await hand.until { $0.server?.token == hand.box.token }
        #expect(!hand.screen.has("This is not the QR code of an EndlessCode server."))
    }

    @Test func cameraIsOfferedOnlyWhereThereIsOne() async throws {
        let (without, with) = (TestPhone(), TestPhone())
        with.codes = ["endlesscode://localhost:80?token=abc"]
        #expect(!(try await opened(without)).screen.has("Scan QR Code"))
        let hand = try await opened(with)
        try await hand.tap("Scan QR Code")
        try await hand.until { $0.server?.token?.text == "abc" }
        #expect(with.scans == ["Point the camera at the QR code that the server shows in its terminal."])
    }

    @Test func insecurePageSaysWhyAndTakesTheTextOfTheCode() async throws {
        let hand = try await opened(TestPhone(isSecure: false))
        let reason = "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address."
        try await hand.tap("Scan QR Code")
        try await hand.screen.wait(for: reason + " Paste the text of the QR code instead.")
        try await hand.tap("Paste QR Text")
        try await hand.screen.wait(for: "qr-text")
        #expect(
            hand.screen.has(
                reason + " The clipboard couldn’t be read. Hold your finger on the field, and paste the text there."))
        try hand.screen.type("endlesscode://localhost:80?token=\(hand.box.token.text)", into: "qr-text")
        try hand.screen.submit("qr-text")
        try await hand.until { $0.server?.token == hand.box.token }
        try await hand.screen.wait { !hand.screen.has("qr-text") }
    }

    // MARK: Servers on the network

    @Test func foundServersAppearAsTheyComeAndAreUsedByATap() async throws {
        let device = TestPhone()
        let hand = try await opened(device)
        try await hand.screen.wait(for: "Searching for servers")
        device.announced = DiscoveredServers([
            DiscoveredServer(
                name: "EndlessCode-4F2A", host: "desk.local", port: 8180, addresses: ["192.168.0.7"],
                attributes: ["v": "1", "tls": "1"])
        ])
        try await hand.tap("found EndlessCode-4F2A")
        try await hand.until { $0.hold == .tokenMissing }
        #expect(hand.client.server?.title == "EndlessCode-4F2A" && hand.client.server?.address.text == "https://192.168.0.7:8180")
        try await hand.screen.wait(for: "Enter Token")
    }

    @Test(arguments: [
        ("en", "No server found", "Enter the address by hand below, or use the QR code in the server’s terminal."),
        ("ko-KR", "서버를 찾을 수 없습니다", "아래에 주소를 직접 입력하거나 서버 터미널의 QR 코드를 사용하십시오."),
    ])
    func nothingFoundInFiveSecondsIsSaid(_ language: String, _ title: String, _ advice: String) async throws {
        let clock = TestClock()
        let hand = try await opened(languages: [language], clock: clock)
        try await eventually { clock.hasSleeper(for: .seconds(5)) }
        #expect(!hand.screen.has(title))
        try await clock.advance(by: .seconds(5))
        try await hand.screen.wait(for: title)
        #expect(hand.screen.has(advice))
    }

    @Test func searchThatIsNotAllowedSaysHowToAllowIt() async throws {
        let device = TestPhone()
        device.announced = DiscoveredServers(problem: .denied)
        let hand = try await opened(device)
        try await hand.screen.wait(for: "The search is not allowed")
    }

    @Test(arguments: [
        ("en", false, "The computer of this box lacks the package avahi-daemon."),
        ("en", true, "sudo systemctl start avahi-daemon"), ("ko-KR", false, "avahi-daemon 패키지가 없습니다"),
        ("ko-KR", true, "sudo systemctl start avahi-daemon"),
    ])
    func programThatTheSearchNeedsIsNamed(_ language: String, _ isInstalled: Bool, _ words: String) async throws {
        let device = TestPhone()
        device.announced = DiscoveredServers(
            problem: .failed("no daemon"), missing: MissingProgram(name: "avahi-daemon", isInstalled: isInstalled))
        let hand = try await opened(device, languages: [language])
        try await hand.screen.wait(words) { hand.screen.texts.contains { $0.contains(words) } }
    }

    @Test func refusedAddressNamesTheCommandsThatAllowIt() throws {
        let problem = CodeProblem.notAllowed(try ServerAddress(endlessCode: "http://192.168.0.7"))
        let screen = ViewDriver(ProblemText(problem: problem))
        let words = screen.texts.joined()
        #expect(words.contains("switchboard endlesscode allow http://192.168.0.7:8180"))
        #expect(words.contains("switchboard serve --allow-server http://192.168.0.7:8180"))
    }

    // MARK: Certificates

    @Test func fingerprintIsComparedAndAChangedOneIsRefusedWithBothShown() async throws {
        let hand = try await opened(usesTLS: true)
        let known = try hand.box.fingerprint("one")
        let groups = [known.groups, try hand.box.fingerprint("two").groups]
        try await hand.box.serve(certificate: "one") { @MainActor port in
            try hand.screen.type("https://127.0.0.1:\(port)", into: "address")
            try hand.screen.type(hand.box.token.text, into: "token")
            try await hand.tap("Test Connection")
            try await hand.screen.wait(for: groups[0])
            try hand.screen.tap("They Differ")
            try await hand.screen.wait { !hand.screen.has(groups[0]) }
            try await hand.tap("Test Connection")
            try await hand.tap("They Are the Same")
            try await hand.screen.wait(for: "The connection works")
            try await hand.tap("Save and Connect")
            try await hand.until { $0.status == .connected }
            #expect(hand.screen.has("Certificate confirmed"))
        }
        try await hand.until { $0.status != .connected }
        try await hand.box.serve(certificate: "two") { @MainActor other in
            let link = ServerLink(
                host: .ip(IPAddress([127, 0, 0, 1])!), port: UInt16(other), token: hand.box.token, fingerprint: known)
            try await hand.client.addServer(link: link.text)
            try await hand.screen.wait(for: "changed-certificate")
            #expect(hand.screen.has(groups[0]) && hand.screen.has(groups[1]))
        }
    }

    // MARK: Saved servers

    @Test func serversAreChosenAndRemovedAfterAConfirmation() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox())
        try await hand.client.addServer(address: "http://localhost:81", token: "abc")
        try hand.show("Settings")
        try await hand.screen.wait(for: "server localhost:80")
        try hand.screen.tap("server localhost:80")
        try await hand.until { $0.server?.address == AgentBox.address && $0.status == .connected }
        try await hand.tap("Remove localhost:81")
        try await hand.screen.wait(for: "Remove this server?")
        try hand.screen.dismiss()
        #expect(hand.client.servers.count == 2)
        try await hand.tap("Remove localhost:81")
        try await hand.tap("Remove Server")
        try await hand.screen.wait { !hand.screen.has("server localhost:81") }
    }

    // MARK: Notifications and the network

    @Test func notificationsAreOffUntilTheUserAllowsThem() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox())
        try hand.show("Settings")
        try await hand.screen.wait(for: "Notifications")
        #expect(hand.device.permission == .undecided && !hand.screen.has("Show Content"))
        try hand.screen.tap("Notifications")
        try await hand.until { $0.notificationPermission == .granted && $0.wantsNotifications }
        try await hand.tap("Show Content")
        try await hand.until { $0.notificationContent == .full }
        try hand.screen.tap("Notifications")
        try await hand.until { !$0.wantsNotifications }
        try await hand.screen.wait { !hand.screen.has("Show Content") }
    }

    @Test func refusedPermissionIsExplained() async throws {
        let device = TestPhone()
        device.answer = .denied
        let hand = try await AgentHand.connected(to: try await AgentBox(), device: device)
        try hand.show("Settings")
        try await hand.tap("Notifications")
        try await hand.screen.wait(for: "Notifications are not allowed. Allow them for this app in the phone’s settings.")
    }

    @Test(arguments: [false, true]) func insecurePageSaysWhyItHasNoNotifications(isConnected: Bool) async throws {
        let reason = "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address."
        let device = TestPhone(isSecure: false)
        let hand = isConnected ? try await AgentHand.connected(to: try await AgentBox(), device: device) : try await opened(device)
        try hand.show("Settings")
        try await hand.tap("Notifications")
        try await hand.screen.wait(for: reason)
        if isConnected { try await hand.until { $0.push == .insecure } }
        #expect(hand.screen.has(reason) && !hand.screen.has("Notifications contain no text of yours."))
    }

    @Test func cellularDataIsUsedOnlyAfterAYes() async throws {
        let device = TestPhone()
        let hand = try await AgentHand.connected(to: try await AgentBox(), device: device)
        try hand.show("Settings")
        try await hand.screen.wait(for: "Wi-Fi or cable")
        device.isCellular = true
        try await hand.until { $0.hold == .cellular }
        try await hand.screen.wait(for: "Cellular")
        try await hand.tap("Use Cellular Data")
        try await hand.until { $0.status == .connected }
        try await hand.tap("Stop Using Cellular Data")
        try await hand.until { $0.hold == .cellularDeclined }
        device.isCellular = false
        try await hand.until { $0.status == .connected }
    }
}
