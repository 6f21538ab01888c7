// Libsodium on Apple's systems, where it comes with a package. Versions of that package before 0.10.0 lack
// `crypto_scalarmult_ed25519_noclamp`.
@_exported public import Clibsodium
