"""Which words stand for what is seen in a picture? Nouns, doings and places with what means the same, what is wider,
what is opposite. For pictures.py; written for this project.

A line: word | same meaning | wider | opposite or excluding. Several are parted by commas; empty where there is none.
"""

from typing import Final

#: One person or animal. Excluding: what the same being can't be.
BEINGS: Final = """
man | gentleman, guy | person, adult | woman, boy
woman | lady | person, adult | man, girl
boy | young boy, little boy | child, person | girl, man
girl | young girl, little girl | child, person | boy, woman
child | kid | person | adult
toddler | very young child | child, person | adult
teenager | adolescent | person | toddler
baby | infant | child, person | adult
chef | cook | person, worker |
fisherman | man who fishes | man, person | woman
waiter | man who serves guests | man, person | waitress
dancer | person who dances | person, performer |
singer | vocalist | person, musician, performer |
drummer | person who plays the drums | musician, person |
climber | mountaineer, person who climbs | athlete, person |
cyclist | biker on a bicycle, bike rider | athlete, person |
surfer | person who surfs | athlete, person |
soldier | person in the army | person |
farmer | person who works on a farm | person, worker |
carpenter | woodworker | person, craftsman, worker |
nurse | person who nurses patients | person, worker |
teacher | instructor | person |
player | sportsperson | person, athlete |
swimmer | person who swims | athlete, person |
skater | person on skates | athlete, person |
painter | artist who paints | artist, person |
tourist | sightseer | person, visitor |
photographer | person who takes photos | person |
dog | canine | animal | cat
puppy | young dog | dog, animal | cat
cat | feline | animal | dog
kitten | young cat | cat, animal | puppy
horse | equine | animal | cow
monkey | small ape | animal | bird
elephant | | animal | tiger
tiger | | big cat, animal | elephant
panda | panda bear | bear, animal | tiger
bird | | animal | fish
duck | | bird, animal | swan
goat | | animal | sheep
rabbit | bunny | animal | fox
"""

#: What is done to a thing: doing / done to by ("is sliced by") | same | wider | opposite, all as "-ing/-ed" pairs; then
#: the things, of the list below, in a line of their own.
DOINGS_WITH_THINGS: Final = """
slicing/sliced | cutting into slices/cut into slices | cutting/cut, preparing/prepared | putting together/put together :
    carrot, onion, lemon, potato, tomato, loaf, mushroom, cucumber
peeling/peeled | taking the skin off/stripped of its skin | preparing/prepared | :
    potato, banana, orange, carrot, onion, apple
eating/eaten | consuming/consumed | | :
    apple, banana, sandwich, carrot, cookie, pizza, burger
frying/fried | cooking in oil/cooked in oil | cooking/cooked | freezing/frozen :
    fish, egg, mushroom, onion, potato, steak
playing/played | making music on/used to make music | holding/held | :
    guitar, piano, violin, flute, drum, trumpet, harp
holding/held | carrying/carried | touching/touched | dropping/dropped :
    ball, umbrella, camera, lamp, kite, book, guitar, stick, rope
throwing/thrown | hurling/hurled, tossing/tossed | | catching/caught :
    ball, frisbee, stick, rope, stone
catching/caught | grabbing out of the air/grabbed out of the air | | throwing/thrown :
    ball, frisbee, fish, stick
kicking/kicked | hitting with a foot/hit with a foot | hitting/hit | :
    ball, stone, tin, bottle
washing/washed | cleaning with water/cleaned with water | cleaning/cleaned | soiling/soiled :
    car, bike, window, plate, cup, apple, shirt
cleaning/cleaned | making clean/made clean | | making dirty/made dirty :
    window, car, boat, table, plate, lamp
repairing/repaired | fixing/fixed, mending/mended | working on/worked on | breaking/broken :
    bike, car, chair, guitar, boat, fence, lamp, camera
riding/ridden | sitting on and steering/steered | using/used | repairing/repaired :
    bike, motorcycle, scooter, skateboard
driving/driven | steering/steered | using/used | parking/parked :
    car, truck, bus, tractor
pushing/pushed | shoving/shoved | moving/moved | pulling/pulled :
    cart, car, bike, pram, table
pulling/pulled | dragging/dragged, tugging at/tugged at | moving/moved | pushing/pushed :
    cart, rope, sledge, boat
opening/opened | unclosing/unclosed | | closing/closed :
    door, window, bottle, box, book, gate
closing/closed | shutting/shut | | opening/opened :
    door, window, box, book, gate
lifting/lifted | raising/raised, picking up/picked up | moving/moved | lowering/lowered :
    box, stone, barrel, table, cart, chair
reading/read | looking through/looked through | looking at/looked at | writing/written :
    book, letter, newspaper, map
writing/written | putting to paper/put to paper | | erasing/erased :
    letter, note, poem
drawing/drawn | sketching/sketched | making/made | erasing/erased :
    picture, map, horse, house
painting/painted | covering with paint/covered with paint | | :
    fence, door, wall, boat, chair
mixing/mixed | stirring/stirred, blending/blended | preparing/prepared | separating/separated :
    soup, dough, salad, sauce, paint
pouring out/poured out | emptying/emptied | | filling up/filled up :
    milk, water, sauce, soup, paint
chasing/chased | running after/pursued | following/followed | fleeing from/fled from :
    cat, dog, ball, rabbit, bird, goat
feeding/fed | giving food to/given food | looking after/looked after | starving/starved :
    horse, cat, dog, goat, duck, rabbit
hugging/hugged | embracing/embraced | touching/touched | pushing away/pushed away :
    child, dog, cat, bear
watching/watched | observing/observed | looking at/looked at | ignoring/ignored :
    bird, boat, horse, tv, game
cutting/cut | using a blade on/cut with a blade | | glueing/glued :
    rope, paper, cake, bread, hedge
building/built | constructing/constructed | making/made | tearing down/torn down :
    wall, boat, fence, house, hut
carrying/carried | bearing/borne | moving/moved | putting down/put down :
    box, bag, basket, stone, child, cat
filming/filmed | recording on video/recorded on video | | :
    bird, horse, boat, game, dog
buying/bought | paying for/paid for | getting/got | selling/sold :
    apple, bag, book, bike, bread
"""

#: Things: word | same | wider | other of its kind.
THINGS: Final = """
carrot | | vegetable | onion
onion | | vegetable | carrot
potato | | vegetable | tomato
tomato | | vegetable | potato
cucumber | | vegetable | lemon
mushroom | | | potato
lemon | | fruit | apple
apple | | fruit | banana
banana | | fruit | orange
orange | | fruit | lemon
sandwich | | meal | pizza
cookie | biscuit | sweet | sandwich
pizza | | meal | burger
burger | hamburger | meal | pizza
guitar | | instrument, musical instrument | violin
piano | | instrument, musical instrument | guitar
violin | fiddle | instrument, musical instrument | flute
flute | | instrument, musical instrument | drum
drum | | instrument, musical instrument | flute
trumpet | | instrument, musical instrument | harp
harp | | instrument, musical instrument | trumpet
car | automobile | vehicle | truck
truck | lorry | vehicle | car
bus | | vehicle | tractor
tractor | | vehicle, machine | bus
bike | bicycle | vehicle | motorcycle
motorcycle | motorbike | vehicle | bike
scooter | | vehicle | bike
picture | image | | map
boat | | vessel | car
book | | | letter
letter | | | book
newspaper | paper | | book
loaf | loaf of bread | | cake
cake | | sweet | loaf
fish | | animal | bird
bird | | animal | fish
horse | | animal | goat
dog | | animal | cat
cat | | animal | dog
goat | | animal | rabbit
rabbit | bunny | animal | goat
chair | | piece of furniture | table
table | | piece of furniture | chair
shirt | | garment | bag
house | | building | hut
hut | small house | building | house
umbrella | | | camera
camera | | device | umbrella
stick | piece of wood | | stone
stone | rock | | stick
ball | | toy | frisbee
frisbee | | toy | ball
kite | | toy | ball
child | kid | person | dog
box | | container | bag
bag | | container | box
bottle | | container | box
cup | mug | | plate
plate | dish | | cup
"""

#: Doings without a thing: word | same | wider | opposite.
DOINGS: Final = """
running | racing along, sprinting | moving | standing still, resting
walking | going on foot, strolling | moving | sitting down, running
jumping | leaping, hopping | moving | lying down
sleeping | napping, taking a nap | resting | being awake, dancing
sitting | being seated | resting | standing
standing | being on their feet | | lying, sitting
dancing | moving to music | moving | standing still
swimming | moving through water | moving | drowning, standing on dry land
smiling | wearing a smile | | frowning, crying
laughing | giggling | | weeping
crying | weeping, shedding tears | | laughing
singing | performing a song | making sounds | being silent
talking | speaking, chatting | making sounds | being silent
shouting | yelling, screaming | making sounds | whispering
whispering | speaking very quietly | talking | shouting
climbing up | going up | moving | climbing down
falling down | tumbling | moving | getting up
skating | gliding on skates | moving | standing still
skiing | gliding on skis | doing a sport, moving | sledging
surfing | riding a wave | doing a sport | diving
fishing | trying to catch fish | | hunting
cooking | preparing a meal | working | dining
dining | having a meal | eating | cooking
exercising | working out, training | | resting
performing on stage | giving a show | | watching a show
waiting in line | queueing | waiting | leaving
studying | learning | | playing
lying on the ground | being stretched out on the ground | | jumping
jogging | running at a slow pace | running, moving | sitting
juggling | keeping balls in the air | | sleeping
kneeling | being on their knees | | standing
working | doing their job | | taking a break
playing | having fun | | fighting, working
fighting | struggling with each other | | hugging, playing peacefully
"""

#: Preposition and place | same | wider | excluding.
PLACES: Final = """
in a kitchen | inside a kitchen | indoors, in a room, inside | outdoors, in a garden
in a garden | out in a garden | outdoors, outside | indoors, in a kitchen
in the snow | in a snowy place | outdoors | on a hot beach
on a beach | at the beach, on the seashore | outdoors, near the water | in a forest, indoors
in a forest | in the woods | outdoors, near trees | on a beach, in a city
on a street | in a street, on a road | outdoors | in a swimming pool, indoors
in a park | | outdoors | inside a building
at a table | beside a table | near a piece of furniture | far from any table
on a stage | up on a stage | | in the audience
near a lake | by a lake, beside a lake | near the water, outdoors | in a desert
in a desert | in the middle of a desert | outdoors | near a lake
in a swimming pool | in a pool | in the water | on dry land
on a mountain | on the side of a mountain | outdoors | in a cellar
in a gym | inside a gym | indoors | outdoors
in front of a house | before a house | near a building, outdoors | behind a house
behind a house | at the back of a house | near a building, outdoors | in front of a house
under a tree | beneath a tree | near a tree, outdoors | on top of a tree
on a roof | on top of a roof | | in a cellar
in a field | in a meadow, on a grassy field | outdoors | in an office
in an office | inside an office | indoors | in a field
on a bench | seated on a bench | | under a bench
in a dark room | in a room without light | indoors, in a room | in a brightly lit room
in the rain | while it is raining | outdoors | in the dry
at night | when it is dark | | in broad daylight
on a bridge | | outdoors | under a bridge
in a crowded market | in a market full of people | in a market | in an empty market
"""

#: Of a being: word | same | wider | opposite.
OF_BEINGS: Final = """
tall | very tall | | short
old | elderly, aged | | young
young | | | old
thin | slim | | fat
bearded | | | clean-shaven
happy | cheerful, joyful | | sad
tired | weary | | rested
bald | hairless | | long-haired
blond | fair-haired | | dark-haired
barefoot | without shoes on | | booted
strong | muscular | | weak
small | little | | large
large | big | | small
brown | | | white
wet | soaked | | dry
dirty | muddy | | clean
"""
ANIMALS: Final = (
    "dog", "puppy", "cat", "kitten", "horse", "monkey", "elephant", "tiger", "panda", "bird", "duck", "goat", "rabbit",
)  # fmt: skip
OF_ANIMALS: Final = ("old", "young", "thin", "happy", "tired", "small", "large", "brown", "wet", "dirty", "strong")
OF_PEOPLE: Final = (
    "tall", "old", "young", "thin", "bearded", "happy", "tired", "bald", "blond", "barefoot", "strong", "dirty",
)  # fmt: skip

#: Of a thing.
OF_THINGS: Final = """
big | large | | small
small | little, tiny | | big
old | ancient | | new
new | brand-new | | old
heavy | weighty | | light
red | | coloured | blue
blue | | coloured | red
green | | coloured | yellow
white | | | black
black | | | white
broken | damaged | | intact
wooden | made-of-wood | | metal
clean | | | dirty
dirty | soiled | | clean
"""

WORN: Final = (
    "a red coat", "a black jacket", "a blue shirt", "a white dress", "a green hat", "yellow boots", "sunglasses",
    "a helmet", "a striped scarf", "a grey suit", "an orange vest", "a uniform", "gloves", "a straw hat",
    "a purple top",
)  # fmt: skip
MANNERS: Final = (
    ("quickly", "fast, rapidly", "slowly"), ("slowly", "without haste", "quickly"), ("happily", "cheerfully", "sadly"),
    ("carefully", "with care", "carelessly"), ("quietly", "without noise", "loudly"), ("loudly", "noisily", "quietly"),
    ("alone", "on their own", "together with many others"), ("eagerly", "with enthusiasm", "reluctantly"),
)  # fmt: skip
COUNTS: Final = ("two", "three", "four", "five", "six")
