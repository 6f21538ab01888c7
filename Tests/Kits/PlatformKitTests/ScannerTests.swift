import PhoneTestKit
import PlatformKit
import Testing

@MainActor
@Suite struct ScannerTests {
    @Test func onlyWantedCodesAreReturned() async throws {
        let phone = TestPhone()
        phone.codes = ["4006381333931", "localllm://a", "localllm://b"]
        let scanner = phone.phone().scanner
        #expect(await scanner.isAvailable())
        #expect(try await scanner.text(prompt: "Scan the code of the host.") { $0.hasPrefix("localllm:") } == "localllm://a")
        #expect(try await scanner.text(prompt: "Again.") { $0.isEmpty } == nil)
        #expect(phone.scans == ["Scan the code of the host.", "Again."])
    }

    @Test func cameraCanBeMissingOrRefused() async throws {
        let phone = TestPhone()
        #expect(await !phone.phone().scanner.isAvailable())
        await #expect(throws: PhoneError.unsupported) { try await phone.phone().scanner.text(prompt: "") { _ in true } }
        phone.codes = ["a"]
        phone.allowsCamera = false
        await #expect(throws: PhoneError.denied) { try await phone.phone().scanner.text(prompt: "") { _ in true } }
        await #expect(throws: PhoneError.unsupported) { try await NoScanner().text(prompt: "") { _ in true } }
    }
}
