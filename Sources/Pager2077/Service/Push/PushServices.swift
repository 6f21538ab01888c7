import Foundation
import Pager2077Wire
import PushKit
import WireKit

extension PushServices {
    /// The services for an app to choose from. The topic is new in each offer.
    func offer() -> PushOffer {
        PushOffer(
            webPushKey: webPush?.publicKey,
            ntfy: ntfy.map {
                NtfyOffer(server: $0.address.absoluteString, topic: "pager-\(Identifier<PushDevice>.random())")
            })
    }

    /// Validates an address of a client, and returns it in the form in which it is stored.
    func checked(_ address: PushAddress) throws(PagerError) -> PushAddress {
        do {
            return try validated(address)
        } catch {
            throw PagerError.invalidInput(error.reason)
        }
    }
}
