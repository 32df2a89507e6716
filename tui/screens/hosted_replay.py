"""A finished game of a host, watched: nothing is written there."""

from __future__ import annotations

from tui.screens.replay import ReplayScreen


class HostedReplay(ReplayScreen):
    """The replay without what would write files on the host, or go on from a moment."""

    def _is_not_here(self) -> None:
        self.remark("Not on a host: copy the save, and open it at home.")

    def action_export(self) -> None:
        """Files are written at home."""
        self._is_not_here()

    def action_comment(self) -> None:
        """So are comments."""
        self._is_not_here()

    def action_go_on(self) -> None:
        """Branches are played at home."""
        self._is_not_here()
