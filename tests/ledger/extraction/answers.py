"""Answers as language models write them, over policies that do not exist."""

from __future__ import annotations

LEAVE = """\
Sure! Here's what the Larkfield leave policy says:

## Annual leave

Permanent employees are **entitled to 26 days** of paid annual leave per calendar year [1]. It
accrues monthly, and requests must be approved by the line manager [1, 2]. Up to 4 days may be
carried over unless the head of department objects [cite:9f8e7d6c].

- **Part-time staff:** pro rata, rounded up to the next half day.
- **Interns** receive 10 days; they cannot carry any over.
  - For example, an intern who leaves in June receives 5 days.
- Leave in the first three months requires the consent of HR. [3]

| Reason | Days | Proof |
|--------|-----:|-------|
| Wedding | 2 | certificate |
| Moving house | 1 | - |

> Leave that is not taken by 31 March expires.

I could not find a rule on unpaid leave in the documents.

I hope this helps! Would you like the form?

Sources:
[1] larkfield-leave.md, section 2
[2] Larkfield_HR.pdf, p. 14
[3] https://intranet.example/leave
"""

PLAIN = """\
TRAVEL EXPENSES

Hotel: up to 120 EUR per night
Meals: 45 EUR per day
Rail: second class

Expenses are reimbursed within 30 days of the claim. They have to be claimed with receipts (no
copies) by the end of the month after the trip. Flights within Europe need the approval of the CFO,
except where rail takes more than 8 hours.

1) File the claim in the portal.
2) Attach the receipts.
   a) originals only
   b) in PDF format
3) Wait for the mail from finance.

In my opinion, that is quite reasonable. Contact travel@example.org with questions about visas.
"""

SAFETY = """\
### \u26a0\ufe0f Handling solvents

**Short answer:** No, solvents may not be stored in the office.

\u2705 Closed cabinets in the laboratory are allowed.
\u274c Window sills, corridors and refrigerators

Ventilation
: The exchange of the air in a room, six times an hour.

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

GERMAN = """\
Gem\u00e4\u00df der Richtlinie gilt Folgendes:

1. Der Urlaub betr\u00e4gt ab dem 1. Januar 2025 30 Tage, d. h. sechs Wochen [1].
2. Er muss sp\u00e4testens zwei Wochen vorher beantragt werden, z. B. per Formular.

Ich hoffe, das hilft!

Quellen:
[1] urlaub.pdf
"""

JAPANESE = """\
## \u5e74\u6b21\u4f11\u6687

\u5e74\u6b21\u4f11\u6687\u306f**20\u65e5**\u3067\u3059[1]\u3002\u4e0a\u53f8\u306e\u627f\u8a8d\u304c\u5fc5\u8981\u3067\u3059\u3002\u7e70\u308a\u8d8a\u3057\u306f\u53ef\u80fd\u3067\u3059\u304b\uff1f

- \u534a\u65e5\u5358\u4f4d\u3067\u53d6\u5f97\u3067\u304d\u307e\u3059\u3002
"""

WRAPPED = "```markdown\n" + LEAVE + "```\n"

ANSWERS = (LEAVE, PLAIN, SAFETY, GERMAN, JAPANESE, WRAPPED)
