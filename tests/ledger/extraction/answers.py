"""Answers as language models write them, over policies that do not exist."""

from __future__ import annotations

LEAVE = """\
Sure! Here's what the Larkfield leave policy says:

## Annual leave

Permanent employees are **entitled to 26 days** of paid annual leave per calendar year [1]. It
accrues monthly, and requests must be approved by the line manager [1, 2]. [cite:9f8e7d6c]

- **Part-time staff:** pro rata, rounded up to the next half day.
- **Interns** receive 10 days; they cannot carry any over.
  - For example, an intern who leaves in June receives 5 days.

| Reason | Days | Proof |
|--------|-----:|-------|
| Wedding | 2 | certificate |

> Leave that is not taken by 31 March expires.

I could not find a rule on unpaid leave in the documents. Would you like the form?

Sources:
[1] larkfield-leave.md, section 2
[2] https://intranet.example/leave
"""

PLAIN = """\
TRAVEL EXPENSES

Hotel: up to 120 EUR per night

They have to be claimed with receipts (no
copies) by the end of the month after the trip. Flights within Europe need the approval of the CFO.

1) File the claim in the portal.
2) Attach the receipts.
   a) originals only
"""

SAFETY = """\
### \u26a0\ufe0f Handling solvents

**Short answer:** No, solvents may not be stored in the office.

\u2705 Closed cabinets in the laboratory are allowed.
\u274c Window sills, corridors and refrigerators

PPE
: Gloves, goggles and a coat.
: It is provided by the employer.

<details><summary>Emergency</summary>

Call 112 first; the safety officer must be informed at once[^1].

</details>

```yaml
limit: 5 l
```

[^1]: safety-manual.md
"""

ELSEWHERE = """\
1. Der Urlaub betr\u00e4gt ab dem 1. Januar 2025 30 Tage, d. h. sechs Wochen [1].

\u5e74\u6b21\u4f11\u6687\u306f**20\u65e5**\u3067\u3059[1]\u3002\u4e0a\u53f8\u306e\u627f\u8a8d\u304c\u5fc5\u8981\u3067\u3059\u3002

Quellen:
[1] urlaub.pdf
"""

WRAPPED = "```markdown\n" + LEAVE + "```\n"

ANSWERS = (LEAVE, PLAIN, SAFETY, ELSEWHERE, WRAPPED)
