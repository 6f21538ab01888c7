// `FilePath`, `FileDescriptor` and `Errno` from the module that swift-subprocess uses, under the same condition: the system's own
// module on a Mac, the package elsewhere. The types of the two modules differ.
#if canImport(System)
    @_exported public import System
#else
    @_exported public import SystemPackage
#endif
