import Foundation

/// A project file of Xcode: a property list of objects, each with an `isa`, which name each other by their keys.
struct XcodeProject {
    typealias Object = [String: Any]

    struct Malformed: Error { var what: String }

    let objects: [String: Object]
    let root: String

    init(text: String) throws {
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        guard let file = list as? Object, let objects = file["objects"] as? [String: Object],
            let root = file["rootObject"] as? String
        else { throw Malformed(what: "no objects or no rootObject") }
        (self.objects, self.root) = (objects, root)
    }

    func object(_ id: String) throws -> Object {
        guard let object = objects[id] else { throw Malformed(what: "no object \(id)") }
        return object
    }

    /// The objects that a list of an object names.
    func objects(_ list: String, of object: Object) throws -> [Object] {
        try (object[list] as? [String] ?? []).map(self.object)
    }

    var targets: [Target] {
        get throws { try objects("targets", of: object(root)).map { try Target($0, in: self) } }
    }

    /// The ids that objects name and that do not exist, and the objects that nothing names.
    var loose: [String] {
        // Members whose values are ids.
        let members: Set = [
            "attributes", "buildConfigurationList", "mainGroup", "packageReferences", "productRefGroup", "targets", "children",
            "exceptions", "target", "buildPhases", "dependencies", "fileSystemSynchronizedGroups", "packageProductDependencies",
            "productReference", "files", "fileRef", "productRef", "targetProxy", "containerPortal", "remoteGlobalIDString",
            "buildConfigurations", "baseConfigurationReference",
        ]
        var named: Set = [root]
        for object in objects.values {
            for (member, value) in object where members.contains(member) {
                named.formUnion(value as? [String] ?? (value as? String).map { [$0] } ?? [])
            }
        }
        return named.symmetricDifference(objects.keys).sorted()
    }

    struct Target {
        enum Kind: String {
            case app = "com.apple.product-type.application"
            case widgets = "com.apple.product-type.app-extension"
            case tests = "com.apple.product-type.bundle.unit-test"
        }

        var id: String
        var name: String
        var kind: Kind
        /// Files of its folders that do not belong to the target.
        var leftOut: [String]
        /// Products of other targets that it contains.
        var embedded: [String]
        /// Folders, relative to `Apple`, whose files belong to the target.
        var folders: [String]
        /// Products of the package.
        var products: [String]
        /// Files that a build phase names, by their paths.
        var resources: [String]
        /// The name of the target's own file of settings in `Config`, if it has one.
        var settings: String?

        init(_ object: Object, in project: XcodeProject) throws {
            guard let name = object["name"] as? String, let kind = (object["productType"] as? String).flatMap(Kind.init),
                let id = project.objects.first(where: { $0.value["name"] as? String == name && $0.value["productType"] != nil })?
                    .key,
                let list = object["buildConfigurationList"] as? String
            else { throw Malformed(what: "a target without a name, type or settings") }
            (self.id, self.name, self.kind) = (id, name, kind)
            folders = try project.objects("fileSystemSynchronizedGroups", of: object).compactMap { $0["path"] as? String }
            products = try project.objects("packageProductDependencies", of: object).compactMap { $0["productName"] as? String }
            leftOut = try project.objects("fileSystemSynchronizedGroups", of: object)
                .flatMap { try project.objects("exceptions", of: $0) }.filter { $0["target"] as? String == id }
                .flatMap { $0["membershipExceptions"] as? [String] ?? [] }
            let phases = try project.objects("buildPhases", of: object)
            func files(_ phase: String) throws -> [String] {
                try phases.filter { $0["isa"] as? String == phase }.flatMap { try project.objects("files", of: $0) }
                    .compactMap { $0["fileRef"] as? String }.compactMap { try project.object($0)["path"] as? String }
            }
            resources = try files("PBXResourcesBuildPhase")
            embedded = try files("PBXCopyFilesBuildPhase")
            let files = try project.objects("buildConfigurations", of: project.object(list))
                .map { try ($0["baseConfigurationReference"] as? String).map(project.object)?["path"] as? String }
            guard Set(files).count == 1 else { throw Malformed(what: "\(name): Debug and Release have different settings") }
            settings = files[0]
        }
    }
}

/// The settings of a target: files of `Apple/Config`, evaluated for its name.
struct BuildSettings {
    private var values: [String: String] = [:]

    /// - Parameter files: Names of files. A later one overrides.
    init(target: String, files: [String], in folder: URL) throws {
        values["TARGET_NAME"] = target
        for file in files { try read(folder.appending(path: file)) }
    }

    private mutating func read(_ file: URL) throws {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let include = line.wholeMatch(of: /#include "(.+)"/) {
                try read(file.deletingLastPathComponent().appending(path: String(include.1)))
            } else if let setting = line.wholeMatch(of: /(\w+)(?:\[config=\w+\])? = ?(.*)/) {
                values[String(setting.1)] = String(setting.2)
            } else if !line.hasPrefix("//") {
                throw XcodeProject.Malformed(what: "\(file.lastPathComponent): \(line)")
            }
        }
    }

    /// The value with the values of other settings in it; empty without one.
    subscript(name: String) -> String {
        var value = values[name] ?? ""
        // The innermost first: the name of a setting may be made of another's value.
        while let use = value.firstMatch(of: /\$\((\w+)(?::default=(\w+))?\)/) {
            let other = use.1 == name ? "" : self[String(use.1)]
            value.replaceSubrange(use.range, with: other.isEmpty ? String(use.2 ?? "") : other)
        }
        return value
    }
}
