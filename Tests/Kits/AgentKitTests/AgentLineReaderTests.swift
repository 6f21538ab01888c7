import AgentKit
import Testing

@Suite struct AgentLineReaderTests {}
