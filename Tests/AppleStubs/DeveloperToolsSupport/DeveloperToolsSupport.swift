// The types of pictures and colours in catalogs, which SwiftUI's initializers take. Pages: https://developer.apple.com/documentation/developertoolssupport/<type>

/// imageresource
public struct ImageResource: Hashable {}
/// colorresource
public struct ColorResource: Hashable {}
