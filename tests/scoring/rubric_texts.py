"""A small rubric in YAML, with every kind of criterion, to be broken by tests."""

from __future__ import annotations

RUBRIC = """\
template:
  id: fireground
  name: Fire ground
  version: "1.0"
sections:
  - id: arrival
    title: Arrival
    weight: 0.6
    criteria:
      - id: command
        title: Announces command
        required: true
        weight: 2
        type: boolean
        cues: [assuming command, {say: establishing command, by: ["Engine *"]}]
      - id: report
        title: Size-up
        type: graded
        grading: {minScore: 0, maxScore: 4}
        cues:
          elements:
            building: [two story, single story]
            smoke: [smoke showing]
  - id: attack
    title: Attack
    weight: 0.4
    criteria:
      - id: mode
        title: Mode
        type: enum
        enumOptions: [none, {value: unclear, score: 0.5}, offensive]
        cues:
          options:
            offensive: [offensive mode]
      - id: water
        title: First water
        type: timing
        timing: {startEvent: on_scene, endEvent: water, targetSeconds: 120, maxSeconds: 240}
        cues:
          events:
            on_scene: [on scene]
            water: [water on the fire]
scoring:
  thresholds: {pass: 0.8, needsImprovement: 0.6}
"""


def changed(old: str, new: str) -> str:
    """The rubric with one place of it changed."""
    assert RUBRIC.count(old) == 1, f"{old!r} stands {RUBRIC.count(old)} times"
    return RUBRIC.replace(old, new)
