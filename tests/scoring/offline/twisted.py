"""What a reader set out to trip the rules with: words of a cue that something around them twists.

Each is a cue and what is said, by what twists it. The lines of `FLAGGED` count, but so little that
a person is asked to look.
"""

from __future__ import annotations

Lines = tuple[str, ...]

CONTROL, OUT, ALL_OUT = "under control", "fire is out", "everyone is accounted for"
PRIMARY, GAS, REFUND = "primary search complete", "gas is off", "full refund"
SHIPPED, BUILDING = "your order has shipped", "all companies out of the building"

TWISTED: dict[str, tuple[tuple[str, Lines], ...]] = {
    "exceptions": (
        (ALL_OUT, ("Command: Everyone is accounted for bar one.",)),
        (ALL_OUT, ("Command: Everyone is accounted for save Ladder 4.",)),
        (ALL_OUT, ("Command: Everyone is accounted for, apart from Engine 9.",)),
        (ALL_OUT, ("Command: Everyone is accounted for other than Engine 9.",)),
        (PRIMARY, ("Ladder 4: Primary search complete, minus the basement.",)),
        ("all clear", ("Ladder 4: Oh yeah, all clear, except for the body in the hall.",)),
    ),
    "second thoughts": (
        (ALL_OUT, ("Command: Everyone is accounted for. Wait, I'm missing Engine 9.",)),
        (ALL_OUT, ("Command: Everyone is accounted for. Hold on. Where's Ladder 4?",)),
        (ALL_OUT, ("Command: Everyone is accounted for, hold on, no they're not.",)),
        (SHIPPED, ("Agent: Your order has shipped. Oh hang on, that's another one.",)),
        (SHIPPED, ("Agent: Your order has shipped... oh no it hasn't.",)),
        (GAS, ("Engine 9: Gas is off. Negative on that, still hissing.",)),
        (GAS, ("Engine 9: Gas is off... I take that back.",)),
        (GAS, ("Engine 9: Gas is off - check that - still on.",)),
        ("second alarm", ("Command: Strike a second alarm, no, hold that, we're fine.",)),
        ("cleared for takeoff", ("Tower: Cleared for takeoff, cancel, hold position.",)),
        ("on scene", ("Engine 7: On scene. Ah, wrong street, still looking.",)),
        ("on scene", ("Engine 7: On scene. Is it Fifth? Correction, we are at Sixth.",)),
    ),
    "second thoughts, a turn later": (
        (PRIMARY, ("Ladder 4: Primary search complete.", "A: Ok.", "Ladder 4: Strike my last.")),
        (
            PRIMARY,
            (
                "Ladder 4: Primary search complete.",
                "Command: Ladder 4, did you check the basement?",
                "Ladder 4: Uh, negative, search is not complete, we're going down now.",
            ),
        ),
        (GAS, ("Engine 9: Gas is off.", "A: Copy.", "Engine 9: Correction, the gas is still on.")),
    ),
    "denials": (
        ("going defensive", ("Command: We are not, at least for now, going defensive.",)),
        ("offensive mode", ("Command: We are, by no means, in offensive mode.",)),
        (REFUND, ("Agent: A full refund is off the table.",)),
        (REFUND, ("Agent: A full refund, I'm afraid, is not available.",)),
        (GAS, ("Engine 9: It's a lie that the gas is off.",)),
        (GAS, ("Engine 9: I find it hard to believe the gas is off.",)),
        (CONTROL, ("Command: Fire under control, my foot.",)),
    ),
    "questions": (
        (PRIMARY, ("Command: Ladder 4, Command, primary search complete yet",)),
        ("RIT established", ("Command: Is it the case, Engine 9, that we have RIT established",)),
        ("RIT established", ("Command: RIT established, check or no check",)),
        (GAS, ("Command: The gas is off, right.",)),
        (GAS, ("Command: The gas is off, yeah.",)),
    ),
    "orders": (
        ("water on the fire", ("Command: Engine 7, Command. Water on the fire, now.",)),
        ("water on the fire", ("Command: You've got the front door, water on the fire.",)),
        (OUT, ("Command: Show me the fire is out.",)),
        (OUT, ("Command: You tell me the fire is out.",)),
        (PRIMARY, ("Command: Ladder 4, your benchmark is primary search complete.",)),
    ),
    "reports": (
        (OUT, ("Caller: My husband reckons the fire is out.",)),
        (GAS, ("Engine 9: Looks like the gas is off.",)),
        (GAS, ("Engine 9: Odds are the gas is off.",)),
        (GAS, ("Engine 9: In theory the gas is off.",)),
        (GAS, ("Engine 9: Somebody mentioned the gas is off.",)),
        (GAS, ("Command: The checklist reads, gas is off, power is off.",)),
        (GAS, ("Trainer: This is a test. The gas is off. End of test.",)),
        ("all clear", ("Ladder 4: We were told all clear, but there's still a victim.",)),
        ("been closed", ("Customer: The letter states your account has been closed.",)),
    ),
    "conditions": (
        (GAS, ("Engine 9: The gas is off, once they find the valve.",)),
        (SHIPPED, ("Agent: As long as it's in stock your order has shipped by Friday.",)),
        (SHIPPED, ("Agent: Had it been in stock, your order has shipped.",)),
        (REFUND, ("Agent: A full refund would need my manager.",)),
    ),
    "read-backs": (
        (
            BUILDING,
            (
                "Command: I want all companies out of the building.",
                "Ladder 4: Yes sir. All companies out of the building. We'll start now.",
            ),
        ),
        (
            BUILDING,
            (
                "Command: Get all companies out of the building.",
                "Dispatch: To all units, per Command, all companies out of the building.",
            ),
        ),
    ),
    "other statements": (
        (OUT, ("Engine 7: Fire is out the window on side Charlie.",)),
        (OUT, ("Engine 7: Fire is out through the roof.",)),
        (OUT, ("Engine 7: The fire is out in the hallway now, pushing toward us.",)),
        (GAS, ("Engine 9: The gas is off the hook loud.",)),
        (GAS, ("Engine 9: The gas is off and on.",)),
        (GAS, ("Engine 9: Every hour the gas is off costs us.",)),
        (GAS, ("Engine 9: The longer the gas is off the colder it gets.",)),
        (GAS, ("Trainer: For training purposes the gas is off.",)),
        ("line is charged", ("Engine 7: Line is charged a fee.",)),
        ("patient is breathing", ("Medic 3: Patient is breathing his last.",)),
    ),
    "numbers cut in two": (
        ("two victims", ("Ladder 4: Twenty two victims.",)),
        ("two victims", ("Ladder 4: We have twenty- two victims.",)),
        ("five victims", ("Ladder 4: One hundred five victims.",)),
        ("five victims", ("Ladder 4: One hundred and five victims.",)),
        ("two hundred", ("Pump: Thirty two hundred gallons.",)),
        ("5 on scene", ("-: Engine 2 5 on scene.",)),
        ("5 on scene", ("Engine 7: Two point 5 on scene.",)),
        ("10 people out", ("Ladder 4: We have 3 of 10 people out.",)),
        ("PAR of two", ("Ladder 4: We have PAR of two point five.",)),
        ("PAR of two", ("Ladder 4: We have PAR of two five.",)),
    ),
    "not yet": (
        ("all clear", ("Ladder 4: We are a long way from an all clear.",)),
        ("under control", ("Command: Ten minutes out from under control.",)),
        ("taking command", ("Battalion 2: Battalion 2 en route, taking command on arrival.",)),
        ("taking command", ("Battalion 2: I'm taking command upon arrival.",)),
        ("taking command", ("Command: Taking command from Engine 5 after the walk-around.",)),
        ("making entry", ("Engine 5: Geared up, making entry on your order.",)),
        ("sending the refund", ("Agent: Sending the refund at the end of the month.",)),
    ),
    "all but one": (
        ("companies accounted for", ("Command: All companies accounted for but Ladder 3.",)),
        ("everyone is out", ("Command: Everyone is out but the dog.",)),
        ("everyone is out", ("Command: Everyone is out, as far as I know.",)),
        ("everyone is out", ("Command: Everyone is out, per the neighbor.",)),
    ),
}

FLAGGED: tuple[tuple[str, str], ...] = (
    ("making entry", "Engine 5: Making entry next to the garage."),
    ("on scene", "Dispatch: PD reports a supervisor on scene, he'll be at the gate."),
    ("mayday", "Command: We did the mayday training last week."),
    ("mayday", "Dispatch: The Mayday Street hydrant is out of service."),
    ("all clear", "Driver: The road's all clear from here."),
    ("all clear", "Command: It's all clear to me that we have a problem."),
    (CONTROL, "Command: At this rate under control by midnight."),
)

PLAIN: tuple[tuple[str, Lines], ...] = (
    ("two victims", ("Ladder 4: Ladder 4 two victims on the second floor.",)),
    ("two victims", ("Ladder 4: On two, two victims.",)),
    ("help is on the way", ("Dispatch: Help is on the way, don't hang up.",)),
    (GAS, ("Engine 9: Gas is off but we have a leak in the basement.",)),
    (GAS, ("Engine 9: Be advised that the gas is off now.",)),
    (GAS, ("Engine 9: I can confirm the gas is off.",)),
    (GAS, ("Engine 9: Gas is off over.",)),
    (GAS, ("Engine 9: Found the shutoff and the gas is off.",)),
    (GAS, ("Engine 9: Gas is off. Wait for the power company.",)),
    (GAS, ("Engine 9: Gas is off.", "Command: Copy.", "Engine 9: The power is not.")),
    (OUT, ("Command: The fire is out, no victims found.",)),
    (OUT, ("Command: The fire is out at the rear.", "A: Ok.", "Command: No fire in the attic.")),
    (
        "water on the fire",
        ("Engine 7: We have water on the fire.", "A: Ok.", "Engine 7: Not much."),
    ),
    ("under control", ("Command: We have it under control now.",)),
    (REFUND, ("Agent: You're getting it all back, I've just made you a full refund.",)),
    (ALL_OUT, ("Command: Everyone is accounted for. You can cancel the second alarm.",)),
    (
        "water on the fire",
        (
            "Command: Engine 7, do you have water on the fire?",
            "Engine 7: Affirmative. Water on the fire.",
        ),
    ),
)
"""What is said as plainly as it was before, and counts as much."""
