import UIKit

extension PushDelegate: RemoteNotificationMethods {}
