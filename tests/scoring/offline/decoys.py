"""Short exchanges in which a cue is said: some in which it is so, and more in which it is not.

Each is a name, what is said, the cue, and, where it is so, which line says it first (from 1).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """An exchange, a cue, and the line that says it is so; None where none does."""

    name: str
    lines: tuple[str, ...]
    cue: str
    line: int | None = None

    def __str__(self) -> str:
        return self.name


WATER = "water on the fire"
SCENE = "on scene"
CONTROL = "fire is under control"


def _so(name: str, cue: str, *lines: str, line: int = 1) -> Case:
    return Case(name, lines, cue, line)


def _not(name: str, cue: str, *lines: str) -> Case:
    return Case(name, lines, cue)


ASSERTED = (
    _so("plain", WATER, "Engine 7: Command from Engine 7, we have water on the fire."),
    _so("any casing", WATER, "Engine 7: COMMAND, ENGINE 7, WATER ON THE FIRE!"),
    _so("commas inside", WATER, "Engine 7: We've got water, uh, on the fire."),
    _so("no punctuation", WATER, "Engine 7: command engine seven we have water on the fire"),
    _so("number as word", "engine 7 is on scene", "Engine 7: Engine seven is on scene."),
    _so("number as digit", "two story house", "Engine 7: I have a 2-story house, smoke showing."),
    _so("short form", CONTROL, "Command: Dispatch, the fire's under control."),
    _so("article left out", WATER, "Engine 7: Engine 7, water on fire."),
    _so("article put in", SCENE, "Engine 7: Engine 7 is on the scene."),
    _so("hyphen", "all clear", "Ladder 4: Primary is all-clear."),
    _so("slip of the pen", "establishing command", "Engine 7: Engine 7 establishing comand."),
    _so("letter left out", "establishing command", "Engine 7: Engine 7 establshing command."),
    _so("parted otherwise", "floor plan checked", "Agent: I have the floorplan checked."),
    _so("other form", "established command", "Engine 7: I'm establishing command here."),
    _so("empty word inside", "fire under control", "Command: The fire is now under control."),
    _so("other thing denied", SCENE, "Engine 7: Engine 7 on scene, nothing showing."),
    _so(
        "other thing denied before",
        WATER,
        "Engine 7: No victims yet, but we have water on the fire.",
    ),
    _so(
        "denied without commas",
        WATER,
        "Engine 7: we do not have a hydrant we have water on the fire",
    ),
    _so("other thing ordered", WATER, "Engine 7: We have water on the fire, send me another crew."),
    _so("other thing asked", SCENE, "Engine 7: Engine 7 on scene, do you have a hydrant for us?"),
    _so("asked whether heard", WATER, "Engine 7: We have water on the fire, do you copy?"),
    _so(
        "answer to an order",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Ladder 4: Ladder 4 is at the rear.",
        "Engine 7: Command, Engine 7, we have water on the fire.",
        line=3,
    ),
    _so(
        "answer to a question",
        WATER,
        "Command: Engine 7, do you have water on the fire?",
        "Engine 7: Affirmative, we have water on the fire.",
        line=2,
    ),
    _so(
        "announced before",
        WATER,
        "Command: Engine 7, advise when you have water on the fire.",
        "Engine 7: Copy, will advise.",
        "Engine 7: Command, Engine 7, water on the fire.",
        line=3,
    ),
    _so("after thanks", "your refund has been issued", "Agent: Okay, your refund has been issued."),
    _so(
        "no problem",
        "your refund has been issued",
        "Agent: No problem, your refund has been issued.",
    ),
    _so(
        "not before the doubt",
        "the line is charged",
        "Engine 7: The line is charged and we're moving in.",
    ),
    _so("was able to", "reset your password", "Agent: We were able to reset your password."),
    _so("can see", "smoke showing", "Engine 7: We can see smoke showing from the roof."),
    _so("be advised", WATER, "Engine 7: Be advised, we have water on the fire."),
    _so(
        "cue denies by itself", "unable to locate", "Ladder 4: We are unable to locate the victim."
    ),
    _so("cue asks by itself", "what is your status", "Command: Engine 7, what is your status?"),
    _so(
        "cue asks by itself 2",
        "is there anything else",
        "Agent: Is there anything else I can do for you?",
    ),
    _so("cue with a question mark", "your account number?", "Agent: And your account number?"),
    _so(
        "cue orders by itself",
        "evacuate the building",
        "Command: All companies, evacuate the building.",
    ),
    _so(
        "cue promises by itself",
        "I will take care of this",
        "Agent: I will take care of this today.",
    ),
    _so("cue denies: no", "no water on the fire", "Engine 7: We have no water on the fire."),
    _so(
        "first of two sentences", WATER, "Engine 7: We have water on the fire. What about Ladder 4?"
    ),
    _so(
        "own report to an order",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Engine 7: Okay, we have water on the fire.",
        line=2,
    ),
    _so(
        "report, then okay",
        WATER,
        "Engine 7: We have water on the fire.",
        "Command: Okay, good, water on the fire.",
        line=1,
    ),
    _so(
        "new call after another order",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Engine 7: Command from Engine 7, water on the fire.",
        line=2,
    ),
    _so("second sentence", "your refund is approved", "Agent: Ms. Brand. Your refund is approved."),
    _so("speaker unknown", WATER, "-: Command from Engine 7, we have water on the fire."),
)

DECOYS = (
    # asked
    _not("question", WATER, "Command: Engine 7, do you have water on the fire?"),
    _not("question without mark", WATER, "Command: engine seven do you have water on the fire"),
    _not("question by tone", WATER, "Command: Water on the fire?"),
    _not("is the", CONTROL, "Dispatch: Command, is the report that fire is under control right?"),
    _not("has engine", SCENE, "Command: Has Engine 7 arrived on scene"),
    _not("any", WATER, "Command: Engine 7, any water on the fire yet"),
    _not("tag", WATER, "Command: You've got water on the fire, right?"),
    _not("tag without mark", WATER, "Command: Engine 7 has water on the fire, correct."),
    _not("confirm", WATER, "Command: Engine 7, confirm water on the fire."),
    _not("can you confirm", WATER, "Command: can you confirm that you have water on the fire"),
    _not("just to confirm", WATER, "Command: Just to confirm, water on the fire."),
    _not("status of", WATER, "Command: Engine 7, what's your status on water on the fire."),
    _not("what about", WATER, "Command: What about water on the fire"),
    _not("called you", WATER, "Command: Engine 7 you have water on the fire"),
    _not("whether", WATER, "Command: Tell me whether there is water on the fire."),
    _not(
        "caller asks",
        "your refund has been issued",
        "Customer: Did you say your refund has been issued",
    ),
    # denied
    _not("do not have", WATER, "Engine 7: We do not have water on the fire."),
    _not("don't", WATER, "Engine 7: We don't have water on the fire."),
    _not("dont unwritten", WATER, "Engine 7: we dont have water on the fire"),
    _not("no", WATER, "Engine 7: No water on the fire."),
    _not("negative on", WATER, "Engine 7: Negative on water on the fire."),
    _not("negative alone", WATER, "Engine 7: Negative, water on the fire."),
    _not("negative sentence", WATER, "Engine 7: Negative. Water on the fire."),
    _not("unable", WATER, "Engine 7: We are unable to get water on the fire."),
    _not(
        "far not",
        WATER,
        "Engine 7: We have not been able to get a line in there to put water on the fire.",
    ),
    _not("not over a filler", WATER, "Engine 7: We do not, uh, have water on the fire."),
    _not("not over an aside", WATER, "Engine 7: We do not, at this time, have water on the fire."),
    _not("not over dots", WATER, "Engine 7: We do not... have water on the fire."),
    _not(
        "not over segments", WATER, "Engine 7: we still do not have", "Engine 7: water on the fire"
    ),
    _not("nobody", WATER, "Engine 7: Nobody has water on the fire."),
    _not("lost", WATER, "Engine 7: Mayday, we lost water on the fire."),
    _not("without", WATER, "Engine 7: We're in here without water on the fire."),
    _not("not after", WATER, "Engine 7: Water on the fire is not established."),
    _not("negative after", WATER, "Engine 7: Water on the fire, negative."),
    _not("not yet after", WATER, "Engine 7: Water on the fire, not yet."),
    _not("think not", WATER, "Engine 7: I don't think that we have water on the fire."),
    _not("cannot confirm", WATER, "Engine 7: We cannot confirm we have water on the fire."),
    _not("list with or", "smoke showing", "Engine 7: No flames, smoke showing or victims."),
    _not(
        "never",
        "your refund has been issued",
        "Agent: It never says that your refund has been issued.",
    ),
    _not("withdrawn", WATER, "Engine 7: We have water on the fire. Correction, the line is dry."),
    _not("withdrawn in the sentence", WATER, "Engine 7: Water on the fire, disregard, line burst."),
    _not("disregard before", WATER, "Engine 7: Disregard water on the fire."),
    # ordered, planned, on a condition
    _not("advise when", WATER, "Command: Engine 7, advise when you have water on the fire."),
    _not("once", WATER, "Command: Once you have water on the fire, Ladder 4 opens the roof."),
    _not("once first", WATER, "Command: Once you're in, water on the fire."),
    _not("if", WATER, "Command: If you have water on the fire let me know."),
    _not("until", WATER, "Command: Nobody opens up until there is water on the fire."),
    _not("as soon as", WATER, "Command: As soon as we have water on the fire we'll vent."),
    _not("will be", WATER, "Engine 7: We will be putting water on the fire."),
    _not("we'll", WATER, "Engine 7: We'll have water on the fire in two minutes."),
    _not("going to", WATER, "Engine 7: We're going to put water on the fire."),
    _not("about to", WATER, "Engine 7: We're about to put water on the fire."),
    _not("stand by", WATER, "Engine 7: Stand by for water on the fire."),
    _not("put", WATER, "Command: Engine 7, put water on the fire."),
    _not("put without comma", WATER, "Command: engine seven put water on the fire"),
    _not("get in and", WATER, "Command: Engine 7, get in there, water on the fire."),
    _not("need", WATER, "Command: I need water on the fire."),
    _not("let's", WATER, "Command: Let's get water on the fire."),
    _not("make sure", WATER, "Command: Make sure there's water on the fire."),
    _not("should have", WATER, "Engine 7: We should have water on the fire."),
    _not("trying", WATER, "Engine 7: We're trying to get water on the fire."),
    _not("working on", WATER, "Engine 7: Working on water on the fire."),
    _not("waiting", WATER, "Ladder 4: We're still waiting for water on the fire."),
    _not("in two minutes", SCENE, "Engine 7: Engine 7 on scene in two minutes."),
    _not("please", WATER, "Command: Engine 7, water on the fire please."),
    _not("almost", WATER, "Engine 7: We almost have water on the fire."),
    _not("promised refund", "process the refund", "Agent: I'll go ahead and process the refund."),
    _not(
        "would",
        "your refund has been issued",
        "Agent: It would say that your refund has been issued.",
    ),
    _not("infinitive", "establish command", "Engine 7: Engine 7 is here to establish command."),
    _not(
        "take back order",
        "sent you a confirmation",
        "Agent: Once I have sent you a confirmation, call us.",
    ),
    # doubted
    _not("I think", WATER, "Engine 7: I think we have water on the fire."),
    _not("maybe", WATER, "Engine 7: Maybe we have water on the fire."),
    _not("possible", "working fire", "Engine 7: We have a possible working fire."),
    _not(
        "caller reports", "smoke showing", "Dispatch: Caller reports smoke showing from the roof."
    ),
    # read back
    _not(
        "order read back",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Engine 7: Copy, water on the fire.",
    ),
    _not(
        "order read back with verb",
        WATER,
        "Command: Engine 7, get water on the fire.",
        "Engine 7: Engine 7 copies, get water on the fire.",
    ),
    _not(
        "order repeated",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Engine 7: Water on the fire.",
    ),
    _not(
        "question acknowledged",
        WATER,
        "Command: Do you have water on the fire?",
        "Engine 7: Stand by.",
        "Command: Copy, water on the fire.",
    ),
    _not(
        "order acknowledged with okay",
        WATER,
        "Command: Engine 7, put water on the fire.",
        "Engine 7: Okay, all good, water on the fire.",
    ),
    _not(
        "not over a title",
        "your refund is approved",
        "Agent: I do not believe, Mr. Brand, that your refund is approved.",
    ),
    _not("copies on its own", SCENE, "Command: Command copies, Engine 7 on scene."),
    _not("copy without comma", WATER, "Command: copy water on the fire"),
    _not("copy you have", WATER, "Command: Copy, you have water on the fire."),
    _not(
        "ordered and read back, unknown speakers",
        WATER,
        "-: Engine 7, put water on the fire.",
        "-: Copy, water on the fire.",
    ),
    # other words
    _not("other number", "engine 7 is on scene", "Engine 9: Engine 9 is on scene."),
    _not("other number word", "second alarm", "Command: Strike a third alarm."),
    _not("two speakers", WATER, "Engine 7: We have water on", "Ladder 4: the fire is out."),
    _not("real word by a letter", "smoke showing", "Engine 7: Smoke slowing now."),
    _not("other name", "Main Street command", "Engine 7: This is Maine Street command."),
    _not("half of it", "primary search complete", "Ladder 4: Primary search underway."),
    _not("other order of words", WATER, "Engine 7: The fire is on the water side."),
    _not("other preposition", WATER, "Engine 7: We have water for the fire."),
    _not("longer word", "story", "Engine 7: A two-story house."),
    _not("decimal", "15 gallons", "Engine 7: We have 1.5 gallons."),
)
