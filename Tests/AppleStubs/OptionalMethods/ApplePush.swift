import UIKit

extension PushDelegate: PushRegistrationMethods {}
