import UIKit

extension PagerDelegate: SilentPushMethods {}
