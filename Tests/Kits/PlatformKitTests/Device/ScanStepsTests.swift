import PlatformKit
import Testing

@Suite struct ScanStepsTests {
    /// The question of the system takes the screen from the front: the answer comes first.
    @Test(arguments: [ScanSteps.Screen.inactive, .background])
    func firstScanAfterAllowWaitsForTheScreen(_ screen: ScanSteps.Screen) {
        var steps = ScanSteps()
        #expect(steps.begin(isSupported: true, .undecided, .front) == .ask)
        #expect(steps.handle(.answered(isGranted: true, screen)) == .waitForScreen)
        #expect(steps.handle(.screen(.inactive, isLate: false)) == .waitForScreen)
        #expect(steps.handle(.screen(.front, isLate: false)) == .show)
        #expect(steps.handle(.screen(.front, isLate: true)) == nil)
    }

    @Test func screenInFrontShowsTheCameraAtOnce() {
        var steps = ScanSteps()
        #expect(steps.begin(isSupported: true, .granted, .front) == .show)
        #expect(steps.begin(isSupported: true, .undecided, .front) == .ask)
        #expect(steps.handle(.answered(isGranted: true, .front)) == .show)
    }

    @Test func screenThatStaysBehindIsWaitedForALimitedTime() {
        var steps = ScanSteps()
        #expect(steps.begin(isSupported: true, .granted, .inactive) == .waitForScreen)
        #expect(steps.handle(.screen(.inactive, isLate: true)) == .show)
        #expect(steps.begin(isSupported: true, .granted, .background) == .waitForScreen)
        #expect(steps.handle(.screen(.background, isLate: true)) == .fail(.absent))
    }

    @Test func refusedCameraIsSaidAndARestrictedOneIsNotOffered() {
        var steps = ScanSteps()
        #expect(steps.begin(isSupported: true, .undecided, .front) == .ask)
        #expect(steps.handle(.answered(isGranted: false, .inactive)) == .fail(.denied))
        #expect(steps.begin(isSupported: true, .denied, .front) == .fail(.denied))
        #expect(steps.begin(isSupported: true, .restricted, .front) == .fail(.unsupported))
        #expect(steps.begin(isSupported: false, .granted, .front) == .fail(.unsupported))
        #expect(ScanSteps.isAvailable(isSupported: true, .denied), "the app says where to allow it")
        #expect(ScanSteps.isAvailable(isSupported: true, .undecided))
        #expect(!ScanSteps.isAvailable(isSupported: true, .restricted))
        #expect(!ScanSteps.isAvailable(isSupported: false, .granted))
    }

    @Test func endedScanShowsNothing() {
        var steps = ScanSteps()
        #expect(steps.handle(.screen(.front, isLate: false)) == nil)
        #expect(steps.begin(isSupported: true, .undecided, .front) == .ask)
        #expect(steps.handle(.ended) == nil)
        #expect(steps.handle(.answered(isGranted: true, .front)) == nil)
        #expect(steps.handle(.screen(.front, isLate: true)) == nil)
    }
}
