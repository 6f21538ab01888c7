import PhoneTestKit
import PlatformKit
import Testing

@Suite struct NetworkLinkTests {
    @Test func refusalOfTheUserIsNotALackOfNetwork() {
        func link(_ reason: NetworkPathReason) -> NetworkLink {
            NetworkLink(isSatisfied: false, usesCellular: false, reason: reason)
        }
        #expect(link(.localNetworkDenied) == .localNetworkDenied)
        #expect(link(.cellularDenied) == .denied && link(.wifiDenied) == .denied)
        for reason in [NetworkPathReason.notAvailable, .vpnInactive, .other] { #expect(link(reason) == .none) }
        for link in [NetworkLink.none, .denied, .localNetworkDenied] { #expect(!link.isUsable) }
    }

    @Test func satisfiedPathHasNoReason() {
        for reason in [NetworkPathReason.notAvailable, .localNetworkDenied] {
            #expect(NetworkLink(isSatisfied: true, usesCellular: false, reason: reason) == .local)
            #expect(NetworkLink(isSatisfied: true, usesCellular: true, reason: reason) == .cellular)
        }
        #expect(NetworkLink.local.isUsable && NetworkLink.cellular.isUsable)
    }

    @Test @MainActor func phoneReportsTheRefusal() async {
        let phone = TestPhone()
        var links = phone.phone().networkPath.links().makeAsyncIterator()
        #expect(await links.next() == .local)
        phone.deniesLocalNetwork = true
        #expect(await links.next() == .localNetworkDenied)
    }
}
