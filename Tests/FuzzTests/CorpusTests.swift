import FuzzTargets
import Testing
