import PlatformKit
import Testing

@Suite struct PhoneNameTests {
    @Test(arguments: ["iPhone", "IPHONE", " iPad ", "iPod touch", "", " \n", "\u{7}"]) func nameOfTheModelIsAskedFor(_ name: String)
    {
        #expect(PhoneName.ofSystem(name) == nil)
    }

    @Test(arguments: ["Ada’s iPhone", "iPhone 2", "에이다의 iPhone"]) func ownNameIsTaken(_ name: String) {
        #expect(PhoneName.ofSystem(name) == name)
    }

    @Test func typedNameIsOneLineOfALimitedLength() {
        #expect(PhoneName.checked("  Blue\n\u{0}phone\t") == "Blue phone")
        #expect(PhoneName.checked(" \r\n") == nil)
        #expect(PhoneName.checked(String(repeating: "👨‍👩‍👧", count: 100))?.count == PhoneName.maximumLength)
    }
}
