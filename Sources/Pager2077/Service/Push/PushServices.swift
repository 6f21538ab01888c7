import Foundation
import Pager2077Wire
import PushKit
import WireKit

extension PushServices {
    /// Validates an address of a client, and returns it in the form in which it is stored.
    func checked(_ address: PushAddress) throws(PagerError) -> PushAddress {
        do {
            return try validated(address)
        } catch {
            throw PagerError.invalidInput(error.reason)
        }
    }
}
