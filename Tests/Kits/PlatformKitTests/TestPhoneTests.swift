import Foundation
import PlatformKit
import Testing

@MainActor
@Suite struct TestPhoneTests {
    final class Model {}

    @Test func anInstanceIsMadeOncePerPhone() {
        let phone = TestPhone().phone()
        let first = phone.instances.instance { Model() }
        #expect(phone.instances.instance(Model.self) { Model() } === first)
        #expect(TestPhone().phone().instances.instance(Model.self) { Model() } !== first)
        phone.instances.removeAll()
        #expect(phone.instances.instance(Model.self) { Model() } !== first)
    }

    @Test func preferencesKeepValuesOfTheirType() {
        let preferences = TestPhone().phone().preferences
        preferences.set("ko", for: "language")
        #expect(preferences.value(String.self, for: "language") == "ko")
        #expect(preferences.value(Int.self, for: "language") == nil)
        preferences.set(String?.none, for: "language")
        #expect(preferences.value(String.self, for: "language") == nil)
    }

    @Test func aNotificationNeedsPermissionAndReplacesItsForerunner() async throws {
        let test = TestPhone()
        let phone = test.phone()
        await #expect(throws: PhoneError.denied) { try await phone.notifications.show(.init(id: "a", title: "1", body: "")) }
        #expect(await phone.notifications.requestPermission() == .granted)
        try await phone.notifications.show(.init(id: "a", title: "1", body: ""))
        try await phone.notifications.show(.init(id: "a", title: "2", body: ""))
        #expect(test.shown.map(\.title) == ["2"])
    }
}
