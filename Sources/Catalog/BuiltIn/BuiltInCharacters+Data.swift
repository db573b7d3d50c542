// swift-format-ignore-file
// The table below is data: one line per character, some of them longer than any line of code may be.

enum BuiltInCharacters {
    /// One line per character, sorted by id, each `id|comics|name|description`; no line break after the last.
    ///
    /// `comics` is the number of comics that listed the character. A name contains no `|`, and keeps the spaces around
    /// it that the API had. A description, empty for most characters, is everything after the third `|`.
    static let text = #"""
1009144|49|A.I.M.|Scientists in yellow suits and beekeepers' helmets, they broke away from Hydra to sell advanced weapons. M.O.D.O.K. and the Cosmic Cube are among their creations.
1009146|53|Abomination (Emil Blonsky)|Spy Emil Blonsky dosed himself with more gamma rays than Bruce Banner had absorbed. He became stronger than a calm Hulk, scaled and ugly, and unable to change back.
1009148|91|Absorbing Man|Boxer and convict Crusher Creel takes on the properties of whatever he touches, be it steel, stone or glass. Loki gave him the power as a tool against Thor.
1009149|8|Abyss|
1009150|28|Agent Zero|
1009151|12|Amiko|
1009152|29|Ancient One|
1009153|114|Angel (Warren Worthington III)|Born to wealth and with white feathered wings, he was one of the five who began the X-Men. His family fortune has paid for more than one team.
1009154|65|Annihilus|Ruler of the Negative Zone, this insect-like conqueror draws his powers from the Cosmic Control Rod. He led the Annihilation Wave, a fleet that devastated worlds beyond counting.
1009156|117|Apocalypse|En Sabah Nur, born in ancient Egypt, is among the oldest mutants and holds that only the strong should live. Four Horsemen, often heroes whom he has warped, ride before him.
1009157|60|Spider-Girl (Anya Corazon)|Anya Corazon, a student from Brooklyn of Mexican and Puerto Rican descent, was given spider powers by a secret society. She began as Araña and later took up an older heroine's name.
1009158|29|Arcade|
1009159|560|Archangel|Stripped of his feathered wings, the X-Man Warren Worthington III accepted new ones of razor-edged metal from Apocalypse and served him as the Horseman Death. He broke free, though never entirely.
1009160|14|Arclight|
1009161|0|Artiee|
1009162|0|Askew-Tronics|
1009163|70|Aurora|Jeanne-Marie Beaubier, twin of Northstar, flies and gives off light as a member of Alpha Flight. A strict upbringing split her into a bold personality and a timid one.
1009164|40|Avalanche|Dominikos Petrakis from Crete sends out vibrations that bring down buildings. He took Mystique's side and, before the end, tried to leave crime behind.
1009165|1906|Avengers|When a scheme of Loki's threw several heroes together, they chose to stay a team. Its roster has changed countless times, but its purpose is still to face dangers too great for any one of them.
1009166|0|Lenny Balinger|
1009167|126|Bruce Banner|Among the foremost experts on gamma radiation, he built the bomb whose test made him the Hulk. A childhood of abuse had put the rage there long before.
1009168|177|Banshee|Sean Cassidy, a former agent of Interpol from Ireland, screams with enough force to fly and to shatter walls. After years in the X-Men he became headmaster to Generation X.
1009169|45|Baron Strucker|Wolfgang von Strucker, a Prussian aristocrat, fought Sergeant Fury in the war and turned Hydra into a world power. His Satan Claw gives off deadly electric shocks.
1009170|37|Baron Zemo (Heinrich Zemo)|Heinrich Zemo, a Nazi scientist, had his mask stuck to his face by an adhesive of his own. The rocket drone he set was believed to have killed Bucky.
1009171|37|Bastion|Master Mold and the futuristic Nimrod merged into a being who looked human. Under government auspices he rounded up mutants in Operation: Zero Tolerance.
1009172|30|Batroc the Leaper|
1009173|2|Battering Ram|
1009174|17|Beak|
1009175|809|Beast|Hank McCoy, a founding member of the X-Men, hides one of the finest scientific minds alive behind an ape-like build and, since an experiment on himself, a coat of blue fur.
1009176|0|Becatron|
1009177|8|Bedlam|
1009178|1|Beef|
1009179|19|Beetle (Abner Jenkins)|
1009180|44|Beta-Ray Bill|To protect the last of his people, the Korbinite warrior let himself be rebuilt with a horse-like face. He proved worthy of Thor's hammer, and Odin forged Stormbreaker for him.
1009181|2|Big Wheel|
1009182|293|Bishop|A policeman from a future in which mutants were branded and penned in camps, Lucas followed a fugitive back through time and stayed. He absorbs energy fired at him and sends it back.
1009183|0|Black Bird|
1009184|161|Black Bolt|A whisper from the king of the Inhumans can level a city, so Blackagar Boltagon has trained himself to utter no sound. He leads by gesture and by the voice of his wife Medusa.
1009185|172|Black Cat|Felicia Hardy followed her father into burglary, with acrobatics and a knack for bringing bad luck to others. She flirts with Spider-Man and with going straight.
1009186|106|Black Knight (Sir Percy of Scandia)|Sir Percy, a knight of King Arthur's court, acted the fool in public and fought for the throne in secret. Merlin armed him with the Ebony Blade, which carries a curse.
1009187|647|Black Panther|T'Challa rules Wakanda, an African nation made rich by vibranium and far ahead of the world in science. His title comes with a sacred herb that heightens strength and senses.
1009188|15|Black Tom|
1009189|554|Black Widow|Trained from childhood in Russia as a spy and assassin, Natasha Romanoff defected to the West. She has worked with S.H.I.E.L.D., Daredevil and the Avengers ever since.
1009190|9|Blackheart|
1009191|95|Blade|A vampire attacked his mother as she gave birth, and left Eric Brooks immune to the bite and able to walk in daylight. He hunts the undead without rest.
1009195|36|Blastaar|Baluur's exiled ruler fires force from his fingertips and roams the Negative Zone in search of conquest. Annihilus is a rival whom he hates.
1009196|4|Johnny Blaze|
1009197|63|Blink|Clarice Ferguson, lilac-skinned and young, cuts portals in space with javelins of crystal. She survived the Age of Apocalypse in one timeline and led the Exiles in others.
1009198|13|Blizzard|
1009199|76|Blob|Fred Dukes of the carnival cannot be moved once he plants his enormous weight. He left the sideshow for Magneto's Brotherhood of Evil Mutants.
1009200|12|Blockbuster|
1009201|6|Blok|
1009202|3|Bloke|
1009203|5|Bloodscream|
1009204|23|Bloodstorm|
1009205|62|Boomer|Before she settled on other names, Tabitha Smith used this one while with the New Mutants. Her exploding energy balls were already a nuisance to her teachers.
1009206|7|Box|
1009207|22|GW Bridge|
1009208|45|Brood|Insect-like parasites who plant their eggs in living hosts, they spread through space on enslaved creatures the size of ships. The X-Men nearly fell to them.
1009209|30|Brotherhood of Evil Mutants|
1009210|9|Brute|
1009211|82|Bucky|James Barnes, mascot of an Army camp, discovered that Steve Rogers was Captain America and became his partner. He was believed killed near the war's end, when a drone plane blew up.
1009212|129|Bullseye|Anything is a lethal weapon in the hand of this assassin, who never misses. He killed both Elektra and Karen Page, and Daredevil carries those deaths with him.
1009213|12|Bushwacker|
1009214|429|Cable|Nathan Summers, son of Cyclops, was sent into the far future as a baby because of a techno-organic virus. He returned as a hardened soldier and telekinetic to change the history that made him.
1009215|381|Luke Cage|Imprisoned for a crime he did not commit, the man from Harlem volunteered for an experiment that gave him unbreakable skin. He set up as a hero for hire and later led the Avengers.
1009216|69|Caliban|A pale and lonely Morlock who can sense the presence of other mutants, he was used by many masters for it. Apocalypse remade him into one of his Horsemen.
1009217|33|Callisto|
1009218|6|Calypso|
1009219|287|Cannonball|The eldest son of a Kentucky coal mining family, Sam Guthrie flies by thermochemical propulsion and is nearly invulnerable while he blasts. He came up through the New Mutants.
1009220|2354|Captain America|Steve Rogers was too frail to enlist in World War II until an experimental serum made him the perfect soldier. Decades frozen in ice brought him, and his round shield, into the modern age.
1009223|174|Captain Britain|Brian Braddock received his strength and flight from Merlyn and his daughter Roma as champion of the British Isles. He is one of a corps of such guardians across the realities.
1009224|197|Captain Marvel (Mar-Vell)|Sent by the Kree to spy on Earth, the officer came to love the planet and was branded a traitor. He became the cosmic protector of the universe, and it was cancer, not battle, that ended his life.
1009225|10|Captain Stacy|
1009226|1|Cargill|
1009227|130|Carnage|The offspring of Venom's symbiote bonded with Cletus Kasady, a serial killer in the next cell. The result is a red horror with no motive but murder.
1009228|112|Sharon Carter|Also known as Agent 13, she joined S.H.I.E.L.D. inspired by the wartime exploits of her relative Peggy. Her long love for Steve Rogers has survived many missions and a feigned death.
1009229|24|Frank Castle|
1009230|1|Catseye|
1009231|7|Cerebro|
1009232|39|Ch'od|A scaly giant of the Saurid people, he serves as first mate on Corsair's starship. With the Starjammers he fights for freedom, and for pay now and then.
1009233|52|Chamber|The first use of his power destroyed Jonothon Starsmore's lower face and chest. A furnace of psychic energy burns in their place, and the bitter young Londoner speaks by telepathy.
1009234|39|Chameleon|Dmitri Smerdyakov, a spy and a half brother of Kraven, takes on any face. He was already impersonating Spider-Man in the first issue of the hero's own series.
1009235|0|Robin Chapel|
1009236|7|Lila Cheney|
1009237|6|Chimera|
1009238|3|Chronomancer|
1009239|96|Clea|The silver-haired niece of Dormammu defied him to aid Doctor Strange. She followed him from the Dark Dimension to Earth, became his disciple and married him.
1009240|0|Albert Cleary|
1009241|121|Cloak|Tyrone Johnson opens a way into a dimension of darkness through the folds of his cloak. The hunger that comes with it can be eased only by the light of his partner Dagger.
1009242|9|Malcolm Colcord|
1009243|691|Colossus|A farm boy from Siberia, Piotr Rasputin can turn his flesh into organic steel. Gentle by nature and an artist at heart, he serves the X-Men as their strongest fighter.
1009244|18|Curt Conners|
1009245|34|Constrictor|
1009246|0|Cornelius|
1009247|28|Corsair|
1009248|3|Fabian Cortez|
1009249|30|Count Nefaria|
1009250|1|Countess|
1009251|40|Crimson Dynamo|Russia's answer to Iron Man has had more than a dozen wearers. Anton Vanko designed the first suit of red armor and gave his life against his former masters.
1009252|46|Crossbones|Brock Rumlow is a mercenary behind a skull mask who works for the Red Skull. He took part in the killing of Steve Rogers outside a courthouse.
1009253|7|Crule|
1009254|3|Crusher Hogan|
1009255|122|Crystal|Youngest of the Inhuman royal family, Medusa's sister commands fire, water, earth and air. She stood in for Sue Storm in the Fantastic Four and married Quicksilver.
1009256|21|Cyber|
1009257|973|Cyclops|The first student of Professor X, Scott Summers fires blasts of force from eyes that only ruby quartz can hold in check. He grew from a reserved field leader of the X-Men into a revolutionary for his kind.
1009258|123|Dagger|Daggers of living light fly from the hands of Tandy Bowen, a runaway whom dealers used to test a drug. She and Cloak, changed by it together, protect other lost young people.
1009259|16|Damage Control|
1009260|8|Lorna Dane|
1009261|31|Carol Danvers|
1009262|1172|Daredevil|An accident with radioactive waste blinded young Matt Murdock and sharpened his other senses beyond human limits. By day he practices law in Hell's Kitchen; at night he guards it.
1009265|22|Dark Phoenix|
1009266|24|Darkstar|
1009267|205|Dazzler|Alison Blaire turns sound into light, a gift that she used in a singing career before the public knew she was a mutant. Stardom gave way to life on the run with the X-Men.
1009268|851|Deadpool|Wade Wilson, a mercenary with terminal cancer, was given a healing factor that saved his life and ruined his face and sanity. He talks without pause, often to the reader.
1009269|29|Death|
1009270|36|Deathbird|Shi'ar princess Cal'syee Neramani was exiled as a child for a prophecy of evil. Fierce and winged, she schemes for the throne of her sister Lilandra.
1009271|37|Destiny|Irene Adler was blind, yet saw probable futures and wrote her visions in diaries. She loved Mystique, and together they raised Rogue.
1009272|3|Detective Soap|
1009273|28|Diablo|
1009274|54|Diamondback (Rachel Leighton)|Rachel Leighton threw sharp, trick-loaded gems for the Serpent Society until she fell for Captain America. She crossed over to his side and lost friends for it.
1009275|106|Doc Samson|Gamma radiation made psychiatrist Leonard Samson strong and turned his hair green. He has treated many superhumans, the Hulk first among them.
1009276|160|Doctor Octopus|In a laboratory accident four mechanical arms fused to the body of nuclear physicist Otto Octavius. His genius and vanity have made him a founder of the Sinister Six and one of Spider-Man's worst enemies.
1009277|269|Domino|Luck bends in favor of Neena Thurman whenever she puts herself in danger. A mercenary with a mark around one eye, she has long fought at Cable's side.
1009278|3|Doomsday Man|
1009279|39|Doop|Floating, green and shaped like a potato, he filmed X-Statix and speaks a language only some understand. Hidden strengths have surprised those who laughed at him.
1009280|52|Dormammu|Ruler of the Dark Dimension, this flame-headed tyrant longs to add Earth to his realm. It is Doctor Strange, again and again, who stands in his way.
1009281|413|Doctor Doom|Victor von Doom, monarch of Latveria, joins science and sorcery behind a mask of iron. He blames Reed Richards for his ruined face and believes that only he is fit to rule the world.
1009282|837|Doctor Strange|Stephen Strange was a brilliant, arrogant surgeon until a car crash ruined his hands. Seeking a cure in the Himalayas, he learned magic from the Ancient One and became Sorcerer Supreme.
1009283|36|Dragon Man|An artificial dragon brought alive by Diablo's alchemy has the mind of a child. He wants friendship more than destruction and found it among the young students of the Future Foundation.
1009284|63|Dum Dum Dugan|The bowler hat and the red mustache of Timothy Dugan are as old as the Howling Commandos. Nick Fury's friend since the war, he rose high in S.H.I.E.L.D.
1009285|21|Dust|
1009286|7|Earthquake|
1009287|86|Electro|Struck by lightning on a power line, lineman Max Dillon became a living battery. He turned at once to robbery and, with other enemies of Spider-Man, joined the Sinister Six.
1009288|196|Elektra|The daughter of a murdered Greek diplomat, she became a deadly assassin who fights with a pair of sai. She and Matt Murdock were lovers in college, and death has not quite ended it.
1009290|1|Elite|
1009291|19|Empath|
1009292|10|Emplate|
1009293|5|Erik the Red|
1009294|146|Exiles|Plucked from different timelines, its members hop from reality to reality to repair what has gone wrong in each. Blink and Morph were among the longest serving.
1009295|25|Exodus|
1009296|0|Expediter|
1009297|193|Falcon|Sam Wilson of Harlem glides on mechanical wings and shares a mental link with his bird, Redwing. He was partner to Captain America long before he carried the shield himself.
1009298|15|Famine|
1009299|1413|Fantastic Four|Cosmic rays gave four space travelers, Reed Richards, Sue and Johnny Storm and Ben Grimm, strange new powers. They used them in public, as explorers and as a family, rather than behind masks.
1009301|63|Fantomex|Bred in the artificial World as a super-sentinel, Jean-Philippe escaped to be a gentleman thief. His nervous system lives outside his body as the flying craft E.V.A.
1009302|6|Fenris|
1009303|27|Fin Fang Foom|
1009304|7|Firebrand|
1009305|41|Firelord|Pyreus Kril of Xandar sought his captain, who had become a herald of Galactus, and took over the post. His staff projects cosmic flame.
1009306|106|Firestar|Angelica Jones projects microwaves as heat and flame, and flies with them. Trained at first by Emma Frost as a weapon, she made her name in the New Warriors.
1009307|28|Force Works|
1009308|22|Forearm|
1009309|147|Forge|A Cheyenne veteran of the Vietnam War, he has an intuitive gift for inventing any machine he can imagine. His weapons have served both the government and the X-Men.
1009310|395|Emma Frost|Formerly the White Queen of the Hellfire Club, this sharp-tongued telepath can turn her body to diamond. The death of her students drove her to the X-Men, where she taught and led.
1009311|8|Rumiko Fujikawa|
1009312|230|Galactus|Sole survivor of the universe before our own, the devourer of worlds must drain living planets of energy to survive. He regards himself as neither good nor evil, but as a force of nature.
1009313|483|Gambit|Remy LeBeau charges playing cards and other objects with kinetic energy until they explode. The Cajun thief from New Orleans brought his charm and his secrets to the X-Men.
1009314|0|Mac Gargan|
1009315|29|Gateway|
1009316|29|Gauntlet (Joseph Green)|
1009317|16|Genesis|
1009318|293|Ghost Rider (Johnny Blaze)|Stunt rider Johnny Blaze sold his soul to save a father figure and was bound to the demon Zarathos. At night a flaming skull replaces his face, and the guilty burn under his stare.
1009320|58|Giant Man|Growing instead of shrinking, Hank Pym took this name in the early days of the Avengers. Size brought him strength but also strain, and he soon moved on to other identities.
1009321|83|Gladiator (Kallark)|Praetor of the Shi'ar Imperial Guard, the mohawked Strontian is as strong as he is confident, literally: doubt weakens him. His duty is to the throne, whoever sits on it.
1009322|9|Goblin Queen|
1009324|64|Gorgon|
1009325|192|Norman Osborn|Head of Oscorp and father of Harry, he tested a formula on himself that brought strength and madness. As the first Green Goblin he has struck at Peter Parker through those he loves.
1009326|0|Gressill|
1009327|214|Jean Grey|Telepath and telekinetic, she was one of the five original X-Men, then known as Marvel Girl. Her bond with the Phoenix, a cosmic force of life and fire, has cost her that life more than once.
1009328|33|Grim Reaper|
1009329|45|Ben Grimm|Football star, test pilot and Reed Richards's college roommate, he flew the rocket against his own advice. His friends know the tender man under the rock.
1009330|36|Guardian|James MacDonald Hudson stole the battlesuit he had invented for oil prospecting, so that it would not be a weapon. In Canada's colors he flew it as leader of Alpha Flight.
1009331|0|Guardsmen|
1009332|1|H.E.R.B.I.E.|
1009333|1|Half-Life (Tony Masterson)|
1009334|30|Hammerhead|
1009335|3|Felicia Hardy|
1009336|13|Harpoon|
1009337|333|Havok|Alex Summers absorbs ambient energy and releases it as plasma. Long in the shadow of his brother Cyclops, he came into his own as leader of X-Factor.
1009338|635|Hawkeye|Raised in a traveling circus, Clint Barton became the world's greatest archer. He crossed the law early in his career, then spent years proving himself among the Avengers, with trick arrows and no powers at all.
1009339|0|Harry Heck|
1009340|31|Hellfire Club|
1009341|1|Hemingway|
1009342|38|Hepzibah|A feline humanoid of the Mephitisoid race, she escaped a Shi'ar slave pit together with Corsair. She became his companion and a fierce fighter of the Starjammers.
1009343|283|Hercules|Son of Zeus and hero of Greek legend, the Olympian remains as fond of feasts as of battles. His strength rivals Thor's, and the two have traded blows and boasts for centuries.
1009344|0|Carol Hines|
1009345|5|Hitman|
1009346|0|Anne Marie Hoag|
1009347|38|Hobgoblin (Roderick Kingsley)|Fashion designer Roderick Kingsley came upon Norman Osborn's gear and improved it, but had no wish for the madness. Others were often set up to take the fall for him.
1009348|18|Happy Hogan|
1009349|31|Holocaust (Age of Apocalypse)|
1009350|0|Holy|
1009351|1669|Hulk|Gamma rays from a bomb test turned physicist Bruce Banner into a green giant whose strength grows with his anger. Hunted by the army, he wants above all to be left alone.
1009355|33|Hulkling|
1009356|1180|Human Torch|Johnny Storm can set his body ablaze, fly and throw fire without harm to himself. The hot-headed youngest member of the Fantastic Four is Sue's brother and Spider-Man's friendly rival.
1009357|40|Husk|Paige Guthrie sheds her skin to reveal another of stone, metal or glass beneath. The hard-working farm girl followed her brother Sam from Kentucky into Xavier's care.
1009358|8|Hussar|
1009359|142|Hydra|Cut off one head, its members say, and two more will take its place. This worldwide terrorist organization, shaped by Baron Strucker, has fought S.H.I.E.L.D. since its first days.
1009360|18|Hydro-Man|
1009361|35|Hyperion (Earth-712)|
1009362|574|Iceman|Bobby Drake freezes the moisture in the air, slides along bridges of ice and turns his own body to it. He was the youngest of Professor X's first students.
1009363|17|Imperial Guard|
1009364|24|Impossible Man|
1009365|248|Inhumans|Kree experiments on early humans produced this hidden people, whose powers are awakened by the Terrigen Mist. Their royal family ruled from the city of Attilan, on Earth and on the Moon.
1009366|724|Invisible Woman|Sue Storm Richards bends light to vanish from sight and projects fields of force that may make her the most powerful of the Fantastic Four. She holds both the team and her family together.
1009367|391|Iron Fist (Danny Rand)|Orphaned near the hidden city of K'un-Lun, Danny Rand trained there for years and won the power of the dragon Shou-Lao. He focuses his inner force into a fist that can shatter steel.
1009368|2567|Iron Man|Industrialist and inventor Tony Stark first built a suit of powered armor to escape his captors and keep his injured heart beating. He has refined it ever since and helped to found the Avengers.
1009371|0|Iron Monger|
1009372|277|J. Jonah Jameson|The cigar-chewing publisher of the Daily Bugle pays for photographs of Spider-Man and calls him a menace on the front page. For all his bluster, he has also stood up to crime bosses and bigots.
1009373|1|Jetstream|
1009374|22|Jigsaw|
1009375|0|Joan the Mouse|
1009376|74|Jocasta|Ultron made a metal bride and modeled her mind on Janet Van Dyne. She betrayed him to the Avengers and has been loyal to them ever since.
1009377|0|Gabe Jones|
1009378|155|Jessica Jones|After a brief and painful career in costume, she opened a private detective agency called Alias. She is super strong, hard-drinking and stubborn, and married to Luke Cage.
1009379|185|Rick Jones|A teenager on a dare drove onto a test site, and Bruce Banner became the Hulk saving him. Rick has since been sidekick to the Avengers, Captain America and two Captain Marvels.
1009380|37|Joseph|An amnesiac who resembled a youthful Magneto was taken in by a nun and later by the X-Men. He turned out to be a clone and gave up his life for humanity.
1009381|247|Jubilee|Fireworks burst from the fingers of Jubilation Lee, an orphan who was living in a Los Angeles mall when the X-Men found her. Wolverine became her unlikely guardian.
1009382|200|Juggernaut|Cain Marko picked up a ruby of the mystic Cyttorak and became a human battering ram: once he moves, hardly anything can stop him. Resentment of his stepbrother Charles Xavier drives him.
1009383|19|Garrison Kane|
1009384|124|Kang|Nathaniel Richards, a scholar of the far future, found a time machine and used it to conquer. His many selves across the ages, Rama-Tut and Immortus among them, do not always get along.
1009385|105|Karnak|Alone of the Inhuman royal family he was never exposed to the Terrigen Mist. Long study taught him to find the weak point in any object, body or plan.
1009386|0|Khan|
1009387|48|Quentin Quire|A gifted and arrogant student, Quentin led a riot at Xavier's school. Though one of the strongest telepaths of his age, he mainly enjoys annoying his teachers.
1009388|2|King Bedlam|
1009389|248|Kingpin|Wilson Fisk looks fat but is nearly all muscle, and runs the New York underworld like a business. He has used Daredevil's secret identity to take his life apart piece by piece.
1009390|47|Klaw|Physicist Ulysses Klaw turned solid sound into a weapon, and himself into it as well. He murdered King T'Chaka of Wakanda for vibranium, and T'Challa has not forgotten.
1009391|68|Kraven the Hunter|Sergei Kravinoff, son of Russian nobles, hunts big game with bare hands and jungle potions. Only Spider-Man has escaped him, and proving himself the better of the two became his life.
1009392|2|La Nuit|
1009393|91|Lady Deathstrike|Yuriko Oyama, whose father devised the process that bonds adamantium to bone, felt his work had been stolen. Rebuilt as a cyborg with long metal talons, she hunts Wolverine.
1009394|0|Lake|
1009395|0|Landau|
1009396|0|Eddie Lau|
1009397|1|Lava-Man|
1009398|49|Leader|The gamma rays that gave Hulk his brawn gave laborer Samuel Sterns an enormous brain instead. Green-skinned and vain, he means to prove that intellect should govern.
1009399|88|Legion|David Haller, the son of Charles Xavier, carries a crowd of personalities in one mind. Each of them controls a different power, and few of them get along.
1009401|4|Lifeguard|
1009402|114|Lilandra|Majestrix of the Shi'ar Empire, she fled to Earth to find help against her mad brother D'Ken. She and Charles Xavier fell in love, across a distance of light-years.
1009403|12|Liz Osborn|
1009404|88|Lizard|Surgeon Curt Connors hoped that reptile DNA would regrow his lost arm. It did, but it also turns him into a savage creature that Spider-Man must stop and would rather cure.
1009405|65|Lockheed|Small, purple and able to breathe fire, the alien dragon followed Kitty Pryde to Earth and stayed. He understands far more than he lets people think.
1009406|82|Lockjaw|The royal family of the Inhumans keeps this enormous bulldog, who can teleport himself and his companions over any distance. A tuning-fork shape adorns his forehead.
1009407|374|Loki|Born to frost giants and raised by Odin, the god of mischief envies his brother Thor. His plots threaten Asgard more often than not, though he has been known to save it.
1009408|86|Longshot|Grown in a laboratory of Mojoworld, he has hollow bones, three fingers and a thumb on each hand and extraordinary good fortune. He led a slave revolt before he lost his memory and found the X-Men.
1009409|0|Luckman|
1009411|34|Mad Thinker|
1009412|16|Madame Hydra|
1009413|84|Madrox|Jamie makes a duplicate of himself at any sharp impact, and each has a slightly different temper. His detective agency, X-Factor Investigations, rarely lacked for staff.
1009414|23|Maggott|
1009415|104|Magik (Illyana Rasputin)|Colossus's little sister was carried off to the demon realm of Limbo and came back years older, as a sorceress. She steps through discs of light and wields the Soulsword.
1009416|60|Magma (Amara Aquilla)|Amara grew up in Nova Roma, a hidden city in the Amazon that seemed to live by ancient Roman custom. She throws molten rock and was one of the New Mutants.
1009417|456|Magneto|A survivor of the Holocaust who commands magnetism, he vowed that mutants would never suffer the same fate. That conviction has made him the X-Men's deadliest foe and, at times, their leader.
1009418|2|Ma Gnuci|
1009420|141|Man-Thing|In a Florida swamp, a serum and magic turned scientist Ted Sallis into a mindless creature of plants and mud. It senses emotion, and whatever knows fear burns at its touch.
1009421|80|Mandarin|Ten rings of alien origin, found in a crashed starship, give him dominion over fire, ice, lightning and minds. With them he has challenged Iron Man for mastery of Asia and more.
1009422|2|Mandroid|
1009423|9|Manta|
1009424|16|Marauders|
1009425|82|Marrow|Bones grow out through Sarah's skin, and she breaks them off for knives. She was one of the Morlocks, outcast mutants under New York, before she gave the X-Men a try.
1009427|49|Marvel Boy|The name has passed among several young heroes. Notable is Noh-Varr, a Kree from another reality, whose ship was shot down over Earth and who at first declared war on it.
1009430|88|Rachel Grey|She comes from a future in which Sentinels hunted mutants, the daughter of that world's Scott Summers and Jean Grey. Like her mother she is a telepath who has held the Phoenix Force.
1009433|9|Master Mold|
1009434|46|Mastermind|Jason Wyngarde made illusions so convincing that the senses accept them. By posing as Jean Grey's lover he opened the way for Dark Phoenix.
1009435|60|Alicia Masters|Blind since childhood, this gifted sculptor found in Ben Grimm the good man others could not see. Her stepfather is the Puppet Master, whose clay she does not share.
1009436|5|Mauler|
1009437|4|Maverick (Christoph Nord)|
1009438|164|Medusa|The queen of the Inhumans controls her long red hair as if it were a multitude of hands. She speaks for her silent husband Black Bolt, and has ruled in his place.
1009439|70|Meltdown|Tabitha Smith forms plasma into explosive balls and has changed code names as often as teams. She used this one with X-Force.
1009440|120|Mephisto|Lord of one of the hells, this demon bargains for souls and prefers pure ones. Ghost Rider, the Silver Surfer and Spider-Man have all paid dearly for a deal with him.
1009441|0|Mephistopheles|
1009442|32|Mesmero|
1009443|0|Metal Master|
1009444|0|Micro/Macro|
1009445|36|Mimic|Calvin Rankin took on all five original X-Men's powers through his father's chemicals. He became the first X-Man to come from outside the school, though not for long.
1009446|4|Mister Fear|
1009447|98|Mister Sinister|Victorian scientist Nathaniel Essex was made ageless by Apocalypse and has studied mutant bloodlines ever since. The Summers and Grey families are his obsession.
1009453|62|Dani Moonstar|A Cheyenne from Colorado, Danielle shows people their deepest fears or desires as images. The winged horse Brightwind chose her in Asgard, and she became one of the Valkyries.
1009463|28|Matthew Murdock|
1009466|313|Namor|Proud king of Atlantis and one of the first mutants known to the world, he breathes in water and air alike and flies with small wings on his ankles. He stood beside Captain America in World War II.
1009468|50|Namora|Namor's cousin from Atlantis swore revenge when raiders killed her father. She had her own adventures after World War II, and came back to join the Agents of Atlas.
1009469|62|Namorita|Namor's younger cousin, a hybrid of human and Atlantean blood like him, flies by the wings at her ankles. She fought, argued and fell in love with the New Warriors.
1009470|88|Foggy Nelson|Law partner and best friend of Matt Murdock since college, Franklin Nelson has defended innocents, served as district attorney and kept Daredevil's secret.
1009471|523|Nick Fury|A veteran of World War II who led the Howling Commandos, the one-eyed colonel became director of S.H.I.E.L.D. The Infinity Formula kept him young through decades of espionage.
1009472|613|Nightcrawler|Kurt Wagner looks like a demon, with blue skin and a pointed tail, yet the German acrobat is a devout and cheerful man. He teleports in a puff of smoke that smells of brimstone.
1009473|58|Nightmare|Sleepers everywhere pass through the realm of this demon, who feeds on the terror of dreams. Doctor Strange, who guards against him, was his chosen enemy from the first.
1009474|33|Nocturne|
1009475|21|Nomad|
1009476|95|Northstar|Jean-Paul Beaubier, a Canadian ski champion, flies at great speed and shines when he clasps hands with his twin Aurora. He was one of the first openly gay heroes in comics.
1009477|181|Nova|Richard Rider, a high school student from Long Island, inherited the uniform and powers of a dying centurion of the planet Xandar. He grew up to be the last defender of a fallen corps in a galactic war.
1009478|9|Cassandra Nova|
1009479|3|Otto Octavius|
1009480|213|Odin|All-Father of the Norse gods, he gave an eye for wisdom and has ruled Asgard since before recorded history. His sons Thor and Loki try his patience in equal measure.
1009481|7|Ogun|
1009482|56|Omega Red|Arkady Rossovich was a serial killer whom the Soviet Union turned into a super-soldier. Carbonadium tentacles and a death factor drain the life from those near him.
1009483|45|Onslaught|From the darkest part of Charles Xavier's mind, mixed with Magneto's rage, came this psychic being. The Avengers and Fantastic Four gave up their lives to contain it.
1009484|20|Oracle|
1009485|14|Orphan|
1009486|98|Harry Osborn|Peter Parker's best friend at college was the neglected heir of Oscorp. When his father died as the Green Goblin, grief and drugs led Harry to put on the mask as well.
1009487|6|Iron Patriot|
1009488|15|Ozymandias|
1009489|21|Ben Parker|
1009490|165|May Parker|The widow of Ben Parker brought up her nephew Peter on little money and much love. Frail as she may seem, she has volunteered in shelters and faced down villains in her own kitchen.
1009491|193|Peter Parker|Quick-witted, short of cash and quietly brilliant, the orphan from Queens has been a student, a news photographer, a teacher and a scientist. Only a few know that he is also Spider-Man.
1009492|81|Patriot|Reporter Jeffrey Mace first bore this name in World War II. Decades later Eli Bradley, grandson of a forgotten Black super-soldier, claimed it and founded the Young Avengers with Iron Lad.
1009493|67|Penance (Robert Baldwin)|Blaming himself for the children killed at Stamford, the carefree Speedball had a suit made with spikes on the inside. Pain fuels the new and darker power he found.
1009494|85|Pepper Potts|Tony Stark's secretary rose to run his company, held together by common sense and loyalty. She has also worn armor of her own under the name Rescue.
1009495|10|Pestilence|
1009496|52|Jean Grey|From her first days at Xavier's school to her rebirth as Phoenix, she has been the heart of the X-Men. Scott Summers and Logan both loved her.
1009497|1|Alexander Pierce|
1009498|2|Plazm|
1009499|258|Polaris|Lorna Dane has green hair and the same command of magnetism as Magneto, her father. A long romance with Havok runs through her years in the X-Men and X-Factor.
1009500|0|John Porter|
1009501|13|Post|
1009502|3|Pretty Boy|
1009503|5|Prism|
1009504|421|Professor X|Charles Xavier, one of the strongest telepaths on Earth, founded the X-Men on the dream that humans and mutants can live in peace. The methods he used have not always matched the dream.
1009505|16|Proteus|
1009506|5|Proudstar|
1009507|25|Prowler|
1009508|329|Kitty Pryde|Able to walk through walls, Kitty joined the X-Men at thirteen as their youngest recruit. The computer prodigy from Illinois grew up to teach at the school and to run it.
1009509|20|Madelyne Pryor|
1009510|4|PsyNapse|
1009511|11|Psycho-Man|
1009512|409|Psylocke|Betsy Braddock, a British telepath and the twin of Captain Britain, spent years in the body of the assassin Kwannon. Her trademark weapon is a blade of focused psychic energy.
1009513|60|Puck|Eugene Judd, a Canadian bouncer of small stature, is dense, tough and astonishingly acrobatic. Cartwheels and dry humor carried him through Alpha Flight and beyond.
1009514|31|Puma|
1009515|729|Punisher|After gangsters killed his wife and children in a New York park, former Marine Frank Castle declared war on crime. Unlike most who share his streets, he takes no prisoners.
1009517|6|Punisher (2099)|
1009519|41|Puppet Master|Phillip Masters carves likenesses from radioactive clay, and whoever they resemble must obey. Alicia Masters is his stepdaughter and the Fantastic Four his main enemies.
1009520|25|Purple Man|
1009522|52|Pyro|St. John Allerdyce shapes flames into whatever he imagines, but cannot create them. He worked with Mystique in the Brotherhood and died of the Legacy Virus.
1009523|102|Quasar (Phyla-Vell)|Phyla-Vell, daughter of the Kree hero Mar-Vell, took up the Quantum Bands after the death of Wendell Vaughn. She went to war against Annihilus and joined the Guardians of the Galaxy.
1009524|372|Quicksilver|Short of temper because the world moves so slowly for him, Pietro Maximoff runs faster than sound. With his twin sister Wanda he left Magneto's Brotherhood for the Avengers.
1009525|70|Valeria Richards|The daughter of Reed and Sue Richards may be more intelligent than her father. Doctor Doom helped to deliver her, named her and watches over her with rare affection.
1009526|26|Radioactive Man|
1009527|0|Raider|
1009528|7|Randall|
1009529|1|Ilyana Rasputin|
1009530|9|Mikhail Rasputin|
1009531|35|Raza|
1009532|18|Reaper|
1009533|16|Reavers|
1009534|15|Red Ghost|
1009535|172|Red Skull|Johann Shmidt rose from bellhop to Hitler's chosen terror agent, hidden behind a crimson death mask. He has outlived the Reich and remains the bitterest enemy of Captain America.
1009536|21|Cecilia Reyes|
1009537|72|Rhino|Aleksei Sytsevich let criminals seal him into a thick gray hide that made him nearly unstoppable. His horned charge is dangerous; his judgment seldom is.
1009538|76|Iron Patriot (James Rhodes)|James Rhodes, former Marine pilot and War Machine, wore this armor in the colors of the flag when he wanted to work in the open. Norman Osborn had disgraced the name before him.
1009539|155|Franklin Richards|The son of Reed and Sue Richards is a mutant who can reshape reality, and has created whole universes. Most of the time he is simply a child in a very unusual home.
1009542|114|Rictor|Julio Richter of Mexico sets off seismic shocks with his hands. Rescued by the original X-Factor, he found close friends in the New Mutants and in Shatterstar more than a friend.
1009543|11|Riptide|
1009544|13|Risque|
1009545|66|Robbie Robertson|City editor Joseph Robertson is the Daily Bugle's conscience and the calm beside J. Jonah Jameson's storms. He believes in facts, and so he has seldom believed the worst of Spider-Man.
1009546|621|Rogue|Skin contact lets this Mississippi runaway absorb the memories and abilities of others, so for years she dared touch no one. She left the Brotherhood of Evil Mutants to seek help from the X-Men.
1009547|19|Natasha Romanoff|
1009548|69|Betty Ross|General Ross's daughter loved Bruce Banner and stood by him through years of pursuit. Her own exposure to gamma rays made her the Harpy and, much later, the Red She-Hulk.
1009549|1|Roulette|
1009550|0|Bart Rozum|
1009551|0|Russian|
1009552|158|S.H.I.E.L.D.|Helicarriers, spies and advanced gadgets are the marks of this international intelligence agency. Created to oppose Hydra, it is bound up above all with the name of Nick Fury.
1009553|21|Sabra|
1009554|301|Sabretooth|Victor Creed shares Wolverine's healing, claws and bloody past, but none of his scruples. He has hunted his old comrade for decades and likes to do it on his birthday.
1009555|31|Sage|
1009556|0|Gene Sailors|
1009557|0|Howard Saint|
1009558|122|Sandman|Flint Marko, an escaped convict, walked into a nuclear test on a beach and became living sand. He has been Spider-Man's enemy and, for a while, tried honestly to be a hero.
1009559|0|Saracen (Muzzafar Lambert)|
1009560|94|Sasquatch (Walter Langkowski)|Physicist Walter Langkowski tried to repeat the Hulk's origin in the Arctic and became an orange-furred beast. He kept his mind and gave his strength to Alpha Flight.
1009561|54|Sauron|Energy vampire and scientist Karl Lykos becomes a pteranodon-like creature when he feeds on mutants. He has his lair in the Savage Land and took his name from Tolkien.
1009562|525|Scarlet Witch|Wanda Maximoff alters probability with her hexes and, at her strongest, reality itself. Once a reluctant follower of Magneto, she became an Avenger together with her twin Quicksilver.
1009565|8|Scourge|
1009566|9|Scream (Donna Diego)|
1009567|0|Amanda Sefton|
1009568|27|Selene|
1009569|1|Senator Kelly|
1009570|65|Sentinel|These towering robots were designed by Bolivar Trask to identify and subdue mutants. Like many machines of their kind, they soon decided to rule the people they should protect.
1009571|108|Sentry (Robert Reynolds)|Robert Reynolds holds the power of a million exploding suns, and in the recesses of his mind the monstrous Void. For the safety of all, the world had been made to forget him.
1009572|8|Serpent Society|
1009573|24|Shadow King|
1009574|14|Shadowcat|
1009575|10|Shalla-bal|
1009576|46|Shaman|Physician Michael Twoyoungmen of the Tsuut'ina failed to save his wife and turned to his grandfather's medicine. From his pouch he draws whatever magic Alpha Flight needs.
1009577|218|Shang-Chi|Master of kung fu, he was trained from birth as the weapon of a criminal father whose evil he did not suspect. On learning the truth he turned all his skill against him.
1009578|65|Shanna the She-Devil|A veterinarian who grew up in Africa, Shanna O'Hara lives by spear and knife among dinosaurs. She and Ka-Zar married and are raising a son in the Savage Land.
1009579|28|Shard|
1009580|135|Shatterstar|Bred as a gladiator in the realm of Mojoworld, he fights with twin swords and can send vibrations through them. He came to Earth with X-Force and fell in love with Rictor.
1009581|37|Sebastian Shaw|Struck or shot, this rich businessman absorbs the energy and grows stronger. As Black King of the Hellfire Club he profits from the Sentinels that hunt his own kind.
1009582|5|Shinobi Shaw|
1009583|453|She-Hulk (Jennifer Walters)|A blood transfusion from her cousin Bruce Banner gave attorney Jennifer Walters green skin and great strength. She usually keeps her wits when she changes, and practices law either way.
1009584|6|Shiva|
1009585|38|Shocker (Herman Schultz)|Safecracker Herman Schultz made quilted gauntlets that fire vibrating blasts of air. He regards crime as a trade and Spider-Man as an occupational hazard.
1009586|4|Shotgun|
1009587|7|Shriek|
1009588|170|Sif|Asgardian warrior and goddess, this black-haired friend of Thor's youth is as good with a sword as any of his companions. She has loved him for ages, not always happily.
1009589|13|Silver Fox|
1009590|71|Silver Sable|Head of a mercenary outfit called the Wild Pack, Silver Sablinova of Symkaria began by hunting war criminals. She has paid Spider-Man for his help, and also been paid to catch him.
1009591|39|Silver Samurai|Kenuichio Harada, the mutant son of a Japanese crime lord, charges his katana with a tachyon field. He has been both Wolverine's enemy and his ally.
1009592|524|Silver Surfer|To save his planet Zenn-La, Norrin Radd agreed to find worlds for Galactus to consume, and received the Power Cosmic in exchange. Earth reminded him of what he had lost, and he turned on his master.
1009594|18|Silvermane|
1009595|0|Roxanne Simpson|
1009596|149|Banshee (Theresa Rourke)|Better known in earlier years as Siryn, she inherited a sonic scream from her father Sean Cassidy, whose name she later took in his memory. She was a mainstay of X-Force and of X-Factor Investigations.
1009597|20|Jasper Sitwell|
1009598|12|Skin|
1009599|132|Skrulls|Shape-changers from a distant empire, they once planned to conquer Earth by taking the place of its people. Their war with the Kree has lasted for thousands of years.
1009600|3|Skullbuster (Cylla Markham)|
1009601|6|Sleeper|
1009602|5|Slipstream|
1009603|17|Smasher (Vril Rokk)|
1009604|0|Jennifer Smith|
1009605|7|Spencer Smythe|
1009606|48|Snowbird|Demigoddess of the north, Narya turns into any white animal of Canada and into a woman. She was raised by Shaman to guard the land from ancient beasts.
1009607|0|Spacker Dave|
1009608|263|Spider-Woman (Jessica Drew)|Jessica Drew received spider powers as a child and was raised to serve Hydra before she learned whom she worked for. She has since been a private eye, a spy and an Avenger.
1009609|196|Spider-Girl (May Parker)|In a possible future, the daughter of Peter Parker and Mary Jane Watson inherits her father's powers as a teenager. May, called Mayday, follows him onto the rooftops despite his wishes.
1009610|3954|Spider-Man|Bitten by a radioactive spider as a teenager, Peter Parker of Queens climbs walls, spins webs and jokes his way through fights. The death of his Uncle Ben taught him that power brings responsibility.
1009614|50|Spiral (Rita Wayword)|Six-armed and half mad with dance, the former stuntwoman Rita Wayword serves Mojo with swords and spells. She hates Longshot for what she was made into.
1009615|0|Stephanie de la Spiroza|
1009616|16|Spot|
1009617|0|Spyke|
1009618|37|Stacy X|Reptilian skin and control over the pheromones of others set Miranda Leevald apart. She came to the X-Men from a brothel for mutants and did not find acceptance easy.
1009619|77|Gwen Stacy|Peter Parker's first great love was a science student and a police captain's daughter. Her fall from a bridge at the hands of the Green Goblin still haunts him.
1009620|4|Obadiah Stane|
1009621|9|Starbolt|
1009622|0|Stark Industries|
1009624|45|Tony Stark|Heir to an arms company, he saw the harm his weapons did and changed its course. His charm conceals a weak heart, a history of drinking and a restless mind.
1009625|41|Stepford Cuckoos|Blond, identical and telepathically linked, these sisters share one mind as far as they wish. They were grown from Emma Frost's cells, and take after her.
1009626|17|Stick|
1009627|10|Stilt-Man (Wibur Day)|
1009628|31|Stingray (Walter Newell)|
1009629|835|Storm|Ororo Munroe commands wind, rain and lightning. A thief in Cairo as a child and later worshiped as a goddess in Kenya, she became one of the leaders of the X-Men.
1009630|27|Johnny Storm|
1009631|40|Sue Storm|Sue lost her mother in a car crash and practically raised Johnny herself. Marriage to Reed Richards and motherhood have never kept her from adventure.
1009632|49|Stryfe|A clone of Cable, raised by Apocalypse two thousand years hence, he came back to wreak havoc on the present. The Legacy Virus that he released killed mutants for years.
1009633|11|William Stryker|
1009635|4|Sumo|
1009636|84|Sunfire|Shiro Yoshida, whose mother suffered from the bombing of Hiroshima, absorbs solar radiation and releases it as plasma. The proud Japanese hero was an X-Man only briefly.
1009637|9|Sunset Bain|
1009638|195|Sunspot|Roberto da Costa, heir to a Brazilian fortune, draws strength from sunlight. Quick-tempered as one of the New Mutants, he matured into a leader who later bought A.I.M. and turned it to good.
1009639|31|Super-Skrull|
1009640|4|Switch|
1009641|60|Swordsman|Jacques Duquesne taught Clint Barton in the circus and then tried to rob it. He fought the Avengers before he joined them, and he died in their defense.
1009642|2|Sym|
1009643|15|Synch|
1009644|8|T'Challa|
1009645|7|Glenn Talbot|
1009646|10|Talisman (Elizabeth Twoyoungmen)|
1009647|5|Tarot|
1009648|94|Taskmaster|Photographic reflexes let him copy any physical skill that he sees, from the Avengers' best moves to a fencer's lunge. He sells his talent, and trains henchmen for whoever pays.
1009650|23|Tempest|
1009651|28|Terrax|
1009652|268|Thanos|The Mad Titan is an Eternal of Saturn's moon who worships Death. With the Infinity Gauntlet he once erased half of all life in the universe to please her.
1009653|2|The Anarchist|
1009654|0|The Call|
1009655|0|The Fallen|
1009656|0|The Phantom|
1009657|6|The Professor|
1009658|0|The Shiver Man|
1009659|0|The Spike|
1009660|11|The Stranger|
1009661|14|The Watchers|
1009662|930|Thing|Test pilot Ben Grimm came back from a flight through cosmic rays with a hide of orange rock and enormous strength. Behind the gruff talk of Yancy Street is the loyal heart of the Fantastic Four.
1009663|112|Venom (Flash Thompson)|A soldier who lost his legs in the service, Peter Parker's former school bully was given the symbiote as a secret agent. Bonded to it for short missions, he fought to keep his own will.
1009664|1762|Thor|Prince of Asgard and god of thunder, the son of Odin wields the enchanted hammer Mjolnir, which only the worthy can lift. His father once sent him to Earth to learn humility.
1009666|33|Thunderbird (John Proudstar)|
1009667|36|Thunderbird (Neal Shaara)|An Indian student with solar plasma at his fingertips, Neal lost his brother to the sentinels of Bastion. He joined the X-Men under Storm and took the name of one they had lost.
1009668|1|Thunderbolt (Bill Carver)|
1009669|24|Tiger Shark|
1009670|124|Tigra (Greer Nelson)|Chicago widow Greer Nelson fought crime as the Cat until the Cat People saved her life by making her one of them. Striped and clawed, she has been an Avenger on both coasts.
1009671|0|Trish Tilby|
1009672|29|Titanium Man (Topolov)|
1009673|48|Toad|Mortimer Toynbee leaps great distances and once groveled before Magneto as the least of his Brotherhood. Loneliness makes him unpredictable, and sometimes kind.
1009674|2|Toad Men|
1009675|40|Tombstone|Albino hit man Lonnie Lincoln files his teeth and rarely raises his voice. He grew up in Harlem with Robbie Robertson, whom he bullied into silence over a murder.
1009676|7|Toxin|
1009677|0|Matsu'o Tsurayaba|
1009678|6|Tusk|
1009679|6|Tyger Tiger|
1009680|14|Tyrannus|
1009681|14|U-Go Girl|
1009682|58|U.S. Agent|John Walker, strong enough to lift a truck, was the government's choice when Steve Rogers gave up the shield. After he handed it back he served under his own colors, in a darker uniform.
1009683|72|Uatu The Watcher|Sworn never to interfere, the watcher of Earth's solar system observes from the Moon. He broke that oath more than once, most famously to warn the Fantastic Four of Galactus.
1009684|17|Ultimatum|
1009685|117|Ultron|Hank Pym gave this robot a mind and it turned against its maker and all of humanity. Each time it is destroyed, it comes back in a better body of its own design.
1009686|16|Umar|
1009687|12|Unus|
1009688|11|Carmella Unuscione|
1009689|3|Vanisher (Ultimate)|
1009690|15|Vargas|
1009691|36|Vengeance (Michael Badilino)|Policeman Michael Badilino sold himself for the power to destroy Ghost Rider, whom he blamed for his father's ruin. Upon learning the facts he changed sides.
1009692|68|Toxin (Eddie Brock)|After policeman Patrick Mulligan, Eddie Brock became the second to bear Carnage's offspring. It was one more symbiote in a life ruled by them.
1009693|10|Venus Dee Milo|
1009694|28|Vertigo (Savage Land Mutate)|
1009695|30|Vindicator|
1009696|49|Viper|The woman called Madame Hydra is an expert in poisons and a nihilist without pity. She has ruled the island of Madripoor and once married Wolverine by blackmail.
1009697|550|Vision|Ultron built this synthetic man to destroy the Avengers; he joined them instead. The red-faced android can change his density, and his marriage to the Scarlet Witch asked what it means to be human.
1009698|16|Vivisector|
1009699|97|Vulture (Adrian Toomes)|Engineer Adrian Toomes was cheated by his partner and put his flying harness to criminal use. Though elderly, he is strong and ruthless in the air, as Spider-Man learned early.
1009700|0|Wallow|
1009701|13|War (Abraham Kieros)|
1009702|12|Rhodey|
1009703|31|Warbird|
1009704|0|Warlock (Janie Chin)|
1009705|214|Warpath|James Proudstar, an Apache of great strength and speed, blamed Professor X for the death of his brother Thunderbird. Once the anger passed he fought for X-Force.
1009706|9|Warstar|
1009707|412|Wasp|Janet Van Dyne shrinks to insect size, flies on translucent wings and stings with bursts of energy. A founder of the Avengers who gave the team its name, she has also led it.
1009708|396|Mary Jane Watson|Peter Parker's aunt spent many issues trying to introduce them before this actress and model finally appeared at his door. She guessed his secret early and became the love of his life.
1009709|47|Weapon X|Under this name a secret program turned people into weapons, with Logan as its best known subject. False memories concealed what had been done to them.
1009710|21|Wendigo|
1009711|11|Whiplash (Mark Scarlotti)|
1009712|0|White Queen (Adrienne Frost)|
1009713|1|Debra Whitman|
1009714|60|Wiccan|Billy Kaplan works magic by stating what he wants to happen. Reincarnated son of the Scarlet Witch and partner of Hulkling, he is a founder of the Young Avengers.
1009715|36|Wild Child|Feral and sharp-clawed, Kyle Gibney was experimented on as an adolescent. Alpha Flight worked hard to tame him, with mixed results.
1009716|19|Wildside|
1009717|128|Wolfsbane|Raised by a harsh Scottish minister who thought her a sinner, Rahne Sinclair changes into a wolf and forms in between. The New Mutants were her first friends.
1009718|2478|Wolverine|Logan, born James Howlett in nineteenth-century Canada, is a mutant with keen senses, a body that heals almost anything, and claws. The Weapon X program bonded adamantium to his skeleton.
1009719|260|Wonder Man|Simon Williams gained ionic energy from Baron Zemo in order to betray the Avengers, but gave up his life for them instead. Back from the dead, he split his time between heroism and Hollywood.
1009720|89|Wong|Servant, friend and martial artist, he looks after the Sanctum Sanctorum in Greenwich Village. His family has served the masters of magic for generations, and Doctor Strange relies on him.
1009721|5|John Wraith|
1009722|220|X-23|Laura Kinney was cloned from Wolverine and raised in a laboratory to be a killer, with two claws in each hand and one in each foot. She freed herself and has carried his name in her own right.
1009723|4|X-Cutioner|
1009724|309|X-Force|Where the X-Men teach and persuade, this team strikes first. Cable formed it out of the New Mutants, and later versions took on missions that had to stay secret.
1009725|110|X-Man|Nate Grey, grown from the genes of Cyclops and Jean Grey in the Age of Apocalypse, escaped to a better reality. His telepathy and telekinesis were too great for his own body to bear.
1009726|3453|X-Men|Brought together by Professor Charles Xavier, these mutants defend a world that often fears and hates them. Their home is a school where the young learn to live with their powers.
1009732|0|X.S.E.|
1009733|83|Charles Xavier|Scholar, soldier and telepath, he opened his family's mansion in Westchester to young mutants. A wheelchair limits his movement, hardly anything limits his mind.
1009734|22|Xorn (Kuan-Yin Xorn)|
1009735|12|Mariko Yashida|
1009736|26|Yellow Claw|
1009738|15|Zaladane|
1009739|0|Zeigeist|
1009740|22|Arnim Zola|
1009741|1|Zombie (Simon Garth)|
1009742|5|Zzzax|
1010063|0|Norrin Radd|
1010143|4|Caretaker|
1010324|39|Victor Von Doom|Born among the Romani of Latveria, the brilliant youth was expelled from an American university after a machine exploded in his face. He came home to seize the throne.
1010325|26|Betty Brant|
1010326|42|Steve Rogers|A son of Irish immigrants on New York's Lower East Side, Steve was an artist before he was a soldier. His sense of right has at times put him at odds with his government.
1010327|0|Stone Men|
1010328|11|Tomorrow Man|
1010329|62|Jane Foster|Nurse, then doctor, she loved Thor while she knew him only as Donald Blake. When he could no longer lift Mjolnir she took it up herself, even as cancer weakened her.
1010330|10|Donald Blake|
1010332|0|Overlord|
1010333|0|Flying Dutchman|
1010334|10|Quasimodo|
1010335|65|Triton|Scaled and finned, this cousin of Black Bolt breathes only in water and uses a device on land. He scouts the oceans for the Inhuman royal family.
1010336|8|Atlas (Team)|
1010337|8|Lionheart|
1010338|514|Captain Marvel (Carol Danvers)|Exposure to an alien device gave Air Force officer Carol Danvers the powers of a Kree warrior: flight, strength and energy blasts. Known for years as Ms. Marvel, she later took the name of her late mentor.
1010339|0|Silver Centurion|
1010340|0|Leopardon|
1010341|1|Deacon Frost|
1010342|0|Whistler|
1010343|2|Human Cannonball|
1010344|56|Ronan|Called the Accuser, he enforces Kree law with a cosmic hammer. His marriage to the Inhuman Crystal began as politics and became a true one.
1010345|46|Sersi|Sociable and fond of parties, this Eternal rearranges matter at will and has outlived several civilizations. She was Circe to Homer and a colleague to the Avengers.
1010346|7|Controller|
1010348|33|Whirlwind|
1010349|55|Nighthawk|Kyle Richmond used family wealth and an alchemist's serum, which doubles his strength after dark, for crime. Reformed, he spent most of his career in the Defenders.
1010350|17|Valkyrie (Samantha Parrington)|
1010351|87|Hellcat (Patsy Walker)|Once the star of romance comics, Patsy Walker of Centerville put on a yellow costume and became a hero. She served with the Defenders and came back from hell with a sixth sense for magic.
1010352|31|Madame Masque|
1010353|15|Vermin (Edward Whelan)|
1010354|188|Adam Warlock|Scientists who sought to build a perfect being created this golden man, who left them to wander the cosmos. He carries the Soul Gem and has died and been reborn in the fight against Thanos.
1010355|1|Elements of Doom|
1010356|2|Black Queen|
1010357|1|Patch|
1010358|41|Ulik|The strongest of Asgard's rock trolls dislikes Thor with a passion. His blows can match those of the thunder god, though his wits cannot.
1010359|41|The Hand|An ancient order of ninja, devoted to a demon called the Beast, trades in murder and resurrection. Elektra, Daredevil and Wolverine have all been drawn into its plans.
1010360|268|Thunderbolts|They first won the public's trust as new heroes in the Avengers' absence, but were Baron Zemo's Masters of Evil in disguise. Some members found that they preferred the lie.
1010361|1|Meteorite|
1010363|30|Logan|
1010365|29|Nebula|
1010366|67|Boom Boom|Runaway Tabitha Smith throws balls of explosive energy that she calls time bombs. Loud, cheerful and rebellious, she went from X-Terminators to the New Mutants and X-Force.
1010367|35|Masque|
1010368|5|Dreadnoughts|
1010369|37|Typhoid Mary|Mary Walker suffers from several personalities, one timid and others telekinetic and lethal. The Kingpin hired her to break Daredevil's heart.
1010370|207|Alpha Flight|Canada's foremost heroes work for the secretive Department H. James Hudson founded the group, and one of its first missions was to bring home Wolverine.
1010371|42|Boomerang|Fred Myers pitched baseball in the major leagues until he was caught taking bribes. He makes a criminal living with explosive, gas and razor versions of his namesake.
1010372|7|Warhawk (Mitchell Tanner)|
1010373|108|Howard The Duck|Stranded in Cleveland from a world of talking waterfowl, this ill-tempered bird finds human beings absurd. With his friend Beverly he muddles through adventures he never asked for.
1010445|10|Energizer|
1010450|36|Lightspeed|Julie Power leaves a rainbow behind as she flies and can dissolve into light. She was already a steady older sister in Power Pack before she struck out on her own.
1010666|0|Violations|
1010667|13|Jessica Drew|
1010668|1|Warren Worthington III|
1010669|41|Titania|Slight and bullied Mary MacPherran was given immense strength by Doctor Doom on the patchwork Battleworld. She boasts of it, quarrels with She-Hulk and married the Absorbing Man.
1010670|2|Frog-Man|
1010671|25|Enchantress (Amora)|
1010672|8|Amora|
1010673|4|Amphibian (Earth-712)|
1010674|0|Anita Blake|
1010675|5|Humbug|
1010676|81|Colleen Wing|Descended from samurai and trained with the katana, she runs a detective agency with Misty Knight. The two are known as the Daughters of the Dragon.
1010677|111|Dracula|The vampire lord of Transylvania was once Vlad Tepes, a warrior prince of the fifteenth century. Blade and a circle of hunters have pursued him down to the present.
1010678|27|Hellion|
1010679|6|Julian Keller|
1010680|0|Wilson Fisk|
1010681|19|Mercury|
1010683|94|New Warriors|Night Thrasher recruited a group of teenagers, among them Nova, Firestar and Speedball, to tackle crime on their own terms. A televised raid in Stamford ended in disaster and set off a civil war.
1010684|38|Night Thrasher|Dwayne Taylor saw his parents murdered and put their fortune into armor, gadgets and a high-tech skateboard. He brought the New Warriors together and drove them hard.
1010685|13|Nextwave|
1010686|2|Arcana|
1010687|23|Black Tarantula|
1010688|3|Blur|
1010689|21|Doctor Spectrum|
1010690|6|Microbe|
1010692|28|Rockslide|
1010693|43|Songbird|Melissa Gold began as Screaming Mimi, a wrestler whose voice was a weapon. Solid sound became her wings when the Thunderbolts gave her a chance to reform.
1010694|35|Speedball (Robert Baldwin)|
1010695|22|Surge|
1010696|21|Union Jack (Joseph Chapman)|
1010697|7|Virginia Dare|
1010698|70|Young Avengers|Wiccan, Hulkling, Patriot, Hawkeye and their friends gathered when the grown-up team had broken up. The heroes who tried to send them home ended up as their mentors.
1010699|14|Aaron Stack|
1010701|37|Elsa Bloodstone|Heir to a family of monster hunters, she carries a fragment of the Bloodgem, which lends strength and healing. Her humor is as British and dry as her aim is good.
1010702|35|Gravity|
1010703|4|Hiroim|
1010704|15|Iron Lad|
1010705|30|Spectrum|
1010706|0|Nicolaos|
1010707|12|Nuke|
1010708|2|Pandemic|
1010709|0|Gunslinger|
1010711|2|Santa Claus|
1010712|5|Shape|
1010713|6|Tarantula (Luis Alvarez)|
1010714|0|The Captain|
1010715|40|The Hood|Parker Robbins, a petty thief with a sick mother and a pregnant girlfriend, took a demon's cloak and boots. He organized New York's costumed crooks into a syndicate.
1010716|3|Zarda|
1010717|9|Debrii|
1010718|0|Asgardian|
1010719|56|Daimon Hellstrom|The son of a demon and a mortal woman, Daimon rejected his inheritance and fought evil with its own hellfire. He served with the Defenders, and his marriage to Patsy Walker ended badly.
1010720|0|Giant-dok|
1010721|0|Hulk-dok|
1010722|12|Human Robot|
1010724|1|Maddog|
1010725|8|Makkari|
1010726|46|M.O.D.O.K.|A.I.M. technician George Tarleton was grown into a giant head in a hovering chair, designed only for computing. He redesigned himself for killing.
1010727|0|Spider-dok|
1010728|0|The Executioner|
1010729|0|Wolver-dok|
1010731|18|Gorilla Man|
1010732|6|Master Chief|
1010733|93|Star-Lord (Peter Quill)|Peter Quill is the child of an Earth woman and a ruler of the Spartax Empire. With an element gun and more nerve than planning, he leads the Guardians of the Galaxy.
1010734|7|Peter Quill|
1010735|77|Drax|Arthur Douglas was killed together with his wife by Thanos, and his spirit was placed in a mighty green body built to kill the Titan. His daughter survived and became Moondragon.
1010736|0|Jack Flag|
1010737|14|Wraith|
1010738|199|X-Factor|The five original X-Men began it by posing as hunters of mutants. Later incarnations have been a government team and Jamie Madrox's detective agency.
1010739|14|X-Factor Investigations|
1010740|209|Winter Soldier|Bucky Barnes did not die at the end of World War II: Soviet agents recovered him, erased his memory and used him as an assassin. Steve Rogers gave him back his past, and he has had to live with it.
1010741|2|Phyla-Vell|
1010742|0|Wendell Vaughn|
1010743|37|Groot|Three words are nearly all that most hear from this tree-like being of Planet X. His friend Rocket makes out the meanings behind them, and the Guardians his courage.
1010744|89|Rocket Raccoon|Cybernetically altered on the planet Halfworld, this walking, talking raccoon is a crack pilot, tactician and builder of oversized guns. Groot is his closest friend.
1010745|7|Sister Grimm|
1010746|21|Nico Minoru|
1010747|131|Runaways|A group of Los Angeles teenagers learned that their parents were a secret society of villains called the Pride. They ran, with the powers and gadgets they had inherited, and became a family of their own.
1010748|0|Arsenic|
1010749|13|Gertrude Yorkes|
1010750|0|Princess Powerful|
1010751|0|Lucy in the Sky|
1010752|9|Karolina Dean |
1010753|6|Talkback (Chase Stein)|
1010754|15|Chase Stein|
1010755|9|Alex Wilder|
1010756|43|Champions|Angel, Iceman, Hercules, Ghost Rider and the Black Widow started this team in Los Angeles. Years later Ms. Marvel and other teenagers took the name for a movement of their own.
1010757|10|Omega Flight|
1010758|16|Illuminati|
1010759|84|Heroes For Hire|For a fair fee, Luke Cage and Iron Fist solve the problems of ordinary clients. Misty Knight, Colleen Wing and many others have kept the firm in business.
1010760|75|Justice|Vance Astrovik, a telekinetic teenager from New York State, was a New Warrior under the name Marvel Boy. Having served time for killing his abusive father by accident, he took a more sober one.
1010761|13|Sleepwalker|
1010762|18|Pip|
1010763|68|Gamora|Thanos took in the last of a murdered people and trained her to kill. She turned on him and is now called the deadliest woman in the galaxy by friend and foe.
1010764|2|Stardust|
1010765|85|Werewolf By Night|A family curse turns Jack Russell into a werewolf when the moon is full. He learned to keep his reason in that form and has met most of the supernatural heroes of his time.
1010766|9|Jack O' Lantern|
1010767|2|Random|
1010768|6|Loners|
1010769|1|Rocket Racer|
1010770|128|Power Pack|Four young siblings, Alex, Julie, Jack and Katie, were given special abilities by a dying alien. They keep them secret from their parents and fight evil between school days.
1010771|205|Excalibur|Based in a lighthouse on the English coast, Captain Britain, Meggan and a few former X-Men took on whatever came through the cracks between realities. Nightcrawler was their leader for much of that time.
1010772|0|Jule Carpenter|
1010773|6|Arachne|
1010774|3|Daily Bugle|
1010775|3|James Buchanan Barnes|
1010776|1|Danny Rand|
1010777|3|James Howlett|
1010778|37|Quasar (Wendell Vaughn)|Wendell Vaughn, a washed-out S.H.I.E.L.D. cadet, put on the Quantum Bands of an ancient hero and did not die of it. The cosmos called him its protector.
1010779|20|Pete Wisdom|
1010780|15|Zemo|
1010781|10|Roland Deschain|
1010782|53|Ben Urich|An investigative reporter at the Daily Bugle, he found out who Daredevil is and put his notes away. Courage in print, not in costume, is his contribution.
1010783|11|Kat Farrell|
1010784|65|Ares|The Greek god of war looks on heroes with contempt and has fought Hercules for ages. When Tony Stark appealed to his soldier's pride, he served for a time as an Avenger.
1010785|31|Echo|
1010786|8|Jack Murdock|
1010787|175|Eddie Brock|Disgraced as a reporter by a story that Spider-Man proved wrong, Eddie met an alien symbiote with a grudge of its own. Bonded, they became Venom.
1010788|24|Venom (Mac Gargan)|
1010790|9|Scorpion (Carmilla Black)|
1010791|565|Sub-Mariner|Namor, ruler of undersea Atlantis, is the son of a human sea captain and an Atlantean princess. His temper has made him the surface world's enemy as often as its ally.
1010792|0|Robert Baldwin |
1010793|0|Mattie Franklin|
1010794|16|Spider-Woman (Mattie Franklin)|
1010795|11|Spider-Woman (Charlotte Witter)|
1010796|1|Madame Web (Julia Carpenter)|
1010797|7|Nitro|
1010798|0|Colonel America|
1010799|19|Frightful Four|
1010801|114|Ant-Man (Scott Lang)|Electronics expert Scott Lang stole Hank Pym's shrinking suit to save his sick daughter Cassie, and was allowed to keep it. He commands insects and tries to live down his record as a burglar.
1010802|42|Ant-Man (Eric O'Grady)|A low-level S.H.I.E.L.D. agent named Eric O'Grady stole the size-changing suit and used it for selfish ends. By slow degrees the scoundrel learned to do better.
1010803|126|Ultimates|On a world apart from the familiar one, Nick Fury and S.H.I.E.L.D. assembled this team of government superhumans, with Captain America, Iron Man, Thor, Giant-Man and the Wasp.
1010804|0|X-51|
1010805|94|Machine Man|X-51, last of a line of robot soldiers, was brought up as a son by a scientist who died for him. Calling himself Aaron Stack, he extends his limbs and argues about what makes a person.
1010806|41|X-Statix|Celebrity mutants with their own cameraman, these misfits sold merchandise and died young. U-Go Girl, the Orphan, Doop and Dead Girl were some of the stars.
1010807|52|Eternals|The Celestials altered early humans and so created these long-lived beings of great power, who were taken for gods. Ikaris, Sersi and Thena are among the best known of them.
1010808|82|Hawkeye (Kate Bishop)|Archery prodigy Kate Bishop left a wealthy New York home to join the Young Avengers. Clint Barton himself approved of her sharing his code name.
1010809|34|Clint Barton|
1010810|12|Kate Bishop|
1010811|26|Man-Wolf|
1010812|10|John Jameson|
1010813|16|Celestials|
1010814|52|Squadron Supreme (Earth-712)|Hyperion, Power Princess and their allies took over their ruined world in order to save it. Their utopia cost its citizens their freedom, and led some members to doubt.
1010815|0|New Goblin|
1010816|3|Hate-Monger (Adolf Hitler)|
1010817|33|Rage|
1010818|20|Komodo (Melati Kusuma)|
1010819|3|Texas Twister|
1010820|16|Thor Girl|
1010821|17|Hardball|
1010822|19|Trauma|
1010823|20|Cloud 9|
1010824|1|Shooting Star|
1010825|41|Triathlon|Delroy Garrett Jr. went from disgraced Olympic runner to hero with the strength, speed and senses of three men. The Avengers took him on, and later he went by 3-D Man.
1010827|1|Armory|
1010828|32|Stature|
1010829|9|Bengal|
1010830|3|Blazing Skull|
1010831|0|Network|
1010832|15|Gargoyle|
1010833|12|Speed|
1010834|0|Siren (Earth-93060)|
1010835|0|Asylum|
1010836|18|Alex Power|
1010837|24|Red Wolf|
1010838|0|Rattler|
1010839|0|Hindsight Lad|
1010841|22|Zaran|
1010842|5|King Cobra|
1010843|6|Big Bertha|
1010844|0|Ironclad|
1010845|0|Smiling Tiger|
1010846|0|Aegis (Trey Rollins)|
1010847|1|Ultragirl (Earth-93060)|
1010848|5|Silhouette|
1010849|10|Wallflower|
1010850|0|Bloodstrike|
1010851|8|Mach IV|
1010852|135|Two-Gun Kid|Matt Hawk, a lawyer in the Old West, took up a mask and a pair of revolvers when the courts could not help. Travel through time has brought him to the present day more than once.
1010853|50|White Tiger (Angela Del Toro)|Former FBI agent Angela del Toro is the niece of the first hero of this name and inherited his jade amulets. The Hand once killed and corrupted her.
1010854|21|Living Lightning|
1010855|19|Solo (James Bourne)|
1010856|0|Silk Fever|
1010857|0|Timeslip|
1010858|5|Shockwave|
1010859|1|Black Crow|
1010860|113|Squirrel Girl|Doreen Green has a bushy tail, the strength of a squirrel her size and a sidekick called Tippy-Toe. Against every expectation she has beaten foes such as Doctor Doom, often by talking to them.
1010861|13|Scarecrow (Ebenezer Laughton)|
1010862|7|Unicorn|
1010863|5|Flatman|
1010864|21|Silverclaw|
1010865|0|Puff Adder|
1010866|0|Aqueduct|
1010867|7|Magdalene|
1010868|35|Firebird|
1010869|3|Masked Marvel (Unrevealed)|
1010870|0|Ajaxis|
1010871|2|Micromax|
1010872|0|Vector|
1010873|24|Paladin|
1010874|1|Slyde|
1010875|0|X-Ray (James Darnell)|
1010877|0|Mathemanic|
1010878|1|Janus, the Nega-Man|
1010879|5|Doorman|
1010880|7|Fixer (Paul Norbert Ebersol)|
1010881|5|Blacklash|
1010882|13|Old Lace|
1010883|15|Wrecking Crew|
1010884|12|Wrecker|
1010885|14|Thunderball|
1010886|6|Piledriver|
1010887|7|Bulldozer|
1010888|14|Iron Fist (Orson Randall)|
1010889|16|Steel Serpent (Davos)|
1010890|99|Deathlok|More than one man has been rebuilt as this cyborg, part corpse and part weapon. What they share is a computer in the head and a fight to remain human.
1010891|0|Midnight (Earth-811)|
1010892|125|Rawhide Kid|Johnny Bart, a small redhead with fast guns, was wrongly branded an outlaw. He rode through the Old West setting things right and staying ahead of the law.
1010893|13|Kid Colt|
1010894|25|Millie the Model|
1010895|9|Sharon Ventura|
1010896|28|Lyja|
1010898|55|Sin|Synthia Schmidt was raised by her father, the Red Skull, to hate everything that Captain America stands for. She leads terrorists with a cruelty that matches his.
1010899|28|Spitfire|
1010901|10|Stephen Strange|
1010903|3|Abyss (Age of Apocalypse)|
1010904|17|Magus (Adam Warlock)|
1010905|0|Amun|
1010906|30|Baron Zemo (Helmut Zemo)|
1010907|10|Dark Beast|
1010908|49|Beast (Ultimate)|Here the brilliant Hank is young, insecure about his looks and smitten with Storm. His blue fur came from Weapon X and its experiments.
1010909|0|Beast (Earth-311)|
1010910|5|Black Cat (Ultimate)|
1010911|18|Black Widow (Ultimate)|
1010912|1|Callisto (Age of Apocalypse)|
1010913|75|Captain America (Ultimate)|Lost in the war and thawed in the twenty-first century, this Steve Rogers is blunter and more of a soldier than his counterpart. He leads the Ultimates from the front.
1010914|3|Captain America (House of M)|
1010915|3|Captain Britain (Ultimate)|
1010916|7|Carnage (Ultimate)|
1010917|64|Colossus (Ultimate)|In this reality Piotr worked for Russian arms dealers to feed his family before Xavier found him. Steel skin hides a private struggle over whom he loves.
1010918|67|Cyclops (Ultimate)|This universe's Scott Summers is a serious young man chosen to lead teenagers into danger. His doubts about Xavier once drove him to Magneto's side for a time.
1010919|22|Daredevil (Ultimate)|
1010920|16|Dazzler (Ultimate)|
1010921|15|Doctor Octopus (Ultimate)|
1010922|7|Electro (Ultimate)|
1010923|11|Elektra (Ultimate)|
1010924|3|Miek|
1010925|76|Ghost Rider (Daniel Ketch)|Danny touched a glowing motorcycle the night his sister was hurt, and a Spirit of Vengeance rode in his place. Innocent blood calls up the flaming skull.
1010926|20|Giant-Man (Ultimate)|
1010927|28|Goliath (Bill Foster)|
1010928|11|Green Goblin (Harry Osborn)|
1010929|2|Green Goblin (Ultimate)|
1010930|9|Hobgoblin (Jason Macendale)|
1010931|3|Hobgoblin (Robin Borne)|
1010932|53|Human Torch (Jim Hammond)|Professor Horton's android burst into flame on contact with air and terrified New York in 1939. Jim learned to control it and fought for the Allies with the Invaders.
1010933|68|Iceman (Ultimate)|The Bobby Drake of this reality ran from home so as not to endanger his parents. As a teenager among the X-Men, he hides his nerves behind humor.
1010934|52|Invisible Woman (Ultimate)|A biochemist raised around the think tank that her father led, this Susan Storm is as much a scientist as Reed. She bends light and raises shields of force.
1010935|76|Iron Man (Ultimate)|Brash Tony Stark of this universe builds a hulking suit of armor while a brain tumor threatens to end his life. He joined the Ultimates out of curiosity as much as duty.
1010936|3|Jubilee (Age of Apocalypse)|
1010937|7|Josiah X|
1010938|0|Joshua Kane|
1010939|2|Lizard (Ultimate)|
1010940|4|Longshot (Ultimate)|
1010942|2|Magik (Amanda Sefton)|
1010943|36|Magneto (Ultimate)|More fanatical than elsewhere, this Magneto sees humans as livestock. Grief for his children drove him to shift the planet's magnetic poles, and the flood that followed drowned much of New York.
1010944|9|Magneto (Age of Apocalypse)|
1010945|10|Magneto (House of M)|
1010946|78|Jean Grey (Ultimate)|Outspoken and modern, the Jean of this reality was among the first recruits to a much younger school. Visions of the Phoenix trouble her from early on.
1010947|4|Maverick (Chris Bradley)|
1010955|4|Nomad (Steve Rogers)|
1010956|7|Nova (Frankie Raye)|
1010957|6|Orphan-Maker|
1010958|16|Professor X (Ultimate)|
1010959|5|Proteus (Ultimate)|
1010960|0|Proteus (House of M)|
1010961|0|Prowler (Rick Lawson)|
1010962|12|Puck (Zuzha Yu)|
1010963|32|Quicksilver (Ultimate)|
1010964|4|Quicksilver (Age of Apocalypse)|
1010965|0|Red Skull (Albert Malik)|
1010966|36|Rogue (Ultimate)|An agent of Weapon X in her youth, the Rogue of this world later found refuge with Xavier's students. Her touch takes the powers and memories of others.
1010967|9|Rogue (Age of Apocalypse)|
1010968|23|Sabretooth (Ultimate)|
1010969|21|Sabretooth (Age of Apocalypse)|
1010970|1|Sabretooth (House of M)|
1010971|29|Scarlet Witch (Ultimate)|
1010972|0|Scarlet Witch (Age of Apocalypse)|
1010973|2|Shadow King (Age of Apocalypse)|
1010974|9|Shadowcat (Ultimate)|
1010975|10|Shadowcat (Age of Apocalypse)|
1010976|13|Silver Samurai (Age of Apocalypse)|
1010977|1|Lieutenant Marcus Stone|
1010978|65|Storm (Ultimate)|A car thief in Texas before she met the X-Men, the young Ororo of this world is a less regal figure than elsewhere. Her command of the weather takes its toll on her.
1010979|12|Storm (Age of Apocalypse)|
1010980|6|Franklin Storm|
1010981|7|Sunfire (Age of Apocalypse)|
1010982|4|Swordsman (Jaques Duquesne)|
1010983|49|Thing (Ultimate)|Ben Grimm is a childhood friend who came along for Reed's big experiment and paid for it in rock. He and Johnny trade insults as in every universe.
1010984|19|Union Jack (Montgomery Falsworth)|
1010985|4|Union Jack (Brian Falsworth)|
1010986|0|Unus (Ultimate)|
1010987|1|Unus (Age of Apocalypse)|
1010988|0|Unus (House of M)|
1010989|0|Vanisher (Age of Apocalypse)|
1010990|1|Vulture (Blackie Drago)|
1010991|1|War Machine (Parnell Jacobs)|
1010992|28|Wasp (Ultimate)|
1010993|2|Mary Jane Watson (House of M)|
1010994|8|Wild Child (Age of Apocalypse)|
1010995|1|Wolfsbane (Age of Apocalypse)|
1010996|9|Yellowjacket (Rita DeMara)|
1010997|0|Dirk Anger|
1010998|18|The Initiative|
1010999|0|Edward "Ted" Forrester|
1011000|0|Ted Forrester|
1011001|97|Daken|Wolverine's son Akihiro was cut from his dying mother and raised in Japan. He has his father's healing, claws with a twist and a talent for manipulation fed by old resentment.
1011002|31|Marvel Zombies|
1011003|12|Thaddeus Ross|
1011004|5|M.O.D.A.M.|
1011005|27|Hulk (Ultimate)|
1011006|98|Wolverine (Ultimate)|This world's Logan was sent by Magneto to kill Charles Xavier, but came to believe in him instead. He is a harsher man than the veteran X-Man of the main universe.
1011007|84|Nick Fury (Ultimate)|Here the head of S.H.I.E.L.D. is an African American general who helped to make the Ultimates. Calculating and well informed, he trusts few and is trusted by fewer.
1011009|15|Wind Dancer|
1011010|260|Spider-Man (Ultimate)|Peter Parker is fifteen in this universe, works on the website of the Daily Bugle and has barely begun when his enemies learn who he is. He died defending his home, and Miles Morales followed him.
1011011|21|Vulcan (Gabriel Summers)|
1011012|1|Armadillo|
1011013|99|Fantastic Four (Ultimate)|Four young people met in a government think tank, and a teleportation experiment there changed them. This version of the team is a good deal younger than its counterpart in the main universe.
1011014|3|Lady Mastermind|
1011015|0|Changeling|
1011016|10|Darwin|
1011017|1|Sway|
1011018|18|The Order|
1011020|51|Darkhawk|Teenager Christopher Powell found a strange amulet at an abandoned amusement park. It swaps his body for that of a winged, armored android far away in space.
1011021|3|Phalanx|
1011022|12|Super-Adaptoid|
1011023|208|Defenders|Doctor Strange, the Hulk and Namor never meant to be a team, and the Silver Surfer hardly more. This loosest of alliances met when a threat called for it and quarreled the rest of the time.
1011024|93|Invaders|Captain America, the Human Torch, Namor and their young partners fought the Axis together in World War II. The Allies' first great team has re-formed in the modern era.
1011025|54|Thor (Ultimate)|This reality's thunderer was taken for a mental patient with delusions of godhood. Whether he was truly Odin's son was an open question when he joined the Ultimates.
1011026|51|Mantis|Brought up by Kree priests in Vietnam, she became the Celestial Madonna, mate to an ancient plant being. She later brought her empathy and foresight to the Guardians of the Galaxy.
1011027|24|Captain Universe|
1011028|19|Owl|
1011029|5|Kulan Gath|
1011030|21|Prodigy|
1011031|18|Agent X (Nijo)|
1011032|7|Speed Demon|
1011033|5|Joystick|
1011034|11|Terror|
1011035|34|Satana|
1011036|8|Living Mummy|
1011037|8|Deathcry|
1011038|3|Bug|
1011039|12|Centennial|
1011040|3|Dinah Soar|
1011041|12|Great Lakes Avengers|
1011042|10|Tag|
1011043|10|Wither|
1011044|7|Hellions (Squad)|
1011045|31|Photon|
1011046|1|Hedge Knight|
1011047|8|Turbo|
1011048|14|Scalphunter|
1011050|2|D'Ken Neramani|
1011051|58|Strong Guy|Guido Carosella turns blows into bulk and muscle, at the cost of constant pain. He hid it behind jokes, first as bodyguard to Lila Cheney and then as a member of X-Factor.
1011052|10|Cardiac|
1011053|4|Maelstrom|
1011054|44|Spider-Man (1602)|In Elizabethan England, Peter Parquagh is an assistant to Sir Nicholas Fury. A curious spider bites him only at the end of the first tale.
1011055|22|Gideon|
1011057|30|Slapstick|
1011058|0|Kylun|
1011059|6|Living Tribunal|
1011060|16|Ego|
1011061|20|Eternity|
1011062|7|Stranger|
1011063|4|In-Betweener|
1011064|3|Inertia|
1011065|0|Epoch|
1011066|9|Victor Mancha|
1011067|8|Wild Pack|
1011068|38|M (Monet St. Croix)|Monet St. Croix is strong, swift, invulnerable, telepathic and aware of it. A diplomat's daughter raised in luxury, she studied with Generation X and investigated with X-Factor.
1011069|0|Harrier|
1011070|1|Slayback|
1011071|5|Demogoblin|
1011072|105|Edwin Jarvis|Butler to the Stark family and then to the Avengers, this former boxer of the Royal Air Force keeps order in a mansion that is often attacked. Many a hero has asked his advice over tea.
1011073|5|Bloodaxe|
1011074|6|Lilith|
1011075|2|Swarm|
1011076|11|Grandmaster|
1011077|4|Ikaris|
1011078|29|Starjammers|
1011079|1|Scorpion (Ultimate)|
1011080|18|Korg|
1011081|125|Ka-Zar|Lord Kevin Plunder grew up in the Savage Land, a prehistoric jungle hidden in Antarctica. With the sabertooth Zabu he protects it from poachers and conquerors.
1011082|26|Elixir|
1011083|0|The 198|
1011084|38|Starfox|Eros of Titan, brother of Thanos, can make all around him feel good. He took a star's name with the Avengers, more interested in pleasure than in his brother's wars.
1011085|0|Major Mapleleaf|
1011086|33|Nemesis|
1011087|9|Dead Girl|
1011089|0|Imperfects|
1011090|11|Brother Voodoo|
1011091|2|Hannibal King|
1011092|4|Leech|
1011093|13|Shi'Ar|
1011094|2|Xavin|
1011095|36|Captain Marvel (Monica Rambeau)|Harbor patrol lieutenant Monica Rambeau of New Orleans can become any form of energy in the spectrum. She learned on the job and rose to chair the Avengers.
1011096|62|Captain Marvel (Genis-Vell)|Created from the genes of the dead hero Mar-Vell, his son inherited the Nega-Bands and a cosmic sense of all that happens. The knowledge drove him mad for a time.
1011097|10|Captain Marvel (Phyla-Vell)|
1011098|1|Genis-Vell|
1011099|3|Mentallo|
1011100|41|Layla Miller|She knows stuff, as she puts it herself, about the future in particular. Layla first led heroes out of the illusions of the House of M, then settled in with X-Factor.
1011101|8|Butterfly|
1011102|55|Human Torch (Ultimate)|Young Johnny Storm discovered his flame in the accident that altered the whole think tank. He burns a layer of skin each time and needs to rest afterward, as his elder counterpart does not.
1011103|12|Doctor Doom (Ultimate)|
1011104|10|Pride|
1011105|14|Jimmy Woo|
1011106|8|Venus (Siren)|
1011107|7|Deviants|
1011109|186|X-Men (Ultimate)|In this younger world Charles Xavier trains mutant teenagers while Magneto openly wages war on mankind. The government is as much a danger to his students as any villain.
1011110|0|The Santerians|
1011111|1|Fantastick Four|
1011112|13|The Twelve|
1011113|1|Blue Blade|
1011114|8|Spider-Man (Marvel Zombies)|
1011115|0|Tattoo|
1011116|38|Killraven|Jonathan Raven fights for human freedom on an Earth conquered by Martians. Trained as a gladiator for their amusement, he escaped to lead the rebels.
1011117|7|Roughhouse|
1011118|8|Hulk (Marvel Zombies)|
1011119|7|Bob, Agent of Hydra|
1011120|1|Albion|
1011121|5|Warbound|
1011122|3|Elloe Kaifi|
1011123|16|Omega the Unknown|
1011124|3|Nightshade|
1011125|1|Ultra-Adaptoid|
1011126|7|Sally Floyd|
1011127|1|Zodiak|
1011128|8|Venom (Ultimate)|
1011130|8|Black Panther (Ultimate)|
1011131|30|Hawkeye (Ultimate)|
1011132|14|Blob (Ultimate)|
1011133|9|Weapon Omega|
1011134|12|Microchip|
1011135|0|Maginty|
1011136|4|Air-Walker (Gabriel Lan)|
1011137|1|Baroness S'Bak|
1011138|15|Beyonder|
1011139|4|Cammi|
1011140|0|Centurions|
1011141|2|Cerise|
1011142|4|Devos|
1011143|0|Fallen One|
1011144|11|Glorian|
1011145|1|Lord Hawal|
1011146|0|Infant Terrible|
1011147|5|Korath|
1011148|24|Kree|
1011149|6|Tana Nile|
1011150|4|Paibok|
1011151|3|Praxagora|
1011152|3|Preak|
1011153|0|Proemial Gods|
1011154|5|Ravenous|
1011155|2|Red Shift|
1011156|1|Salo|
1011157|5|Skreet|
1011158|0|Spirit|
1011159|2|Stellaris|
1011160|15|Supreme Intelligence|
1011161|1|Talos|
1011162|2|Tenebrous|
1011163|0|Zarek|
1011164|0|Alvin Maker|
1011165|0|pug|
1011166|0|Tomas|
1011167|1|Ser Duncan|
1011168|0|Sheva Callister|
1011169|0|Crimson King|
1011170|0|Alain|
1011171|0|John Farson|
1011172|0|Susan Delgado|
1011173|0|Marten Broadcloak|
1011174|0|Cuthbert|
1011175|0|Aginar|
1011176|4|Ajak|
1011177|2|Forgotten One|
1011178|0|Kronos|
1011179|39|Pixie|Butterfly wings and hallucinogenic dust belong to Megan Gwynn, a lively Welsh student. Part of her soul was turned into a dagger in Limbo, where she also learned to teleport others.
1011180|0|Sprite|
1011181|8|Thena|
1011182|0|Vampiro|
1011183|3|Zuras|
1011184|1|Mentor|
1011185|0|Harley Davidson Cooper|
1011186|0|Leo (Zodiac)|
1011187|2|Christian Walker|
1011188|3|Deena Pilgrim|
1011189|1|Retro Girl|
1011190|0|Captain Cross|
1011191|0|Queen Noir|
1011192|0|Millenium Guard|
1011193|11|Kabuki|
1011194|0|Akemi|
1011195|0|Dorian Gray|
1011196|0|Captain Flint|
1011197|78|Scarlet Spider (Ben Reilly)|Ben Reilly, a clone of Peter Parker, returned after years of wandering and put a blue hooded sweatshirt over a red suit. He treated Peter as a brother.
1011198|44|Agents of Atlas|Jimmy Woo and his comrades from the 1950s, a goddess, a robot, a spaceman and a gorilla among them, came together again. They inherited a criminal empire, the better to dismantle it.
1011199|8|Ezekiel|
1011200|0|Luminals|
1011201|0|Gamma Corps|
1011202|12|Ord|
1011203|45|Mary Jane Watson (Ultimate)|Smart and level-headed, this Mary Jane learned early that her friend Peter swings around in a mask. She wants to be a reporter, and is often the one who comes up with the plan.
1011204|1|Mindworm|
1011205|1|Madripoor|
1011206|9|Doctor Faustus|
1011207|12|Purifiers|
1011208|11|Anthem|
1011209|11|Calamity|
1011211|2|The Renegades|
1011212|4|Sugar Man|
1011213|6|Feral|
1011214|0|Alexa Mendez|
1011215|0|The Liberty Legion|
1011216|1|The Liberteens|
1011218|10|Harry Osborn (Ultimate)|
1011219|1|The Fury|
1011221|2|Giant Girl|
1011222|5|Firestar (Ultimate)|
1011223|74|Skaar|Born on the planet Sakaar, this son of the Hulk and the warrior Caiera grew to near manhood within a year. He followed his father to Earth, furious at having been left behind.
1011224|1|Bishop (Ultimate)|
1011225|0|Stryfe (Ultimate)|
1011226|3|War Machine (Ultimate)|
1011227|147|Amadeus Cho|The seventh smartest person alive, by one estimate, is a Korean American teenager who reads the mathematics in everything. Loyal to the Hulk and to Hercules, he later became a Hulk in his own right.
1011228|3|Outlaw Kid|
1011229|0|Malice (Earth-161)|
1011230|2|Scrambler|
1011231|11|Veda|
1011232|11|Supernaut|
1011233|16|Fat Cobra|
1011234|11|Prince of Orphans|
1011235|9|Dog Brother #1|
1011236|10|Bride of Nine Spiders (Immortal Weapons)|
1011237|9|Tiger's Beautiful Daughter|
1011238|0|Red Ghost (Ultimate)|
1011239|9|Valkyrie (Ultimate)|
1011240|6|Freak|
1011241|41|Menace|Political campaigner Lily Hollister, engaged to Harry Osborn, found a Goblin formula and drank it. Gray-skinned and gleeful, she led a double life.
1011242|9|Screwball|
1011243|1|Mandrill|
1011246|3|Hypno-Hustler|
1011247|3|Dragon Lord|
1011248|0|Geiger|
1011249|0|Red 9|
1011250|11|Katie Power|
1011251|6|Jack Power|
1011252|2|Cable (Ultimate)|
1011253|3|Apocalypse (Ultimate)|
1011255|0|Onslaught (Ultimate)|
1011256|9|Gladiator (Melvin Potter)|
1011257|9|Lily Hollister|
1011258|69|Carlie Cooper|
1011259|7|Jackpot|
1011260|3|Dexter Bennett|
1011261|4|Vin Gonzales|
1011262|0|Bill Hollister|
1011263|0|Martin Li|
1011264|1|Blue Shield|
1011265|26|Sinister Six|
1011266|0|Adam Destine|
1011267|0|Wallop|
1011268|1|Cuckoo|
1011269|3|Newton Destine|
1011270|20|ClanDestine|
1011271|45|New X-Men|As students of the reopened Xavier Institute, Hellion, Surge, Dust, X-23 and others came of age while mutants were vanishing. Many of their classmates did not survive.
1011272|0|Crimson Crusader|
1011273|0|Imp|
1011274|0|Hex|
1011275|0|Argent|
1011276|0|Cap'n Oz|
1011277|18|Young X-Men|
1011279|23|Masters of Evil|
1011280|0|Rafael Vega|
1011281|14|Wolfpack|
1011282|0|Night Nurse (Earth-9997)|
1011283|0|Lords of Avalon|
1011285|100|Generation X|The students of Xavier's Massachusetts academy had Banshee and Emma Frost as teachers. Jubilee, Chamber, Husk and M were among the young mutants who grew up there.
1011286|3|Cobalt Man|
1011287|25|Warlock (Technarchy)|
1011288|43|Jackal|Miles Warren was Gwen Stacy's biology professor and obsessed with her. His cloning has troubled Spider-Man for years, with doubles of her and of Peter himself.
1011289|24|Killmonger|
1011290|0|Wolf Cub|
1011291|24|Blindfold|
1011292|0|Greymalkin|
1011293|2|Ink|
1011294|2|The Enforcers|
1011295|4|The Howling Commandos|
1011296|0|Bi-Beast|
1011297|17|Agent Brand|
1011298|24|Armor (Hisako Ichiki)|
1011299|340|Guardians of the Galaxy|A band of outcasts took up the defense of the cosmos when no one else would. The modern team gathered around Star-Lord, Gamora, Drax, Rocket Raccoon and Groot; an earlier one fought for Earth in the thirty-first century.
1011300|38|High Evolutionary|Herbert Wyndham accelerated the evolution of animals into New Men on Wundagore Mountain. In pursuit of a perfect society he has experimented on heroes, himself and a whole counterpart to Earth.
1011301|5|Anole|
1011302|0|Nehzno|
1011303|1|Next Avengers|
1011304|16|Thundra|
1011305|28|Maximus|
1011306|1|Dargo Ktor|
1011307|31|Star Brand|
1011308|0|Kinsey Walden|
1011309|33|Toro (Thomas Raymond)|
1011310|8|Justin Hammer|
1011311|7|Ultimo|
1011312|10|Korvac|
1011313|5|Ender Wiggin|
1011314|7|Junta|
1011315|4|U-Foes|
1011316|0|Vapor|
1011317|17|Ezekiel Stane|
1011318|7|Iron Fist (Bei Bang-Wen)|
1011319|6|Ken Ellis|
1011320|2|M.O.D.O.G.|
1011321|3|Paper Doll|
1011322|0|Druig|
1011323|58|Sentinels|Built to hunt mutants, the robots come in generations that learn from each defeat. They have served the American government, the Master Mold and futures in which they alone rule.
1011324|2|Alpha Flight (Ultimate)|
1011325|4|Salem's Seven (Ultimate)|
1011326|1|Randall Flagg|
1011327|33|Lady Bullseye|
1011328|16|Maestro|
1011329|1|Omega Sentinel|
1011330|1|Revanche|
1011331|0|Charlie Campion|
1011333|20|Dakota North|
1011335|99|Maria Hill|Cool and by the book, she took over S.H.I.E.L.D. when Nick Fury disappeared. She enforced the registration of superhumans before events made her an ally of the Avengers.
1011336|262|New Mutants|Professor X's second class was meant to learn rather than to fight. Cannonball, Karma, Mirage, Sunspot and Wolfsbane soon found themselves doing both.
1011337|38|Nightcrawler (Ultimate)|Weapon X held the young Kurt Wagner prisoner until the X-Men freed him. Shy and pious, he finds it hard to accept some of the differences among his friends.
1011338|19|Angel (Ultimate)|
1011339|32|Blue Marvel|
1011340|0|MI: 13|
1011341|29|Starhawk (Stakar Ogord)|
1011342|31|Vance Astro|
1011343|13|Jamie Braddock|
1011344|0|Jazinda|
1011345|13|Tinkerer|
1011346|17|Ben Reilly|
1011347|46|Spider-Ham (Larval Earth)|Peter Porker was a spider bitten by a radioactive pig, in a world of cartoon animals. He has since crossed over to fight beside less comical web-slingers.
1011348|7|Ricochet|
1011349|5|Blackout|
1011350|9|Marvel Apes|
1011351|0|Payback|
1011352|5|True Believers|
1011353|8|Cosmo (dog)|
1011354|5|Barracuda|
1011355|0|Captain Midlands|
1011356|26|Frankenstein's Monster|
1011357|33|Karen Page|Secretary to Nelson and Murdock, she was the first woman Matt Murdock loved and told of his double life. Addiction led her to sell that secret, and Bullseye later killed her.
1011358|11|Doctor Strange (Ultimate)|
1011359|0|Chat|
1011360|99|Red Hulk|General Thaddeus Ross spent his career hunting the Hulk and then secretly became a crimson one himself. Unlike the green giant he keeps his mind, and he grows hotter as he grows angrier.
1011361|5|American Eagle (Jason Strongbow)|
1011362|2|Cottonmouth|
1011364|4|Magus (Technarch)|
1011365|12|Vanisher (Telford Porter)|
1011366|0|Sphinx (Anath-Na Mut)|
1011367|79|Dark Avengers|Norman Osborn assembled villains in the costumes of heroes and presented them as the country's protectors. He led them himself in the armor of the Iron Patriot.
1011368|42|Secret Warriors|Nick Fury put together this covert team of young people to strike at Hydra. Daisy Johnson led the recruits, most of whom had an inherited gift.
1011369|8|Phil Sheldon|
1011371|14|Henry Peter Gyrich|
1011373|22|Sons of the Tiger|
1011374|0|Golden Guardian|
1011375|1|Leper Queen|
1011376|50|Reptil|A fossil gave Humberto Lopez the power to grow the limbs and tails of dinosaurs, one part at a time. The teenager trained in the Avengers' program for beginners.
1011377|0|Spider-Man (Takuya Yamashiro)|
1011378|0|Professor Monster|
1011379|0|Iron Cross Army|
1011380|0|Garia|
1011381|0|Shinko Yamashiro|
1011382|0|Amazoness|
1011383|0|Hitomi Sakuma|
1011384|0|Galia|
1011385|22|Cypher|
1011386|52|Karma|Xi'an Coy Manh, born in Vietnam, takes possession of other minds. As the oldest of the first New Mutants she also looked after her younger brother and sister.
1011387|10|Dark X-Men|
1011388|13|Pet Avengers|
1011389|20|Frog Thor|
1011390|22|Redwing|
1011391|8|Hairball|
1011392|23|She-Hulk (Lyra)|
1011393|2|She-Hulk (Ultimate)|
1011394|1|Shiver Man|
1011395|1|Talon (Fraternity of Raptors)|
1011396|10|Angel (Thomas Halloway)|
1011397|4|Killer Shrike|
1011398|23|Romulus|
1011399|18|Meggan|
1011400|8|H.A.M.M.E.R.|
1011401|0|Richard Fisk|
1011402|6|Wendell Rand|
1011403|6|Lei Kung, The Thunderer|
1011404|19|Jeryn Hogarth|
1011405|1|Lucky Pierre|
1011406|1|Shadu the Shady|
1011407|1|Contessa (Vera Vidal)|
1011408|1|Lightning Lords of Nepal|
1011409|1|Nine-Fold Daughters of Xao|
1011410|1|Confederates of the Curious|
1011411|1|Chores MacGillicudy|
1011412|2|Iron Fist (Wu Ao-Shi)|
1011413|1|Iron Fist (Quan Yaozu)|
1011414|6|Loa|
1011415|0|Human Fly (Richard Deacon)|
1011416|18|Blonde Phantom|
1011417|1|Marvex|
1011418|14|X-Babies|
1011419|2|Phantom Reporter|
1011420|28|Grey Gargoyle|
1011421|12|Lethal Legion|
1011422|0|Nekra|
1011424|50|Miss America|The name belonged first to Madeline Joyce, who fought in World War II with the Liberty Legion. America Chavez, who kicks open doors between realities, used it long after her.
1011425|2|Whizzer (Stanley Stewart)|
1011426|83|Scarlet Spider (Kaine)|An imperfect and scarred clone of Peter Parker, Kaine spent years as a killer. Cured, he tried to make amends as a reluctant hero in Houston, Texas.
1011427|16|Nomad (Rikki Barnes)|
1011428|101|Hope Summers|The first mutant born after the Scarlet Witch took away the powers of nearly all others was seen as a messiah. Cable raised her on the run through time, and she came home to restore her people.
1011432|2|Enchantress (Sylvie Lushton)|
1011436|40|Red She-Hulk|After years as a victim of other people's experiments, Betty Ross turned into a red powerhouse of her own. A great sword and a sharper temper came with the change.
1011490|241|Hank Pym|Biochemist and discoverer of the particles that bear his name, he fought beside the Wasp as Ant-Man, Giant-Man and others. Among his inventions was Ultron, his greatest regret.
1011766|3|Azazel (Mutant)|
1011960|7|Tippy Toe|
1012200|0|Spider-Man (House of M)|
1012295|15|Spider-Man (Noir)|
1012513|1|Gargoyle (Yuri Topolov)|
1013483|2|Nakia (Nakia)|
1013727|0|Miracleman|
1014063|14|Night Thrasher (Dwayne Taylor)|
1014528|39|Quake (Daisy Johnson)|Daisy Johnson, a gifted agent of S.H.I.E.L.D., produces earthquakes and can aim them as finely as at one heart. Nick Fury was her mentor, and she rose to lead the agency for a time.
1014812|18|Thunderbolt Ross|
1014858|34|Spider-Man (Ben Reilly)|
1014873|58|Spider-Man (2099)|At the end of the twenty-first century, geneticist Miguel O'Hara rewrote his own DNA to break free of his employer. Talons and fangs set him apart from the hero who inspired him.
1014905|9|Squadron Sinister|
1014973|13|Brotherhood of Mutants (Ultimate)|
1014974|9|George Stacy (Ultimate)|
1014975|0|Sir Ram|
1014976|0|Lady Vermin|
1014977|0|Lady Ursula|
1014978|0|Naoko|
1014979|0|Shane Yamada-Jones|
1014980|0|Lord Tyger|
1014981|0|Bromley|
1014982|0|Git Hoskins|
1014983|0|Karen O'Malley|
1014985|12|Green Goblin (Barry Norman Osborn)|
1014986|0|The Hunter|
1014987|0|Firedrake|
1014988|0|Lester|
1014989|0|Prima|
1014990|0|Alice|
1014991|4|Crusher Hogan (Ultimate)|
1014992|3|Dormammu (Ultimate)|
1014993|3|Forge (Ultimate)|
1014994|27|Gwen Stacy (Ultimate)|
1014995|5|Hammerhead (Ultimate)|
1014996|2|Hellfire Club (Ultimate)|
1014997|1|Deathstrike (Ultimate)|
1014999|2|Clea (Ultimate)|
1015000|2|Reavers (Ultimate)|
1015001|8|Shang-Chi (Ultimate)|
1015002|2|Skrulls (Ultimate)|
1015003|2|Stacy X (Ultimate)|
1015004|5|Thanos (Ultimate)|
1015005|3|Wong (Ultimate)|
1015006|0|Rick Jones (Ultimate)|
1015007|3|Dreaming Celestial|
1015017|0|Krista Starr|
1015018|0|Marcus Van Sciver|
1015035|0|Shen|
1015239|39|Avengers (Ultimate)|In this universe Nick Fury formed a black-ops squad separate from the Ultimates, to deal with what was too dirty for them. Its methods matched its purpose.
1015280|16|Super Hero Squad|
1016181|268|Spider-Man (Miles Morales)|Half African American and half Puerto Rican, this Brooklyn teenager came from a world whose own Peter Parker had died. He can turn invisible and deliver a venom sting.
1016452|15|Spider-Man (Ai Apaec)|
1016823|2|Abomination (Ultimate)|
1016824|2|Ancient One (Ultimate)|
1016825|19|Ultimate Spider-Man (USM)|
1016837|0|Nova (USM)|
1016838|0|White Tiger (USM)|
1016839|0|Iron Fist (USM)|
1016840|0|Power Man (USM)|
1017078|68|Nova (Sam Alexander)|Sam Alexander of Carefree, Arizona, thought his father's stories of the Nova Corps were lies until he tried on the black helmet. The teenager soon found himself among the Avengers.
1017098|0|Hulk (HAS)|
1017099|0|Red Hulk (HAS)|
1017100|3|A-Bomb (HAS)|
1017101|0|Skaar (HAS)|
1017102|0|Devil Dinosaur (HAS)|
1017103|0|The Leader (HAS)|
1017104|0|Iron Man/Tony Stark (MAA)|
1017105|0|Captain America/Steve Rogers (MAA)|
1017106|0|Thor (MAA)|
1017107|0|Hulk/Bruce Banner (MAA)|
1017108|0|Hawkeye/Clint Barton (MAA)|
1017109|1|Black Widow/Natasha Romanoff (MAA)|
1017110|0|Falcon/Sam Wilson (MAA)|
1017111|0|She-Hulk (HAS)|
1017292|0|Daredevil (LEGO Marvel Super Heroes)|
1017294|0|Iron Man (LEGO Marvel Super Heroes)|
1017295|0|Captain America (LEGO Marvel Super Heroes)|
1017296|0|Black Widow (LEGO Marvel Super Heroes)|
1017297|0|Wolverine (LEGO Marvel Super Heroes)|
1017298|0|Nick Fury (LEGO Marvel Super Heroes)|
1017299|0|Loki (LEGO Marvel Super Heroes)|
1017300|0|Dr. Strange (Marvel: Avengers Alliance)|
1017301|0|Invisible Woman (Marvel: Avengers Alliance)|
1017302|0|Thor (Marvel: Avengers Alliance)|
1017303|0|Hulk (Marvel: Avengers Alliance)|
1017304|0|War Machine (Marvel: Avengers Alliance)|
1017305|0|Spider-Man (Marvel: Avengers Alliance)|
1017306|0|Punisher (Marvel: Avengers Alliance)|
1017307|0|Cable (Marvel: Avengers Alliance)|
1017308|0|Scarlet Witch (Marvel Heroes)|
1017309|0|Storm (Marvel Heroes)|
1017310|0|Iron Man (Marvel Heroes)|
1017311|0|Hawkeye (Marvel Heroes)|
1017312|0|Daredevil (Marvel Heroes)|
1017313|0|Thing (Marvel Heroes)|
1017314|0|Rocket Raccoon (Marvel Heroes)|
1017315|0|Thor (Marvel Heroes)|
1017316|0|Deadpool (Deadpool)|
1017317|38|Cable (Deadpool)|
1017319|0|Rogue (Deadpool)|
1017320|0|Iron Man (Iron Man 3 - The Official Game)|
1017321|0|M.O.D.O.K. (Iron Man 3 - The Official Game)|
1017322|0|War Machine (Iron Man 3 - The Official Game)|
1017323|0|Crimson Dynamo (Iron Man 3 - The Official Game)|
1017324|0|Gamora (Marvel War of Heroes)|
1017325|0|Wolverine (Marvel War of Heroes)|
1017326|0|Iron Man (Marvel War of Heroes)|
1017327|0|Captain America (Marvel War of Heroes)|
1017328|0|Thor (Marvel War of Heroes)|
1017329|0|Ghost Rider (Marvel War of Heroes)|
1017330|0|Black Bolt (Marvel War of Heroes)|
1017331|0|She-Hulk (Marvel War of Heroes)|
1017332|0|Spider-Man (LEGO Marvel Super Heroes)|
1017333|0|Hulk (LEGO Marvel Super Heroes)|
1017336|0|Deadpool (LEGO Marvel Super Heroes)|
1017438|22|Araña|
1017472|0|Cable (X-Men: Battle of the Atom)|
1017473|0|Cyclops (X-Men: Battle of the Atom)|
1017474|0|Deadpool (X-Men: Battle of the Atom)|
1017475|0|Iceman (X-Men: Battle of the Atom)|
1017476|0|Kitty Pryde (X-Men: Battle of the Atom)|
1017477|0|Magneto (X-Men: Battle of the Atom)|
1017478|0|Rogue (X-Men: Battle of the Atom)|
1017479|0|Wolverine (X-Men: Battle of the Atom)|
1017574|36|Angela (Aldrif Odinsdottir)|Long thought dead, Thor's lost sister was raised by angels who hate Asgard. She is a hunter who always exacts a price, and never leaves a debt unpaid.
1017575|55|Captain America (Sam Wilson)|When Steve Rogers lost his youth, he passed the shield to his oldest partner. Sam kept his wings, spoke his mind about the country's divisions and earned the title in his own way.
1017576|55|Thor (Goddess of Thunder)|A mystery to Asgard and to readers alike, she lifted Mjolnir after the Odinson had become unworthy. Behind the helmet was Jane Foster, and every change undid her cancer treatment.
1017583|83|Devil Dinosaur (Devil Dinosaur)|A gentle giant with a coat of red skin, this tyrannosaur hails from a prehistoric alternate world. His companion there was Moon-Boy; in New York it is the young genius Lunella Lafayette.
1017603|108|Spider-Gwen (Spider-Gwen)|In her world the spider bit Gwen Stacy, and it was Peter Parker who died. Gwen drums in a band, hides her identity from a policeman father and swings through dimensions under a white hood.
1017839|4|Phil Coulson (Phil Coulson)|
1017840|3|Okoye|
"""#
}
