/// The options of the command line.
// Parsed by hand: the option wrappers of ArgumentParser do not compile where the main actor is the default, as it is for views.
nonisolated struct GalleryOptions: Equatable {
    /// The port; 0 for a free one.
    var port: UInt16 = 0
    var wantsHelp = false

    static let help = """
        OVERVIEW: Show every control of SwiftUI for Linux in a browser, each on a page of its own.

        The first line printed is the address to open. Reached from this machine only.
        Nothing is kept. Ctrl-C or SIGTERM ends it.

        USAGE: gallery [--port <number>]

        OPTIONS:
          --port <number>         Listen on this port; 0 takes a free one. (default: 0)
          -h, --help              Show help information.
        """

    /// An error in the command line.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// - Parameter arguments: The arguments without the name of the program.
    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if ["-h", "--help"].contains(argument) {
                wantsHelp = true
            } else if argument == "--port" {
                guard let value = rest.popFirst() else { throw Mistake(description: "--port has no value") }
                port = try Self.port(value)
            } else if argument.hasPrefix("--port=") {
                port = try Self.port(String(argument.dropFirst("--port=".count)))
            } else {
                throw Mistake(description: "There is no argument '\(argument)'")
            }
        }
    }

    private static func port(_ value: String) throws(Mistake) -> UInt16 {
        guard let port = UInt16(value) else { throw Mistake(description: "'\(value)' is no port: a number from 0 to 65535") }
        return port
    }
}
