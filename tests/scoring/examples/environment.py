"""An environment of their own for the examples, made at the first run and kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HOME = ROOT / ".venv" / "examples"
NEEDS = ("fastapi==0.165.0", "uvicorn==0.54.0", "mcp==2.3.0", "openai-agents==0.24.0", "httpx")


def python() -> Path:
    """Its interpreter."""
    found, stamp = HOME / "bin" / "python", HOME / "installed"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != repr(NEEDS):
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        pip = [str(found), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--editable", str(ROOT), *NEEDS], check=True)
        stamp.write_text(repr(NEEDS), encoding="utf-8")
    return found
