public import UIKit

extension PushDelegate: RemoteNotificationMethods {}
