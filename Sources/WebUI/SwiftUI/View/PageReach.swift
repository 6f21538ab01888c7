/// The state of the page's connection to its box.
package enum PageReach: String {
    case reached
    /// The page shows that it is reconnecting.
    case away
}

extension View {
    /// Shows the view only while the page's connection has this state. The page decides, since the box may be out of reach.
    ///
    /// The driver's page always reaches the box.
    package func shown(while reach: PageReach) -> some View { attribute(.reach, .text(reach.rawValue)) }
}
