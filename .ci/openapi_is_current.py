"""Does docs/openapi.json describe the API as it is? Exit code 1 and the command that renews it, when not."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "docs" / "openapi.json"
RENEW = ".venv/bin/python manage.py spectacular --format openapi-json --file docs/openapi.json"


def main() -> int:
    """Compares the two as documents, so that white space does not matter."""
    made = subprocess.run(
        [sys.executable, "manage.py", "spectacular", "--format", "openapi-json"],
        cwd=ROOT,
        env=os.environ,
        check=False,
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        print(made.stderr)
        return 1
    if json.loads(made.stdout) != json.loads(COMMITTED.read_text()):
        print(f"docs/openapi.json is out of date; renew it with:\n  {RENEW}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
