import Foundation

/// Reading of the data files beside the program, each once.
enum DataFile {
    /// The reason why a file cannot be used.
    struct FormatError: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads a file of this module's resources. If the file is missing or damaged, the program ends with a clear message.
    static func read<Content>(_ name: String, _ decode: (Data) throws -> Content) -> Content {
        guard let url = Bundle.module.url(forResource: name, withExtension: nil) else {
            fatalError("TalkCoEnglish's data file \(name) is missing beside the program. Install the program again.")
        }
        do {
            return try decode(Data(contentsOf: url))
        } catch {
            fatalError("TalkCoEnglish's data file \(name) is damaged: \(error) Install the program again.")
        }
    }
}
