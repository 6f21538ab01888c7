// `FilePath`, `FileDescriptor` and `Errno` from the module whose types swift-subprocess takes: the system's own on a Mac, the package elsewhere. They
// are different types. Under the same condition as in swift-subprocess.
#if canImport(System)
    @_exported public import System
#else
    @_exported public import SystemPackage
#endif
