import ProjectKit
import Testing

@Suite struct ProjectFolderTests {}
