import Foundation
import MarvelDomain
import Testing

@testable import TerminalUI

struct KittyGraphicsTests {
    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛")
    }

    @Test func commandsMatchTheKittyProtocol() {
        let opaque = PixelImage.rows([[PixelImage.red, PixelImage.blue]])
        #expect(text(KittyGraphics.transmit(opaque, id: 7)) == "␛_Ga=t,f=24,s=2,v=1,i=7,q=2,m=0;/wAAAAD/␛\\")
        let clear = PixelImage.rows([[PixelImage.clear]])
        #expect(text(KittyGraphics.transmit(clear, id: 7)) == "␛_Ga=t,f=32,s=1,v=1,i=7,q=2,m=0;CQkJAA==␛\\")
        #expect(
            text(KittyGraphics.place(id: 7, placement: 3, columns: 10, rows: 4)) == "␛_Ga=p,i=7,p=3,c=10,r=4,C=1,q=2␛\\"
        )
        #expect(text(KittyGraphics.remove(id: 7, placement: 3)) == "␛_Ga=d,d=i,i=7,p=3,q=2␛\\")
        #expect(text(KittyGraphics.delete(id: 7)) == "␛_Ga=d,d=I,i=7,q=2␛\\")
        #expect(text(KittyGraphics.deleteAll) == "␛_Ga=d,d=A,q=2␛\\")
    }

    @Test func aLargePictureComesInPieces() {
        var numbers = SplitMix64(seed: 5)
        let image = PixelImage.random(&numbers, width: 50, height: 50, colors: 9)
        let commands = text(KittyGraphics.transmit(image, id: 1)).split(separator: "␛\\")
        let payloads = commands.map { $0.split(separator: ";")[1] }
        #expect(commands.count == 4)
        #expect(payloads.allSatisfy { $0.count <= 4_096 && $0.count.isMultiple(of: 4) })
        #expect(commands.dropFirst().dropLast().allSatisfy { $0.hasPrefix("␛_Gq=2,m=1;") })
        #expect(commands.last?.hasPrefix("␛_Gq=2,m=0;") == true)
        #expect(Data(base64Encoded: payloads.joined()) == Data(image.pixels))
    }
}
