"""What scripts/when2call prints."""

from __future__ import annotations

import sys

from tests.scoring.flags_and_catches import PARTS, counted


def main() -> None:
    for name, part in PARTS.items():
        rows = list(part())
        for who, found in counted(rows).items():
            counts = ", ".join(f"{count} {what}" for what, count in sorted(found.items()))
            print(f"{name:28} {who:10} {len(rows):4} values: {counts}")
        if "--list" in sys.argv:
            for row in rows:
                if row.guard == row.invented:
                    kind = "missed" if row.invented else "false flag"
                    print(f"  {kind} {row.row} {row.argument}={row.value!r} {row.question[:90]!r}")


if __name__ == "__main__":
    main()
