import EndlessCodeClient
import ViewKit

typealias UserCommand = ViewKit.UserCommand<CodeProblem>
