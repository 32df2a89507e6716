"""Colours and layout: the only place that defines them."""

from pathlib import Path
from typing import Final

SHEETS: Final = Path(__file__).parent
"""Folder of the style sheets."""
