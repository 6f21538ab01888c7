import CompactEncoding
import CryptoPrimitives

extension Decoder {
    mutating func readPublicKey() throws(CompactEncodingError) -> PublicKey {
        guard let key = PublicKey(try readFixed(PublicKey.size)) else { throw CompactEncodingError(.invalidValue, "public key") }
        return key
    }
}
