import Simulation
import Testing

@Suite struct SimulationTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func noPromiseIsBroken(seed: UInt64) {
        let outcome = Simulation.run(seed: seed)
        #expect(outcome.violations == [])
        #expect(outcome.toggleCount > 10)
        #expect(outcome.watchEventCount > 0)
    }

    @Test(arguments: [1, 7, 42] as [UInt64])
    func aSeedIsPlayedInTheSameWayAgain(seed: UInt64) {
        #expect(Simulation.run(seed: seed) == Simulation.run(seed: seed))
    }

    @Test(arguments: PlantedFault.allCases)
    func aPlantedFaultIsFound(_ fault: PlantedFault) {
        let found = (1...100 as ClosedRange<UInt64>).first { seed in
            !Simulation.run(seed: seed, fault: fault).violations.isEmpty
        }
        #expect(found != nil)
    }
}
