import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import Testing

@testable import HyperDHT

@Suite struct NATClassifierTests {
    private func classify(_ samples: [String]) -> NATClassifier {
        var classifier = NATClassifier()
        for (index, sample) in samples.enumerated() {
            classifier.add(PeerAddress(sample)!, from: PeerAddress(octets: 0x0808_0808, port: UInt16(index + 1)))
        }
        return classifier
    }

    @Test(
        arguments: [
            (["1.1.1.1:1", "1.1.1.1:1"], .unknown),
            (["1.1.1.1:1", "1.1.1.1:1", "1.1.1.1:1"], .consistent),
            (["1.1.1.1:1", "1.1.1.1:2", "1.1.1.1:3"], .random),
            (["1.1.1.1:1", "1.1.1.1:1", "1.1.1.1:2"], .unknown),
            (["1.1.1.1:1", "1.1.1.1:1", "1.1.1.1:2", "1.1.1.1:3"], .random),
            (["1.1.1.1:1", "1.1.1.1:1", "2.2.2.2:1", "2.2.2.2:1"], .consistent),
            (["1.1.1.1:1", "1.1.1.1:1", "2.2.2.2:1", "3.3.3.3:1"], .unknown),
            (["1.1.1.1:1", "1.1.1.1:1", "2.2.2.2:1", "3.3.3.3:1", "4.4.4.4:4"], .random),
        ] as [([String], Firewall)])
    func samplesDecideTheKindOfNetwork(_ samples: [String], _ firewall: Firewall) {
        #expect(classify(samples).firewall == firewall)
    }

    @Test func addressesFitTheKindOfNetwork() {
        #expect(classify(["1.1.1.1:1", "1.1.1.1:1", "1.1.1.1:1", "1.1.1.1:2"]).addresses == [PeerAddress("1.1.1.1:1")!])
        #expect(classify(["1.1.1.1:1", "1.1.1.1:2", "1.1.1.1:3"]).addresses == [PeerAddress(octets: 0x0101_0101, port: 0)])
        #expect(classify(["1.1.1.1:1"]).addresses.isEmpty)
    }

    @Test func eachNodeCountsOnce() {
        var classifier = NATClassifier()
        for port in 1...5 as ClosedRange<UInt16> {
            classifier.add(PeerAddress(octets: 0x0101_0101, port: port), from: PeerAddress("8.8.8.8:8")!)
        }
        #expect(classifier.sampleCount == 1)
        #expect(classifier.firewall == .unknown)
    }

    @Test func unverifiedAddressesGetAQuarterOfTheProbes() {
        let (verified, claimed) = (PeerAddress("1.1.1.1:1")!, PeerAddress("2.2.2.2:2")!)
        var generator = SplitMix64(1)
        var puncher = HolePuncher(plan: .addresses, addresses: [claimed, verified], verifiedHost: verified.octets, now: .zero)
        var sent: [PeerAddress] = []
        while let deadline = puncher.deadline {
            for case .probe(let address, _) in puncher.advance(to: deadline, random: &generator) { sent.append(address) }
        }
        #expect(sent.count(where: { $0 == verified }) == 10)
        #expect(sent.count(where: { $0 == claimed }) == 3)
    }

    @Test func portsAreGuessedOnlyAtVerifiedHosts() {
        var generator = SplitMix64(1)
        var puncher = HolePuncher(plan: .ports, addresses: [PeerAddress("1.1.1.1:1")!], verifiedHost: nil, now: .zero)
        #expect(puncher.advance(to: .zero, random: &generator).isEmpty)
        #expect(puncher.isFinished)
        var verified = HolePuncher(plan: .ports, addresses: [], verifiedHost: 0x0101_0101, now: .zero)
        var count = 0
        while let deadline = verified.deadline { count += verified.advance(to: deadline, random: &generator).count }
        #expect(count == HolePuncher.birthdayRepetitions)
    }

    @Test func listOfThePeersAddressesIsBounded() {
        var generator = SplitMix64(1)
        let many = (1...100).map { PeerAddress(octets: 0x0101_0100 + UInt32($0), port: 1) }
        var puncher = HolePuncher(plan: .addresses, addresses: many, verifiedHost: nil, now: .zero)
        #expect(puncher.advance(to: .zero, random: &generator).count == HolePuncher.maximumAddressCount)
    }

    @Test func randomPunchesRunOneAtATimeTwentySecondsApart() {
        var gate = RandomPunchGate()
        func begin(_ seconds: Int) -> Bool { gate.begin(now: .seconds(seconds)) }
        #expect(begin(0))
        #expect(!begin(21))
        gate.end()
        #expect(begin(21))
        gate.end()
        #expect(!begin(40))
        #expect(begin(41))
        // A run that nobody ended does not block for ever.
        #expect(begin(76))
    }
}
