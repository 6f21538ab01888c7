/// The text forms of keys and topics: hexadecimal, base58 or z-base-32 of 32 bytes.
///
/// The length selects the form: 64 characters are hexadecimal, 52 are z-base-32, 32 to 44 are base58.
public enum KeyText {
    /// Returns the 32 bytes of `text`, or `nil` when it is none of the three forms.
    public static func decode(_ text: String) -> [UInt8]? {
        let bytes: [UInt8]? =
            switch text.utf8.count {
            case 64: Hexadecimal.decode(text)
            case 52: ZBase32.decode(text)
            case 32...44: Base58.decode(text)
            default: nil
            }
        guard let bytes, bytes.count == 32 else { return nil }
        return bytes
    }
}
