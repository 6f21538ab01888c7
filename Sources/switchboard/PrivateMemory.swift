import Foundation

/// Protection of this process from other programs of the same user, such as the coding agents that it runs.
enum PrivateMemory {
    #if os(Linux)
        /// `PR_SET_DUMPABLE` of `prctl(2)`.
        private static let setDumpable: CInt = 4

        /// Marks this process as not dumpable: without a privilege nobody can trace it, or read its memory or its environment, and a crash
        /// leaves no core file. Programs that it starts are not affected.
        ///
        /// - Returns: False if the system refuses.
        @discardableResult
        static func protect() -> Bool {
            // Swift does not call variadic functions. Here all arguments are integers, which are passed as fixed arguments are.
            typealias Prctl = @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
            guard let symbol = dlsym(nil, "prctl") else { return false }
            return unsafeBitCast(symbol, to: Prctl.self)(setDumpable, 0, 0, 0, 0) == 0
        }
    #else
        /// Changes nothing: the system's own rules for debuggers apply.
        @discardableResult
        static func protect() -> Bool { false }
    #endif
}
